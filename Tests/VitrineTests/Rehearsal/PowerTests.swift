import Synchronization
import Testing

@testable import KMS
@testable import Vitrine

/// Switching the display off and on, with a display that records its requests.
@Suite("The display's power, rehearsed", .timeLimit(.minutes(1)))
struct PowerTests {
    /// The requests to the display, in order.
    private final class ScriptedDisplay: Sendable {
        private let asked = Mutex<[Bool]>([])

        var power: [Bool] { asked.withLock { $0 } }

        func setPower(_ on: Bool) { asked.withLock { $0.append(on) } }
    }

    @Test func `of two requests at once the player remembers the one that the display got last`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"])
        let (player, display) = (rehearsal.player, ScriptedDisplay())
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        async let off = player.switchPower(false) { on in
            display.setPower(on)
            for await _ in answers { break }
            return nil
        }
        while display.power.isEmpty { await Task.yield() }
        let first = await player.powerWork
        async let on = player.switchPower(true) { on in
            display.setPower(on)
            return nil
        }
        while await player.powerWork == first { await Task.yield() }
        // The loop works in order: the immediate effects of the second request are done by now.
        await player.act { _ in }
        #expect(display.power == [false], "the second one waits for the display's answer to the first one")
        answer.yield()
        #expect(await [off, on] == [nil, nil])
        #expect(display.power == [false, true])
        #expect(await player.act { $0.stage.hasPower })
        await rehearsal.end()
    }

    @Test func `a request that fails changes nothing, and holds up no other one`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"])
        let refusal = KMSError.displayRestored
        #expect(await rehearsal.player.switchPower(false) { _ in refusal } == refusal)
        #expect(await rehearsal.player.act { $0.stage.hasPower })
        #expect(await rehearsal.player.switchPower(false) { _ in nil } == nil)
        #expect(await rehearsal.player.act { !$0.stage.hasPower })
        await rehearsal.end()
    }
}
