import Testing

@testable import KMS

@Suite("Choice of planes (S2, B3)")
struct PlaneChoiceTests {
    private func choose(_ planes: DisplayInventory.Plane...) throws(KMSError) -> DisplayChoice {
        try DisplayChoice.choose(
            from: Inventories.inventory(
                Inventories.card(
                    connectors: [Inventories.connector("HDMI-A-1", modes: [Inventories.hd60])], planes: planes)))
    }

    @Test("vkms: the film on the first overlay, the OSD on the next by id, nothing to set")
    func vkms() throws {
        let choice = try DisplayChoice.choose(from: Inventories.vkms())
        #expect(choice.primaryPlaneID == 35)
        #expect(choice.filmPlane.id == 40)
        #expect(choice.filmPlane.planeProperties == nil)
        let osd = try #require(choice.osdPlane)
        #expect(osd.id == 45)
        #expect(osd.planeProperties == nil)
        #expect(osd.isPreMultiplied, "what DRM does without the property")
    }

    @Test("vc4: the order is set explicitly, and the OSD's blend mode by its name")
    func pi() throws {
        let choice = try DisplayChoice.choose(from: Inventories.pi())
        #expect(choice.primaryPlaneID == 81)
        #expect(choice.filmPlane.id == 90)
        #expect(choice.filmPlane.planeProperties == "s,zpos=(int)1")
        let osd = try #require(choice.osdPlane)
        #expect(osd.id == 91)
        #expect(osd.planeProperties == "s,pixel-blend-mode=(int)0,zpos=(int)2")
        #expect(osd.isPreMultiplied)
    }

    @Test("A driver that blends straight alpha only is said to")
    func coverageOnly() throws {
        let choice = try choose(
            Inventories.plane(1, .primary, [.xrgb8888]), Inventories.plane(2, .overlay, [.nv12]),
            Inventories.plane(3, .overlay, [.argb8888], blendModes: [.init(name: "Coverage", value: 5)]))
        #expect(choice.osdPlane?.isPreMultiplied == false)
        #expect(choice.osdPlane?.planeProperties == "s,pixel-blend-mode=(int)5")
    }

    @Test("No overlay: one plane for both, and the reason")
    func primaryOnly() throws {
        let choice = try choose(Inventories.plane(1, .primary, Inventories.allFormats))
        #expect(choice.step == .composited)
        #expect(choice.filmPlane.id == 1)
        #expect(choice.filmPlane.kind == .primary)
        #expect(choice.osdPlane == nil)
        #expect(choice.reasons.last == "the OSD is drawn into the film's frames: the display has no overlay")
    }

    @Test("A panel with one RGB plane: the film there, and the reason names the conversion")
    func simplePanel() throws {
        let choice = try DisplayChoice.choose(from: Inventories.simplePanel())
        #expect(choice.step == .composited)
        #expect(choice.filmPlane.id == 31)
        #expect(choice.osdPlane == nil)
        #expect(choice.reasons.contains { $0.contains("convert to RGB") })
    }

    @Test("An overlay that takes YUV and leaves one above it for the OSD goes before the primary plane")
    func yuvOverlayFirst() throws {
        let choice = try choose(
            Inventories.plane(1, .primary, Inventories.allFormats), Inventories.plane(2, .overlay, [.argb8888]),
            Inventories.plane(3, .overlay, [.nv12]), Inventories.plane(4, .overlay, [.argb8888]))
        #expect(choice.step == .planes)
        #expect(choice.filmPlane.id == 3)
        #expect(choice.osdPlane?.id == 4, "plane 2 takes AR24 too, but lies below the film")
    }

    @Test("Where no overlay is left above the film's, the film takes the primary plane")
    func filmOnPrimary() throws {
        let choice = try choose(
            Inventories.plane(1, .primary, Inventories.allFormats), Inventories.plane(2, .overlay, [.argb8888]),
            Inventories.plane(3, .overlay, [.nv12]))
        #expect(choice.step == .filmOnPrimary)
        #expect(choice.filmPlane.id == 1)
        #expect(choice.osdPlane?.id == 2)
    }

