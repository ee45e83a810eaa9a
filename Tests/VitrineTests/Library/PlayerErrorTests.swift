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
        let player = VitrinePlayer(options: PlayerOptions(hasOSD: false, hasSound: false), display: nil)
        do throws(PlayerError) {
            try await player.screenshot(to: "/tmp/none.png")
            Issue.record("there is a picture")
        } catch {
            guard case .noPicture(let circumstances) = error else { throw error }
            #expect(circumstances.attempt == .takeScreenshot && circumstances.address == "/tmp/none.png")
        }
    }
}
