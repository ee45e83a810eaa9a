import Foundation
import Testing

@testable import Media

/// The replacement of a decoder's removed pads.
struct PadOutletsTests {
    init() throws { try GStreamer.start() }

    @Test func `a pad takes the place of one of its kind that went, once`() throws {
        let (old, new, late, entry) = try (Pad.make(.source), Pad.make(.source), Pad.make(.source), Pad.make(.sink))
        var outlets = PadOutlets()
        #expect(old.link(to: entry))
        outlets.note(old, "audio")
        let beforeItWent = outlets.reuse(new, "audio")
        old.unlink(from: entry)
        outlets.release(old)
        let ofAnotherKind = outlets.reuse(new, "video")
        let first = outlets.reuse(new, "audio")
        let second = outlets.reuse(late, "audio")
        #expect([beforeItWent, ofAnotherKind, first, second] == [false, false, true, false])
        #expect(new.isLinked && !late.isLinked)
    }

    @Test func `a pad that its place does not take has none`() throws {
        let (old, new, next, entry) = try (Pad.make(.source), Pad.make(.source), Pad.make(.source), Pad.make(.sink))
        var outlets = PadOutlets()
        #expect(old.link(to: entry))
        outlets.note(old, "audio")
        // Still linked: no other pad can be linked there.
        outlets.release(old)
        let isTaken = outlets.reuse(new, "audio")
        #expect(!isTaken && !new.isLinked)
        // A link of its own is left to the next one.
        let own = try Pad.make(.sink)
        #expect(new.link(to: own))
        outlets.note(new, "audio")
        new.unlink(from: own)
        outlets.release(new)
        let isNextTaken = outlets.reuse(next, "audio")
        #expect(isNextTaken && next.isLinked)
    }
}

/// `GST_PAD_SRC`, `GST_PAD_SINK`
private enum Direction: Int32 {
    case source = 1
    case sink = 2
}

extension Pad {
    /// A pad without an element. No test imports a C library (`tools/check rooms`), so the function is looked up by
    /// name.
    fileprivate static func make(_ direction: Direction) throws -> Pad {
        typealias Make = @convention(c) (UnsafePointer<CChar>?, Int32) -> UnsafeMutableRawPointer?
        let function = try #require(dlsym(dlopen(nil, RTLD_LAZY), "gst_pad_new"))
        return Pad(sinking: try #require(unsafeBitCast(function, to: Make.self)(nil, direction.rawValue)))
    }

    fileprivate var isLinked: Bool { peer != nil }
}