    @Test("YUV on the primary plane goes before RGB on an overlay; the other ways are kept for the driver to refuse")
    func ladder() throws {
        let choice = try choose(
            Inventories.plane(1, .primary, Inventories.allFormats),
            Inventories.plane(2, .overlay, [.xrgb8888, .argb8888]),
            Inventories.plane(3, .overlay, [.xrgb8888, .argb8888]))
        let ways =
            [(choice.step, choice.filmPlane.id, choice.osdPlane?.id)]
            + choice.alternatives.map { ($0.step, $0.film.id, $0.osd?.id) }
        #expect(ways.map(\.0) == [.filmOnPrimary, .planes, .filmOnPrimary, .composited, .composited, .composited])
        #expect(ways.map(\.1) == [1, 2, 1, 1, 2, 3])
        #expect(ways.map(\.2) == [2, 3, 2, nil, nil, nil])
    }

    @Test("An overlay that takes YUV alone leaves the OSD in the film, which goes where RGB is taken")
    func noPlaneForOSD() throws {
        let choice = try choose(
            Inventories.plane(1, .primary, [.xrgb8888]), Inventories.plane(2, .overlay, [.nv12]))
        #expect(choice.step == .composited)
        #expect(choice.filmPlane.id == 1)
        #expect(choice.reasons.last == "the OSD is drawn into the film's frames: no overlay takes AR24")
    }

    @Test("A fixed order counts more than ids")
    func fixedOrder() throws {
        func fixed(_ position: Int) -> DisplayInventory.Stacking {
            .init(position: position, lowest: position, highest: position, isMutable: false)
        }
        let choice = try choose(
            Inventories.plane(1, .primary, [.xrgb8888], stacking: fixed(0)),
            Inventories.plane(2, .overlay, Inventories.allFormats, stacking: fixed(2)),
            Inventories.plane(3, .overlay, Inventories.allFormats, stacking: fixed(1)))
        #expect(choice.filmPlane.id == 3)
        #expect(choice.osdPlane?.id == 2)
        #expect(choice.osdPlane?.planeProperties == nil)
    }

    @Test("An OSD plane whose order can be set is set above a film plane whose order cannot")
    func mixedOrder() throws {
        let choice = try choose(
            Inventories.plane(1, .primary, [.xrgb8888]),
            Inventories.plane(
                2, .overlay, [.nv12], stacking: .init(position: 4, lowest: 4, highest: 4, isMutable: false)),
            Inventories.plane(
                3, .overlay, [.argb8888], stacking: .init(position: 0, lowest: 0, highest: 9, isMutable: true)))
        #expect(choice.osdPlane?.planeProperties == "s,zpos=(int)5")
    }

    @Test("Planes of another CRTC, and those that another display shows, are left alone")
    func othersPlanes() throws {
        let choice = try choose(
            Inventories.plane(1, .primary, [.xrgb8888]),
            Inventories.plane(2, .overlay, Inventories.allFormats, crtcs: [70]),
            Inventories.plane(3, .overlay, Inventories.allFormats, crtcs: [70, 80], on: 70),
            Inventories.plane(4, .overlay, Inventories.allFormats, crtcs: [70, 80]),
            Inventories.plane(5, .overlay, Inventories.allFormats, crtcs: [70, 80]))
        #expect(choice.filmPlane.id == 4)
        #expect(choice.osdPlane?.id == 5)
    }

    @Test("A cursor plane is never used")
    func noCursor() throws {
        let choice = try choose(
            Inventories.plane(1, .primary, [.xrgb8888]), Inventories.plane(2, .overlay, [.nv12]),
            Inventories.plane(3, .cursor, [.argb8888]))
        #expect(choice.osdPlane == nil)
    }

    @Test("No plane with a known format is an error")
    func noFilmPlane() {
        #expect(throws: KMSError.noFilmPlane(card: "/dev/dri/card0", connector: "HDMI-A-1")) {
            try choose(Inventories.plane(1, .primary, [PixelFormat(rawValue: 0x3631_4752)]))
        }
    }
}
