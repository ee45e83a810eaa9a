import PlayerCore
import Synchronization

/// Passes news from the reader's queue to the one task that awaits them.
final class TouchMailbox: Sendable {
    private struct State {
        var backlog = TouchBacklog()
        var reader: CheckedContinuation<TouchNews?, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// For one consumer. Cancelling it closes the mailbox.
    var stream: AsyncStream<TouchNews> {
        AsyncStream {
            await self.next()
        } onCancel: {
            self.close()
        }
    }

    /// Whether the consumer is waiting for news now.
    var isAwaited: Bool { state.withLock { $0.reader != nil } }

    func post(_ news: TouchNews) {
        let reader = state.withLock { state -> CheckedContinuation<TouchNews?, Never>? in
            guard !state.isClosed else { return nil }
            defer { state.reader = nil }
            if state.reader == nil { state.backlog.append(news) }
            return state.reader
        }
        reader?.resume(returning: news)
    }

    /// Closes the mailbox: waiting news are still delivered, then the stream ends.
    func close() {
        let reader = state.withLock { state in
            state.isClosed = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private func next() async -> TouchNews? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> TouchNews?? in
                precondition(state.reader == nil, "TouchReader.news has one consumer")
                if let news = state.backlog.takeFirst() { return news }
                if state.isClosed { return .some(nil) }
                state.reader = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
