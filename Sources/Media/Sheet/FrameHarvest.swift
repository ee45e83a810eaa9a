internal import CGStreamer
internal import Glibc
public import PlayerCore
internal import Synchronization

/// Makes pictures of a playing film's frames for its scrub sheet, on an idle-priority thread of its own.
///
/// The film's streaming thread passes a reference to one frame at a time, and never waits. Any thread.
public final class FrameHarvest: Sendable {
    /// Stores the pictures. All methods are called on the harvest's thread, which may wait.
    public protocol Keeper: AnyObject, Sendable {
        /// Opens the sheet, with the first frame.
        func open(_ size: SheetSize) -> OpenResult
        /// Stores a picture.
        /// - Returns: whether it was stored; `nil` ends the harvest.
        func keep(_ frame: FilmFrames.Frame) -> Bool?
        /// All pictures are stored.
        /// - Returns: whether the harvest is over; false if some pictures turned out damaged, and are missing again.
        func complete() -> Bool
    }

    /// The answer to a request for a harvest.
    public enum OpenResult: Sendable {
        case harvest(SheetCoverage)
        /// Another process makes the sheet, and may not finish it.
        case later
        /// There is nothing to harvest, or nowhere to store it.
        case never
    }

    private enum State {
        case unopened, opening
        /// It is opened again, no sooner than then.
        case waiting(until: MonotonicTime)
        case harvesting(SheetHarvest)
        case over
    }

    private struct Job {
        var sample: Sample
        var time: MediaTime
        var upright: DisplayTransform
    }

    private enum Use {
        case open(isFirst: Bool)
        case decided(SheetHarvest.Decision)
    }

    private enum Work {
        case open(Job), picture(Job), complete, end
    }

    private let keeper: any Keeper
    private let limit: SheetSize
    private let pause: Duration
    private let state = Mutex(State.unopened)
    private let mail = Mutex<Work?>(nil)
    private let hasMail = Semaphore()
    /// The frame that is taken, until it is the last one of its time.
    private let held = Mutex(LastOfTime<Sample>())

    /// - Parameters:
    ///   - limit: the size of a landscape film's pictures.
    ///   - pause: the time before a sheet is opened again.
    public init(keeper: any Keeper, limit: SheetSize, pause: Duration = .seconds(10)) {
        (self.keeper, self.limit, self.pause) = (keeper, limit, pause)
    }

    /// Ends the harvest after the picture that is being made.
    public func end() {
        let isWaiting = state.withLock { state in
            defer { state = .over }
            if case .unopened = state { return false }
            return true
        }
        // The decoder gets its buffer back.
        _ = held.withLock { $0.release() }
        if isWaiting { post(.end) }
    }

    /// Watches a pad behind the film's decoder, for the lifetime of the pad.
    func attach(to pad: Pad, upright: @escaping @Sendable () -> DisplayTransform) {
        pad.probe(
            [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH]
        ) { [weak self] pad, info in
            if let self { take(info, at: pad, upright) }
            return GST_PAD_PROBE_OK
        }
    }

    /// On the streaming thread; flushes arrive on others.
    private func take(_ info: ProbeInfo, at pad: Pad, _ upright: () -> DisplayTransform) {
        if let type = info.event?.type {
            if type == GST_EVENT_FLUSH_STOP { interrupt() }
            if let frame = held.withLock({ $0.release(before: type) }) { post(frame, upright()) }
        }
        guard let buffer = info.buffer else { return }
        // Frames in device memory cannot be read here. Those of the film's next decoder may be.
        guard let caps = pad.currentCaps, caps.isSystemMemory else { return interrupt() }
        guard let segment = pad.kept(GST_EVENT_SEGMENT)?.segment,
            let time = buffer.streamTime(in: segment).flatMap({ Int64(exactly: $0) }).flatMap({ mediaTime($0) })
        else { return }
        if let frame = held.withLock({ $0.release(before: time) }) { post(frame, upright()) }
        let isTaken = held.withLock { $0.held != nil }
        let now = Self.now
        let use: Use = state.withLock { state in
            switch state {
            case .unopened:
                state = .opening
                return .open(isFirst: true)
            case .waiting(let due) where now >= due:
                state = .opening
                return .open(isFirst: false)
            case .harvesting(var harvest):
                if isTaken { return .decided(.take) }
                defer { state = .harvesting(harvest) }
                return .decided(harvest.offer(time, at: now))
            case .waiting, .opening, .over: return .decided(.pass)
            }
        }
        switch use {
        case .decided(.pass): break
        case .decided(.complete): post(.complete)
        case .decided(.take): held.withLock { $0.hold(Sample(buffer, caps), at: time) }
        case .open(let isFirst):
            if isFirst { startThread() }
            post(.open(Job(sample: Sample(buffer, caps), time: time, upright: upright())))
        }
    }

