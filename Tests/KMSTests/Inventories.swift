@testable import KMS

/// Inventories as real drivers report them, reduced to the properties that a choice depends on.
enum Inventories {
    static let hd60 = DisplayMode(width: 1920, height: 1080, refreshMillihertz: 60_000)
    static let hd50 = DisplayMode(width: 1920, height: 1080, refreshMillihertz: 50_000)
    static let vga = DisplayMode(width: 640, height: 480, refreshMillihertz: 59_940)

    /// A 4K television, as its EDID lists the modes.
    static let televisionModes = [
        DisplayMode(width: 3840, height: 2160, refreshMillihertz: 60_000, isPreferred: true),
        DisplayMode(width: 3840, height: 2160, refreshMillihertz: 30_000),
        DisplayMode(width: 1920, height: 1080, refreshMillihertz: 24_000),
        hd50,
        DisplayMode(width: 1920, height: 1080, refreshMillihertz: 60_000, isInterlaced: true),
        DisplayMode(width: 1920, height: 1080, refreshMillihertz: 59_940),
        hd60,
        DisplayMode(width: 1920, height: 1080, refreshMillihertz: 120_000),
        DisplayMode(width: 1280, height: 720, refreshMillihertz: 60_000),
        vga,
    ]

    static func connector(
        _ name: String, id: UInt32 = 90, status: DisplayInventory.Connector.Status = .connected,
        modes: [DisplayMode], crtcs: [UInt32] = [80], current: UInt32? = nil
    ) -> DisplayInventory.Connector {
        DisplayInventory.Connector(
            id: id, name: name, status: status, isWriteback: name.hasPrefix("Writeback"), millimetres: nil,
            modes: modes, crtcID: current, possibleCRTCs: crtcs)
    }

    static func plane(
        _ id: UInt32, _ kind: DisplayInventory.Plane.Kind, _ formats: [PixelFormat], crtcs: [UInt32] = [80],
        on crtc: UInt32? = nil, stacking: DisplayInventory.Stacking? = nil,
        blendModes: [DisplayInventory.BlendMode] = [], rotations: [String] = ["rotate-0"]
    ) -> DisplayInventory.Plane {
        DisplayInventory.Plane(
            id: id, kind: kind, formats: formats, possibleCRTCs: crtcs, crtcID: crtc, rotations: rotations,
            stacking: stacking, blendModes: blendModes, scales: nil)
    }

    static func card(
        path: String = "/dev/dri/card0", driver: String = "test", isHeld: Bool = false,
        connectors: [DisplayInventory.Connector], crtcs: [UInt32] = [80], planes: [DisplayInventory.Plane]
    ) -> DisplayInventory.Card {
        DisplayInventory.Card(
            path: path, driver: driver, isAtomic: true, isHeld: isHeld, holders: [], connectors: connectors,
            crtcs: crtcs.map { DisplayInventory.CRTC(id: $0, isActive: false, mode: nil) }, planes: planes)
    }

    static func inventory(_ cards: DisplayInventory.Card...) -> DisplayInventory {
        DisplayInventory(cards: cards, unreadable: [])
    }

    static let allFormats: [PixelFormat] = [.xrgb8888, .argb8888, .yuv420, .nv12]

    /// The rig's vkms: no zpos, no blend mode, a writeback connector listed first.
    static func vkms(modes: [DisplayMode] = [hd60]) -> DisplayInventory {
        inventory(vkmsCard(modes: modes))
    }

    static func vkmsCard(modes: [DisplayMode]) -> DisplayInventory.Card {
        card(
            driver: "vkms",
            connectors: [
                connector("Writeback-1", id: 87, modes: []),
                connector("Virtual-1", id: 93, modes: modes),
            ],
            planes: [plane(35, .primary, allFormats)] + [40, 45, 50].map { plane($0, .overlay, allFormats) }
                + [plane(60, .cursor, [.argb8888])])
    }

