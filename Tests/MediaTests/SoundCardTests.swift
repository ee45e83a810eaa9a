import Foundation
import Testing

@testable import Media

@Suite struct SoundCardTests {
    /// Each alone is reason enough to ask ALSA.
    @Test(arguments: [
        "dev/snd/pcmC0D0p", "dev/snd/pcmC12D3p", "etc/asound.conf", "etc/alsa/conf.d/99-pulse.conf", "home/.asoundrc",
        "home/.config/alsa/asoundrc",
    ])
    func somethingThatMayPlay(file: String) throws {
        try withFolder(holding: file) {
            #expect(SoundCard.mayExist(below: $0, home: "\($0)/home", isConfigured: false))
        }
    }

    @Test(arguments: ["dev/snd/timer", "dev/snd/pcmC0D0c", "etc/alsa/other", "home/asoundrc"])
    func nothingThatPlays(file: String) throws {
        try withFolder(holding: file) {
            #expect(!SoundCard.mayExist(below: $0, home: "\($0)/home", isConfigured: false))
            #expect(!SoundCard.mayExist(below: $0, home: nil, isConfigured: false))
            #expect(SoundCard.mayExist(below: $0, home: nil, isConfigured: true))
        }
    }

    private func withFolder(holding file: String, _ body: (String) -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "sound-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let url = root.appending(path: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: url)
        body(root.path)
    }
}
