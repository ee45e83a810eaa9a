import Foundation
import PlayerCore
import Testing

@testable import Media

/// The frames of a playing film that become pictures of its scrub sheet, from GStreamer's test source.
struct FrameHarvestTests {
    private typealias Kept = AsyncStream<MediaTime>

    /// Reports the time of each picture.
    ///
    /// `@unchecked Sendable` because only the harvest's thread uses it.
    private final class Keeper: FrameHarvest.Keeper, @unchecked Sendable {
        private let plan: SheetPlan
        private let kept: Kept.Continuation
        /// How often the sheet belongs to another process.
        private var refusals: Int

        init(_ plan: SheetPlan, refusals: Int, _ kept: Kept.Continuation) {
            (self.plan, self.refusals, self.kept) = (plan, refusals, kept)
        }

        func open(_ size: SheetSize) -> FrameHarvest.OpenResult {
            refusals -= 1
            return refusals >= 0 ? .later : .harvest(SheetCoverage(plan))
        }

        func keep(_ frame: FilmFrames.Frame) -> Bool? {
            kept.yield(frame.time)
            return true
        }

        func complete() -> Bool { true }
    }

    init() throws { try GStreamer.start() }

    /// Plays test frames, until one has become a picture.
    /// - Parameter caps: those of the frames before the first readable one, if there are some.
    private func harvests(after caps: String? = nil, refusals: Int = 0) async throws -> Bool {
        let source = "videotestsrc num-buffers=250 ! video/x-raw,format=I420,width=64,height=36,framerate=25/1"
        let before =
            caps.map { "fakesrc num-buffers=5 format=time datarate=86400 sizetype=fixed sizemax=3456 ! \($0) ! all." }
            ?? ""
        let pipeline = try Element(
            parsing: "concat name=all ! fakesink name=sink sync=true \(before) \(source) ! all.")
        let plan = try #require(SheetPlan(duration: .seconds(10), frame: .milliseconds(40), trackPixels: 1000))
        let (kept, continuation) = Kept.makeStream()
        let harvest = FrameHarvest(
            keeper: Keeper(plan, refusals: refusals, continuation), limit: SheetSize(width: 64, height: 36),
            pause: .zero)
        harvest.attach(to: try #require(pipeline.child("sink")?.pad("sink"))) { .identity }
        try pipeline.set(4)
        defer {
            harvest.end()
            try? pipeline.set(1)
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(15))
            continuation.finish()
        }
        defer { limit.cancel() }
        return await kept.first { _ in true } != nil
    }

    @Test func `frames become pictures`() async throws {
        let isKept = try await harvests()
        #expect(isKept)
    }

    @Test func `after frames in device memory, readable ones become pictures`() async throws {
        let isKept = try await harvests(
            after: "video/x-raw(memory:DMABuf),format=I420,width=64,height=36,framerate=25/1")
        #expect(isKept)
    }

    @Test func `a sheet that another process makes is opened again`() async throws {
        let isKept = try await harvests(refusals: 3)
        #expect(isKept)
    }
}

extension Element {
    /// Sets a state by its number: 1 is NULL, 4 PLAYING. No test imports a C library (`tools/check rooms`), so the function
    /// is looked up by name.
    fileprivate func set(_ state: Int32) throws {
        typealias Set = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
        let function = try #require(dlsym(dlopen(nil, RTLD_LAZY), "gst_element_set_state"))
        _ = unsafeBitCast(function, to: Set.self)(object, state)
    }
}
