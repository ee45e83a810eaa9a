import PlayerCore
import Testing

/// The order in which items are played, as a playlist and as a library's queue.
@Suite("A queue")
struct PlaybackQueueTests {
    private let items = (1...5).map { ItemID(number: $0) }

    private func queue(_ count: Int, keepsPlayed: Bool = true) -> PlaybackQueue {
        var queue = PlaybackQueue(keepsPlayed: keepsPlayed, actionAtQueueEnd: .rewind)
        for item in items.prefix(count) { queue.append(item) }
        if let first = queue.items.first { queue.play(first) }
        return queue
    }

    private func numbers(_ queue: PlaybackQueue) -> [UInt64] { queue.items.map(\.number) }

    // MARK: The next item

    /// The numbers of the items in playback order; `nil` at the end.
    private func course(_ queue: PlaybackQueue, most: Int = 8) -> [UInt64?] {
        var (queue, course) = (queue, [queue.current?.number])
        while course.count < most, let current = queue.current {
            let foreseen = queue.following
            let next = queue.goOn()
            #expect(next == foreseen)
            switch next {
            case .again: break
            case .item(let item):
                #expect(item != current)
                if queue.keepsPlayed { queue.play(item) } else { queue.advance() }
                #expect(queue.current == item)
            case .nothing: queue.stop()
            }
            course.append(queue.current?.number)
        }
        return course
    }

    private func repeated(
        _ count: Int, item: Repetition = .none, all: Repetition = .none, keepsPlayed: Bool = true
    ) -> PlaybackQueue {
        var queue = queue(count, keepsPlayed: keepsPlayed)
        (queue.itemRepetition, queue.repetition) = (item, all)
        return queue
    }

    @Test func `all items are played once, or as often as is requested`() {
        #expect(course(repeated(3)) == [1, 2, 3, nil])
        #expect(course(repeated(3, all: .times(1))) == [1, 2, 3, 1, 2, 3, nil])
        #expect(course(repeated(2, all: .forever)) == [1, 2, 1, 2, 1, 2, 1, 2])
        #expect(course(repeated(2, all: .forever, keepsPlayed: false)) == [1, 2, 1, 2, 1, 2, 1, 2])
    }

    @Test func `an item that repeats itself comes before the others`() {
        #expect(course(repeated(2, item: .times(2))) == [1, 1, 1, 2, nil])
        #expect(course(repeated(2, item: .forever, all: .forever), most: 4) == [1, 1, 1, 1])
    }

    @Test func `one item follows itself`() {
        #expect(course(repeated(1, all: .times(1))) == [1, 1, nil])
        #expect(course(repeated(1)) == [1, nil])
        #expect(repeated(1, all: .forever).isLooping && repeated(2, item: .forever).isLooping)
        #expect(!repeated(2, all: .forever).isLooping && !repeated(1, item: .times(9)).isLooping)
    }

