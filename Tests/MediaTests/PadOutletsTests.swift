import Foundation
import Testing

@testable import Media

/// Which pads of a decoder take the place of those that went.
struct PadOutletsTests {
    init() throws { try GStreamer.start() }

    @Test func `a pad takes the place of one of its kind that went, once`() throws {
        let (old, new, late, entry) = try (Pad(.source), Pad(.source), Pad(.source), Pad(.sink))
        var outlets = PadOutlets()
        #expect(old.link(to: entry))
        outlets.note(old.pointer(), "audio")
        let beforeItWent = outlets.reuse(new.pointer(), "audio")
        old.unlink(from: entry)
        outlets.release(old.pointer())
        let ofAnotherKind = outlets.reuse(new.pointer(), "video")
        let first = outlets.reuse(new.pointer(), "audio")
        let second = outlets.reuse(late.pointer(), "audio")
        #expect([beforeItWent, ofAnotherKind, first, second] == [false, false, true, false])
        #expect(new.isLinked && !late.isLinked)
    }

    @Test func `a pad that its place does not take has none`() throws {
        let (old, new, next, entry) = try (Pad(.source), Pad(.source), Pad(.source), Pad(.sink))
        var outlets = PadOutlets()
        #expect(old.link(to: entry))
        outlets.note(old.pointer(), "audio")
        // Still linked: nothing else can be linked there.
        outlets.release(old.pointer())
        let isTaken = outlets.reuse(new.pointer(), "audio")
        #expect(!isTaken && !new.isLinked)
        // What it gets of its own is the next one's.
        let own = try Pad(.sink)
        #expect(new.link(to: own))
        outlets.note(new.pointer(), "audio")
        new.unlink(from: own)
        outlets.release(new.pointer())
        let isNextTaken = outlets.reuse(next.pointer(), "audio")
        #expect(isNextTaken && next.isLinked)
    }
}

/// One of GStreamer's pads. No test imports a C library (`tools/check rooms`), so that functions are looked up by name.
private final class Pad {
    /// `GST_PAD_SRC`, `GST_PAD_SINK`
    enum Direction: Int32 {
        case source = 1
        case sink = 2
    }

    private typealias Make = @convention(c) (UnsafePointer<CChar>?, Int32) -> UnsafeMutableRawPointer?
    private typealias Link = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int32
    private typealias Ask = @convention(c) (UnsafeMutableRawPointer) -> Int32
    private typealias Unref = @convention(c) (UnsafeMutableRawPointer) -> Void

    private let pad: UnsafeMutableRawPointer

    init(_ direction: Direction) throws {
        pad = try #require(Self.function("gst_pad_new", as: Make.self)(nil, direction.rawValue))
    }

    deinit { Self.function("gst_object_unref", as: Unref.self)(pad) }

    /// As the type that a function of `Media` takes.
    func pointer<Object>() -> UnsafeMutablePointer<Object> { pad.assumingMemoryBound(to: Object.self) }

    var isLinked: Bool { Self.function("gst_pad_is_linked", as: Ask.self)(pad) != 0 }

    func link(to sink: Pad) -> Bool { Self.function("gst_pad_link", as: Link.self)(pad, sink.pad) == 0 }

    func unlink(from sink: Pad) { _ = Self.function("gst_pad_unlink", as: Link.self)(pad, sink.pad) }

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
        unsafeBitCast(dlsym(dlopen(nil, RTLD_LAZY), name)!, to: type)
    }
}
