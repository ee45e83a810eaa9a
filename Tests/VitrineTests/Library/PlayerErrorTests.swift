import Foundation
import KMS
import PlayerCore
import Testing

@testable import Vitrine

@Suite("One error for all that the library does: what was tried, on what, and what would help")
struct PlayerErrorTests {
    @Test("a display that cannot be had: the kernel's refusal, and its remedy")
    func display() async throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        let request = DisplayRequest(connector: "HDMI-A-1", fileDescriptor: file.fileDescriptor)
        do throws(PlayerError) {
            _ = try await PlayerLayer.open(request)
            Issue.record("/dev/null is a display")
        } catch {
            guard case .display(let circumstances, let reason) = error else { throw error }
            #expect(circumstances.attempt == .openDisplay && circumstances.address == "HDMI-A-1")
            #expect(reason == .notACard(fileDescriptor: file.fileDescriptor))
            #expect(error.description.contains(circumstances.text) && error.description.contains(reason.remedy))
        }
    }

    @Test("a screenshot where nothing is shown")
    func screenshot() async throws {
        let player = Player(options: PlayerOptions(hasOSD: false, hasSound: false))
        do throws(PlayerError) {
            try await player.screenshot(to: "/tmp/none.png")
            Issue.record("there is a picture")
        } catch {
            guard case .noPicture(let circumstances) = error else { throw error }
            #expect(circumstances.attempt == .takeScreenshot && circumstances.address == "/tmp/none.png")
        }
    }

    /// The case of each reason, and a word of its remedy.
    static let reasons: [(reason: MediaFailure.Reason, name: String, help: String)] = [
        (.noSuchFile, "noSuchFile", "check the path"), (.noPermission, "noPermission", "chmod a+r"),
        (.notMedia, "notMedia", "copy it again"),
        (.missingPlugin(package: "gstreamer1.0-libav"), "missingPlugin", "sudo apt install gstreamer1.0-libav"),
        (.missingPlugin(package: nil), "missingPlugin", "gst-inspect-1.0"),
        (.cannotBuild, "cannotBuild", "tools/packages run"), (.audioLost, "soundLost", "aplay -l"),
        (.network, "network", "check the network"), (.noDesktop, "noDesktop", "desktop"),
        (.broken, "damaged", "copy the film again"), (.stuck, "stuck", "start the program again"),
        (.cancelled, "cancelled", "ask again"), (.other, "stopped", "the log"),
    ]

    @Test("each failure becomes one case, which has all of it except the address's password", arguments: reasons)
    func failures(reason: MediaFailure.Reason, name: String, help: String) {
        let address = "http://guide:secret@museum.example/film.mp4"
        let code = GStreamerCode(domain: .resource, number: 3)
        let error = PlayerError(
            MediaFailure(reason: reason, message: "no \(address)", details: "of \(address)", code: code),
            address: address,
            attempt: .load)
        #expect(Mirror(reflecting: error).children.first?.label == name)
        let reported = error.circumstances
        #expect(reported.attempt == .load && reported.code == code)
        #expect(!"\(reported) \(error)".contains("secret"))
        #expect(reported.address.hasSuffix("museum.example/film.mp4") && reported.text.hasPrefix("no http"))
        #expect(reported.details?.hasPrefix("of http") == true)
        #expect(error.remedy.contains(help))
        // If the text contains the remedy, it is not repeated.
        #expect(error.description == "\(reported.text) (\(error.remedy))")
        let withRemedy = MediaFailure(reason: reason, message: "no film: \(error.remedy)")
        #expect(PlayerError(withRemedy, address: address).description == "no film: \(error.remedy)")
    }
}