    @Test func `what will follow takes nothing`() {
        let once = repeated(1, item: .times(1), all: .times(1))
        for _ in 0..<3 { #expect(once.following == .again) }
    }

    @Test func `where items do not follow one another, only a repetition leads on`() {
        var queue = queue(2, keepsPlayed: false)
        queue.actionAtItemEnd = .rewind
        #expect(queue.following == .nothing)
        queue.repetition = .forever
        #expect(queue.following == .item(items[1]))
    }

    // MARK: The current item

    @Test func `what was played stays in a playlist, and leaves a library's queue`() {
        var (list, library) = (queue(3), queue(3, keepsPlayed: false))
        list.play(items[1])
        library.advance()
        #expect(numbers(list) == [1, 2, 3] && numbers(library) == [2, 3])
        #expect(list.current == items[1] && library.current == items[1])
        library.play(items[4])
        #expect(numbers(library) == [5, 3] && library.current == items[4])
        library.remove(items[4])
        #expect(library.current == items[2], "the next one")
        library.removeAll()
        #expect(library.current == nil && library.following == .nothing)
    }

    @Test func `a library's queue that repeats itself keeps what was played at its end`() {
        var library = repeated(3, all: .forever, keepsPlayed: false)
        library.advance()
        #expect(numbers(library) == [2, 3, 1])
    }

    // MARK: Changes

    @Test func `entries are inserted, moved as mpv moves them, and removed; what plays stays the current one`() {
        var queue = queue(3)
        queue.play(items[1])
        queue.insert(items[3], at: 1)
        #expect(numbers(queue) == [1, 4, 2, 3])
        queue.move(0, before: 2)
        #expect(numbers(queue) == [4, 1, 2, 3])
        queue.move(3, before: 0)
        #expect(numbers(queue) == [3, 4, 1, 2])
        queue.move(0, before: 4)
        #expect(numbers(queue) == [4, 1, 2, 3])
        queue.move(1, before: -1)
        #expect(numbers(queue) == [4, 2, 3, 1])
        queue.move(1, before: 1)
        queue.remove(items[3])
        #expect(numbers(queue) == [2, 3, 1] && queue.current == items[1])
        queue.removeAll(but: queue.current)
        #expect(numbers(queue) == [2] && queue.current == items[1])
        queue.remove(items[1])
        #expect(queue.current == nil)
    }

    @Test func `shuffled entries come back into their order, once; those that came meanwhile are last`() {
        struct Reversing: RandomNumberGenerator {
            mutating func next() -> UInt64 { .max }
        }
        var queue = queue(3)
        var generator = Reversing()
        queue.shuffle(using: &generator)
        #expect(numbers(queue) != [1, 2, 3] && queue.items.count == 3 && queue.current == items[0])
        queue.insert(items[3], at: 0)
        queue.append(items[4])
        queue.remove(items[1])
        queue.unshuffle()
        #expect(numbers(queue) == [1, 3, 4, 5])
        queue.move(0, before: 2)
        queue.unshuffle()
        #expect(numbers(queue) == [3, 1, 4, 5])
    }

    // MARK: Failures

    /// Times in seconds.
    private struct Failing {
        var failures = PlaybackQueue.Failures()

        /// An item that opens, or does not, and fails after `after` seconds.
        mutating func fail(at time: Int64, openFor after: Int64? = nil) {
            if let after { failures.opened(at: .milliseconds((time - after) * 1000)) }
            failures.failed(at: .milliseconds(time * 1000))
        }
    }

    @Test func `as long as an item of the queue is left there is no wait`() {
        var failing = Failing()
        failing.fail(at: 0)
        failing.fail(at: 1)
        #expect(failing.failures.pause(of: 3) == .zero)
        failing.fail(at: 2)
        #expect(failing.failures.pause(of: 3) == .seconds(1))
    }

    @Test func `items that open and fail again and again are waited for longer and longer`() {
        var (failing, pauses) = (Failing(), [Duration]())
        for round in 1...9 {
            for film in 0..<2 { failing.fail(at: Int64(round * 100 + film * 5), openFor: 2) }
            pauses.append(failing.failures.pause(of: 2))
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(failing.failures.hasOpened)
    }

    @Test func `an item that was on for a while, or came to its end, begins the count anew`() {
        var failing = Failing()
        failing.fail(at: 1)
        failing.fail(at: 2)
        failing.fail(at: 30, openFor: 10)
        #expect(failing.failures.count == 1)
        failing.fail(at: 31)
        #expect(failing.failures.pause(of: 2) == .seconds(1))
        failing.failures.ended()
        #expect(failing.failures.pause(of: 2) == .zero)
    }

    @Test func `what could never be opened is known`() {
        var failing = Failing()
        failing.fail(at: 1)
        #expect(!failing.failures.hasOpened)
        #expect(failing.failures.pause(of: 0) == .seconds(1))
    }

    @Test func `after a failure the next item follows, until all of a queue that repeats itself have failed`() {
        var queue = repeated(2, all: .forever, keepsPlayed: false)
        queue.failures.failed(at: .milliseconds(0))
        #expect(queue.followingFailure == items[1])
        queue.advance()
        queue.failures.failed(at: .milliseconds(1))
        #expect(queue.followingFailure == nil && queue.haveAllFailed)
    }
}