    /// A Raspberry Pi 4: a render-only card first, then vc4 with two HDMI connectors, overlays for any CRTC, zpos and
    /// blend modes.
    static func pi(first: DisplayInventory.Connector.Status = .connected) -> DisplayInventory {
        let crtcs: [UInt32] = [70, 80]
        let blendModes = [
            DisplayInventory.BlendMode(name: "None", value: 2),
            DisplayInventory.BlendMode(name: "Pre-multiplied", value: 0),
            DisplayInventory.BlendMode(name: "Coverage", value: 1),
        ]
        let rotations = ["rotate-0", "rotate-180", "reflect-x", "reflect-y"]
        func stacking(_ position: Int, isMutable: Bool) -> DisplayInventory.Stacking {
            DisplayInventory.Stacking(
                position: position, lowest: isMutable ? 1 : position, highest: isMutable ? 17 : position,
                isMutable: isMutable)
        }
        return inventory(
            card(driver: "v3d", connectors: [], crtcs: [], planes: []),
            card(
                path: "/dev/dri/card1", driver: "vc4",
                connectors: [
                    connector("HDMI-A-1", id: 32, status: first, modes: televisionModes, crtcs: crtcs, current: 80),
                    connector("HDMI-A-2", id: 43, modes: [hd50], crtcs: crtcs),
                    connector("Writeback-1", id: 50, status: .unknown, modes: [], crtcs: [60]),
                ],
                crtcs: crtcs,
                planes: [
                    plane(71, .primary, allFormats, crtcs: [70], stacking: stacking(0, isMutable: false)),
                    plane(81, .primary, allFormats, crtcs: [80], on: 80, stacking: stacking(0, isMutable: false)),
                    // Another program has changed the order.
                    plane(
                        90, .overlay, allFormats, crtcs: crtcs, stacking: stacking(9, isMutable: true),
                        blendModes: blendModes, rotations: rotations),
                    plane(
                        91, .overlay, allFormats, crtcs: crtcs, stacking: stacking(2, isMutable: true),
                        blendModes: blendModes, rotations: rotations),
                    plane(99, .cursor, [.argb8888], crtcs: [80], stacking: stacking(17, isMutable: false)),
                ]))
    }

    /// The Pi 5's DSI: one primary plane, RGB only.
    static func simplePanel() -> DisplayInventory {
        inventory(
            card(
                driver: "drm-rp1-dsi",
                connectors: [
                    connector(
                        "DSI-1",
                        modes: [
                            DisplayMode(width: 800, height: 480, refreshMillihertz: 60_000, isPreferred: true)
                        ])
                ],
                planes: [plane(31, .primary, [.xrgb8888, .argb8888])]))
    }

    private static func single(
        _ driver: String, _ name: String, planes: [DisplayInventory.Plane]
    ) -> DisplayInventory {
        inventory(card(driver: driver, connectors: [connector(name, modes: [hd60])], planes: planes))
    }

    /// virtio-gpu: a primary plane for one RGB format, and a cursor.
    static func virtio() -> DisplayInventory {
        single(
            "virtio_gpu", "Virtual-1",
            planes: [plane(33, .primary, [.xrgb8888]), plane(34, .cursor, [.argb8888])])
    }

    /// i915 since Skylake: universal planes that take NV12, quarter turns among their rotations.
    static func intel() -> DisplayInventory {
        let rotations = ["rotate-0", "rotate-90", "rotate-180", "rotate-270"]
        let formats: [PixelFormat] = [.xrgb8888, .argb8888, .nv12]
        func stacking(_ position: Int) -> DisplayInventory.Stacking {
            DisplayInventory.Stacking(position: position, lowest: position, highest: position, isMutable: false)
        }
        return single(
            "i915", "eDP-1",
            planes: [
                plane(31, .primary, formats, stacking: stacking(0), rotations: rotations),
                plane(39, .overlay, formats, stacking: stacking(1), rotations: rotations),
                plane(44, .overlay, formats, stacking: stacking(2), rotations: rotations),
                plane(50, .cursor, [.argb8888], stacking: stacking(3)),
            ])
    }

    /// simpledrm: the firmware's framebuffer.
    static func firmware() -> DisplayInventory {
        single("simpledrm", "Unknown-1", planes: [plane(31, .primary, [.xrgb8888], rotations: [])])
    }
}