    /// Notes that the next frame does not follow the one before; a flush does so on another thread.
    private func interrupt() {
        let dropped = held.withLock { $0.release() }
        state.withLock { state in
            guard case .harvesting(var harvest) = state else { return }
            if let dropped { harvest.finish(dropped.time, cost: .zero, isFilled: false, at: Self.now) }
            harvest.interrupt()
            state = .harvesting(harvest)
        }
    }

    private func post(_ held: LastOfTime<Sample>.Held, _ upright: DisplayTransform) {
        state.withLock { state in
            // The end is not to be replaced by a picture.
            guard case .harvesting = state else { return }
            post(.picture(Job(sample: held.frame, time: held.time, upright: upright)))
        }
    }

    private static var now: MonotonicTime { MonotonicTime(nanoseconds: Int64(g_get_monotonic_time()) * 1000) }

    private func post(_ work: Work) {
        mail.withLock { $0 = work }
        hasMail.signal()
    }

    // MARK: The harvest's thread

    private func startThread() {
        var (thread, attributes) = (pthread_t(), pthread_attr_t())
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // The thread holds this object until `end`.
        let context = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(
            &thread, &attributes,
            { context in
                Unmanaged<FrameHarvest>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context)
        if status != 0 {
            Unmanaged<FrameHarvest>.fromOpaque(context).release()
            state.withLock { $0 = .over }
        }
        pthread_attr_destroy(&attributes)
    }

    private func run() {
        var (shrinker, caps, picture): (FrameShrinker?, String?, [UInt8]) = (nil, nil, [])
        var size: SheetSize?
        while true {
            hasMail.wait()
            // `end` may have been called while a frame was posted.
            if state.withLock({ if case .over = $0 { true } else { false } }) { return }
            guard
                let work = mail.withLock({ mail in
                    defer { mail = nil }
                    return mail
                })
            else { continue }
            switch work {
            case .end: return
            case .complete:
                guard goOn(with: keeper.complete() ? .over : .waiting(until: Self.now + pause)) else { return }
            case .open(let job):
                guard let info = job.sample.caps?.videoInfo else { return state.withLock { $0 = .over } }
                let own = FrameShrinker.size(info, job.upright, limit)
                // Before the thread's class changes, because GLib's thread pools inherit the settings of the thread
                // that creates the first one.
                shrinker = FrameShrinker(info, upright: job.upright, size: own)
                (size, caps) = (own, job.sample.caps?.text)
                Self.enterIdleClass()
                let next: State =
                    switch shrinker == nil ? .never : keeper.open(own) {
                    case .harvest(let coverage): .harvesting(SheetHarvest(coverage))
                    case .later: .waiting(until: Self.now + pause)
                    case .never: .over
                    }
                guard goOn(with: next) else { return }
                picture = [UInt8](repeating: 0, count: own.width * own.height * 3 / 2)
            case .picture(let job):
                let began = Self.processorTime
                if job.sample.caps?.text != caps, let size {
                    shrinker = job.sample.caps?.videoInfo.flatMap {
                        FrameShrinker($0, upright: job.upright, size: size)
                    }
                    caps = job.sample.caps?.text
                }
                let isKept = shrinker.map { keep(job, $0, &picture) } ?? .some(false)
                guard let isKept else { return state.withLock { $0 = .over } }
                let cost = Self.processorTime - began
                state.withLock { state in
                    guard case .harvesting(var harvest) = state else { return }
                    harvest.finish(job.time, cost: cost, isFilled: isKept, at: Self.now)
                    state = .harvesting(harvest)
                }
            }
        }
    }

    /// - Returns: false if the harvest is over.
    private func goOn(with next: State) -> Bool {
        state.withLock { state in
            if case .over = state { return false }
            state = next
            if case .over = next { return false }
            return true
        }
    }

    private func keep(_ job: Job, _ shrinker: FrameShrinker, _ picture: inout [UInt8]) -> Bool? {
        guard let buffer = job.sample.buffer else { return false }
        return picture.withUnsafeMutableBufferPointer { planes in
            guard shrinker.shrink(buffer, into: planes) else { return false }
            return keeper.keep(
                FilmFrames.Frame(time: job.time, color: shrinker.color, size: shrinker.size, planes: planes))
        }
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func enterIdleClass() {
        var parameters = sched_param()
        // SCHED_IDLE, whose macro does not import; for this thread only.
        sched_setscheduler(0, 5, &parameters)
    }
}

/// Wakes one thread.
private final class Semaphore: Sendable {
    private nonisolated(unsafe) let raw: UnsafeMutablePointer<sem_t>

    init() {
        raw = .allocate(capacity: 1)
        sem_init(raw, 0, 0)
    }

    deinit {
        sem_destroy(raw)
        raw.deallocate()
    }

    func signal() { sem_post(raw) }

    func wait() { while sem_wait(raw) != 0 {} }
}
