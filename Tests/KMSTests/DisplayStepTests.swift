import PlayerCore
import Testing

@testable import KMS

@Suite("The ladder of displays, and who turns the picture (S2, B3, N2)")
struct DisplayStepTests {
    private static let displays: [(String, DisplayInventory, DisplayStep, film: UInt32, osd: UInt32?)] = [
        ("vc4", Inventories.pi(), .planes, 90, 91),
        ("drm-rp1-dsi", Inventories.simplePanel(), .composited, 31, nil),
        ("virtio-gpu", Inventories.virtio(), .composited, 33, nil),
        ("i915", Inventories.intel(), .planes, 39, 44),
        ("simpledrm", Inventories.firmware(), .composited, 31, nil),
        ("vkms", Inventories.vkms(), .planes, 40, 45),
    ]

    @Test("Each driver's planes lead to its step", arguments: displays)
    func steps(display: (String, DisplayInventory, DisplayStep, film: UInt32, osd: UInt32?)) throws {
        let choice = try DisplayChoice.choose(from: display.1)
        #expect(choice.step == display.2)
        #expect(choice.filmPlane.id == display.film)
        #expect(choice.osdPlane?.id == display.osd)
    }

    @Test("A plane that scales makes the first step", arguments: [true, false])
    func scaling(scales: Bool) throws {
        var inventory = Inventories.vkms()
        for index in inventory.cards[0].planes.indices { inventory.cards[0].planes[index].scales = scales }
        #expect(try DisplayChoice.choose(from: inventory).step == (scales ? .planesScaling : .planes))
    }

    @Test("One plane can be forced where there are more, and prefers one that takes the plain film too")
    func forcedComposition() throws {
        let choice = try DisplayChoice.choose(from: Inventories.vkms(), request: DisplayRequest(osd: .composited))
        #expect(choice.step == .composited)
        #expect(choice.filmPlane.id == 40)
        #expect(choice.osdPlane == nil)
        #expect(choice.reasons.last?.hasSuffix("it was asked for") == true)
    }

    @Test("A plane for the OSD can be demanded: an error where there is none, with a way out")
    func forcedPlane() throws {
        let request = DisplayRequest(osd: .plane)
        #expect(try DisplayChoice.choose(from: Inventories.vkms(), request: request).osdPlane?.id == 45)
        #expect(
            try DisplayChoice.choose(from: Inventories.vkms(), request: request).alternatives
                .allSatisfy { $0.osd != nil })
        let error = KMSError.noOSDPlane(card: "/dev/dri/card0", connector: "DSI-1")
        #expect(throws: error) { try DisplayChoice.choose(from: Inventories.simplePanel(), request: request) }
        #expect(error.remedy.contains("--osd composited"))
    }

    @Test("Without an OSD nothing is composited, whatever the planes", arguments: displays.map(\.1))
    func noOSD(inventory: DisplayInventory) throws {
        let choice = try DisplayChoice.choose(from: inventory, request: DisplayRequest(osd: .off))
        #expect(choice.osdPlane == nil)
        #expect(choice.step == (choice.filmPlane.kind == .primary ? .filmOnPrimary : .planes))
    }

    @Test(
        "The kernel's names for a mounted panel, and what makes up for it",
        arguments: zip(["Normal", "Upside Down", "Left Side Up", "Right Side Up"], [0, 180, 270, 90]))
    func panelOrientation(name: String, degrees: Int) throws {
        let orientation = try #require(PanelOrientation(rawValue: name))
        #expect(orientation.transform.rotation.rawValue == degrees)
        var inventory = Inventories.simplePanel()
        inventory.cards[0].connectors[0].panelOrientation = orientation
        let preference = DisplayTransform(rotation: .quarter, isReflected: true)
        let choice = try DisplayChoice.choose(from: inventory, request: DisplayRequest(transform: preference))
        #expect(choice.panelOrientation == orientation.transform)
        #expect(choice.transform == preference.then(orientation.transform))
        #expect(choice.reasons.contains { $0.contains(name) } == (orientation != .normal))
    }

    @Test("The viewer's top left corner of a panel with its left side up is the panel's bottom left one")
    func leftSideUp() {
        let place = PanelOrientation.leftSideUp.transform.place(x: 0, y: 0)
        #expect(place == (0, 1))
    }

    /// A picture of 3 x 2 numbered pixels turned both ways: by the rule of the planes, which matches vkms's own pictures,
    /// and by the transform.
    @Test(
        "Every rotation bit that is chosen does what the transform says", arguments: DisplayTransform.all,
        [
            PlaneRotation(rawValue: 0x3F), [.rotate0, .rotate180, .reflectX, .reflectY],
            [.rotate0, .rotate90, .reflectY],
        ])
    func rotationBits(transform: DisplayTransform, supported: PlaneRotation) {
        guard let rotation = PlaneRotation(transform, supported: supported) else {
            #expect(supported != PlaneRotation(rawValue: 0x3F), "a plane that knows all can do all")
            #expect(transform != .identity)
            return
        }
        #expect(rotation.isSubset(of: supported))
        let (width, height) = (3, 2)
        let display = transform.size(width: width, height: height)
        var layer = PlaneLayer(
            format: .xrgb8888, width: width, height: height,
            components: [.init(bytes: (0..<6).flatMap { [UInt8($0 + 1), 0, 0, 0] }, pitch: width * 4)],
            source: .init(x: 0, y: 0, width: Double(width), height: Double(height)),
            destination: .init(x: 0, y: 0, width: display.width, height: display.height))
        layer.rotation = rotation
        let picture = Picture.composed(width: display.width, height: display.height, layers: [layer])
        for y in 0..<height {
            for x in 0..<width {
                let place = transform.place(
                    x: (Double(x) + 0.5) / Double(width), y: (Double(y) + 0.5) / Double(height))
                let pixel = picture[
                    Int(place.x * Double(display.width)), Int(place.y * Double(display.height))]
                #expect(pixel.blue == UInt8(y * width + x + 1), "pixel \(x), \(y) by \(rotation)")
            }
        }
    }

    @Test("vc4's planes turn half and mirror; quarters are left to the pipeline, and all of it if asked")
    func planesThatTurn() throws {
        func film(_ transform: DisplayTransform, byPlane: Bool = true) throws -> PlaneChoice {
            try DisplayChoice.choose(
                from: Inventories.pi(), request: DisplayRequest(transform: transform, planeRotation: byPlane)
            ).filmPlane
        }
        #expect(try film(.init(rotation: .half)).rotation == .rotate180)
        #expect(try film(.init(rotation: .half)).planeProperties == "s,rotation=(int)4,zpos=(int)1")
        #expect(try film(.init(isReflected: true)).rotation == [.rotate0, .reflectX])
        #expect(try film(.init(rotation: .quarter)).rotation == nil)
        #expect(try film(.identity).rotation == nil)
        #expect(try film(.init(rotation: .half), byPlane: false).rotation == nil)
    }
}
