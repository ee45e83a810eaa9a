import Control
import Testing

@testable import Vitrine

struct NewsHubTests {
    /// The lock under which a stream is yielded to and the one under which a cancelled listener leaves must not be taken
    /// in both orders: that stopped the player's loop for good.
    @Test(.timeLimit(.minutes(1))) func clientsMayLeaveWhileNewsIsSent() async {
        let hub = NewsHub()
        for _ in 0..<100_000 {
            let changes = hub.changes()
            let client = Task.detached {
                for await _ in changes {}
            }
            await Task.yield()
            async let sending: Void = { for _ in 0..<5 { hub.changed([.timePos]) } }()
            client.cancel()
            await sending
            await client.value
        }
        #expect(!hub.hasListeners, "whoever has left is forgotten")
    }

    @Test func newsComesInOrderAndEnds() async {
        let hub = NewsHub()
        let events = hub.events()
        let changes = hub.changes()
        hub.send(.startFile(playlistEntry: 1))
        hub.changed([.pause, .timePos])
        hub.send(.fileLoaded)
        hub.finish()
        var told: [MPVEvent] = []
        for await event in events { told.append(event) }
        #expect(told == [.startFile(playlistEntry: 1), .fileLoaded])
        var names: [Set<String>] = []
        for await change in changes { names.append(change) }
        #expect(names == [["pause", "time-pos"]])
    }
}
