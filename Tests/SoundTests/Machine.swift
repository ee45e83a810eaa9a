import Foundation
import PlayerCore

@testable import Sound

/// A fake machine: its files of sound cards and displays, and its cards' answers.
struct Machine {
    var cards = ""
    var pcm = ""
    /// By name, such as "card1-HDMI-A-1"; `nil` if nothing is plugged in.
    var connectors: [String: [UInt8]?] = [:]
    /// By card and device.
    var elds: [[Int]: [UInt8]] = [:]
    /// Paths of further files, and their texts.
    var files: [String: String] = [:]
    /// The cards' links to their devices, by the card's number.
    var devices: [Int: String] = [:]

    func routes(isConfigured: Bool = false) throws -> [SoundRoute] {
        try withFolder { root in
            SoundRoutes.all(below: root, isConfigured: isConfigured) { elds[[$0, $1]] }
        }
    }

    func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        let root = FileManager.default.temporaryDirectory.appending(path: "sound-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        var all = files.mapValues { Data($0.utf8) }
        all["proc/asound/cards"] = Data(cards.utf8)
        all["proc/asound/pcm"] = Data(pcm.utf8)
        for (name, edid) in connectors {
            all["sys/class/drm/\(name)/status"] = Data((edid == nil ? "disconnected\n" : "connected\n").utf8)
            all["sys/class/drm/\(name)/edid"] = Data(edid ?? [])
        }
        for (path, data) in all {
            let url = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url)
        }
        for (card, target) in devices {
            let link = root.appending(path: "sys/class/sound/card\(card)/device")
            try FileManager.default.createDirectory(
                at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
        }
        return try body(root.path)
    }

    static let raspberryPi4 = Machine(
        cards: """
             0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                                  vc4-hdmi-0
             1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                                  bcm2835 Headphones
             2 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                                  vc4-hdmi-1

            """,
        pcm: """
            00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
            01-00: bcm2835 Headphones : bcm2835 Headphones : playback 8
            02-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1

            """,
        connectors: ["card1-HDMI-A-1": nil, "card1-HDMI-A-2": edid("LG TV"), "card1-Writeback-1": nil],
        elds: [[0, 0]: none, [2, 0]: eld("LG TV")])

    static let raspberryPi5 = Machine(
        cards: """
             0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                                  vc4-hdmi-0
             1 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                                  vc4-hdmi-1

            """,
        pcm: """
            00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
            01-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1

            """,
        connectors: ["card2-HDMI-A-1": edid("Panel", hasSound: false), "card2-HDMI-A-2": nil],
        elds: [[0, 0]: none, [1, 0]: none])

    static let computer = Machine(
        cards: """
             0 [PCH            ]: HDA-Intel - HDA Intel PCH
                                  HDA Intel PCH at 0xf7f10000 irq 32
             1 [Device         ]: USB-Audio - USB Audio Device
                                  C-Media Electronics Inc. USB Audio Device at usb-0000:00:14.0-2, full speed
             2 [Webcam         ]: USB-Audio - Webcam
                                  Webcam at usb-0000:00:14.0-3, high speed
             3 [Loopback       ]: Loopback - Loopback
                                  Loopback 1

            """,
        pcm: """
            00-00: ALC892 Analog : ALC892 Analog : playback 1 : capture 1
            00-01: ALC892 Digital : ALC892 Digital : playback 1
            00-03: HDMI 0 : HDMI 0 : playback 1
            00-07: HDMI 1 : HDMI 1 : playback 1
            00-08: HDMI 2 : HDMI 2 : playback 1
            01-00: USB Audio : USB Audio : playback 1 : capture 1
            02-00: USB Audio : USB Audio : capture 1
            03-00: Loopback PCM : Loopback PCM : playback 8 : capture 8
            03-01: Loopback PCM : Loopback PCM : playback 8 : capture 8

            """,
        connectors: [
            "card0-DP-1": edid("DELL U2412M", model: 7), "card0-HDMI-A-1": edid("LG TV"), "card0-HDMI-A-2": nil,
        ],
        elds: [[0, 3]: eld("LG TV"), [0, 7]: none, [0, 8]: eld("DELL U2412M", model: 7)])

    static let none = [UInt8](repeating: 0, count: 128)

    static func eld(_ name: String, model: UInt8 = 1) -> [UInt8] {
        var eld = none
        eld[0] = 2 << 3
        eld[2] = 20
        eld[4] = 3 << 5 | UInt8(name.utf8.count)
        eld.replaceSubrange(16..<20, with: [0x1E, 0x6D, model, 0])
        eld.replaceSubrange(20..<20 + name.utf8.count, with: name.utf8)
        return eld
    }

    static func edid(_ name: String, model: UInt8 = 1, hasSound: Bool = true) -> [UInt8] {
        var edid = [UInt8](repeating: 0, count: 256)
        edid.replaceSubrange(8..<12, with: [0x1E, 0x6D, model, 0])
        edid.replaceSubrange(72..<77, with: [0, 0, 0, 0xFC, 0])
        edid.replaceSubrange(
            77..<90, with: Array(name.utf8) + [0x0A] + [UInt8](repeating: 0x20, count: 12 - name.utf8.count))
        edid.replaceSubrange(128..<132, with: [2, 3, 4, hasSound ? 0x40 : 0])
        return edid
    }
}
