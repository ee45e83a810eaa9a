import PlayerCore
import Testing

/// Films of a list that fail one after another (A13). Times in seconds.
@Suite struct FailedFilmsTests {
    private var failed = FailedFilms()

    /// A film that opens, or does not, and fails `after` seconds.
    private mutating func fail(at time: Int64, openFor after: Int64? = nil) {
        if let after { failed.opened(at: .milliseconds((time - after) * 1000)) }
        failed.failed(at: .milliseconds(time * 1000))
    }

    @Test mutating func `as long as a film of the list is left there is no wait`() {
        fail(at: 0)
        fail(at: 1)
        #expect(failed.pause(of: 3) == .zero)
        fail(at: 2)
        #expect(failed.pause(of: 3) == .seconds(1))
    }

    @Test mutating func `films that open and fail again and again are waited for longer and longer`() {
        var pauses: [Duration] = []
        for round in 1...9 {
            for film in 0..<2 { fail(at: Int64(round * 100 + film * 5), openFor: 2) }
            pauses.append(failed.pause(of: 2))
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(failed.hasOpened)
    }

    @Test mutating func `a film that was on for a while, or came to its end, begins the count anew`() {
        fail(at: 1)
        fail(at: 2)
        fail(at: 30, openFor: 10)
        #expect(failed.count == 1)
        fail(at: 31)
        #expect(failed.pause(of: 2) == .seconds(1))
        failed.ended()
        #expect(failed.pause(of: 2) == .zero)
    }

    @Test mutating func `what could never be opened is known`() {
        fail(at: 1)
        #expect(!failed.hasOpened)
        #expect(failed.pause(of: 0) == .seconds(1))
    }
}
