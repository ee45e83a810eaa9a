import PlayerCore
import Testing

@testable import Touch

@Suite("TouchMailbox: from the reader's queue to one task")
struct TouchMailboxTests {
    private static func frame(_ milliseconds: Int64) -> TouchNews {
        .event(.frame(TouchPanel.ID(number: UInt32(milliseconds)), .milliseconds(milliseconds)))
    }

    @Test("what was posted before the close is handed out in order, then the stream ends", .timeLimit(.minutes(1)))
    func order() async {
        let mailbox = TouchMailbox()
        for time in 1...3 as ClosedRange<Int64> { mailbox.post(Self.frame(time)) }
        mailbox.close()
        mailbox.post(Self.frame(4))
        var got: [TouchNews] = []
        for await news in mailbox.stream { got.append(news) }
        #expect(got == [Self.frame(1), Self.frame(2), Self.frame(3)])
    }

    @Test("a waiting reader gets what is posted later", .timeLimit(.minutes(1)))
    func waiting() async {
        let mailbox = TouchMailbox()
        let reader = Task {
            var got: [TouchNews] = []
            for await news in mailbox.stream {
                got.append(news)
                // Posted from inside, so that the next turn finds it waiting; then nothing more comes.
                if got.count == 1 { mailbox.post(Self.frame(2)) } else { mailbox.close() }
            }
            return got
        }
        mailbox.post(Self.frame(1))
        #expect(await reader.value == [Self.frame(1), Self.frame(2)])
    }

    @Test("cancelling a waiting reader ends its waiting", .timeLimit(.minutes(1)))
    func cancelled() async {
        let mailbox = TouchMailbox()
        let reader = Task { for await _ in mailbox.stream {} }
        while !mailbox.isAwaited { await Task.yield() }
        reader.cancel()
        await reader.value
    }
}
