import Control
import Testing

@testable import MPVAdapter

struct ListenersTests {
    /// The lock under which a stream is yielded to and the one under which a cancelled listener leaves must not be
    /// taken in both orders: that stopped the player's loop for ever.
    @Test(.timeLimit(.minutes(1))) func clientsMayLeaveWhileNewsIsSent() async {
        let listeners = Listeners<Set<String>>()
        for _ in 0..<100_000 {
            let changes = listeners.stream()
            let client = Task.detached {
                for await _ in changes {}
            }
            await Task.yield()
            async let sending: Void = { for _ in 0..<5 { listeners.send([MPVProperty.timePos]) } }()
            client.cancel()
            await sending
            await client.value
        }
        #expect(listeners.isEmpty, "whoever has left is forgotten")
    }

    @Test func elementsArriveInOrderAndEnd() async {
        let listeners = Listeners<MPVEvent>()
        let events = listeners.stream()
        listeners.send(.startFile(playlistEntry: 1))
        listeners.send(.fileLoaded)
        listeners.finish()
        var received: [MPVEvent] = []
        for await event in events { received.append(event) }
        #expect(received == [.startFile(playlistEntry: 1), .fileLoaded])
        for await _ in listeners.stream() { Issue.record("it has ended") }
    }

    @Test func propertiesAreSentByAllOfTheirNames() async {
        let listeners = Listeners<Set<String>>()
        let changes = listeners.stream()
        listeners.send([MPVProperty.pause, .loopFile])
        listeners.finish()
        var received: [Set<String>] = []
        for await change in changes { received.append(change) }
        #expect(received == [["pause", "loop-file", "loop"]])
    }
}
