import Dispatch
import KMS
import PlayerCore
import Synchronization

@testable import Vitrine

/// An engine with scripted media: it performs commands at once, unless it is held.
final class ScriptedMedia: PlaybackEngine {
    let loop = DispatchQueue(label: "script")
    private let news: AsyncStream<FilmNews>
    private let continuation: AsyncStream<FilmNews>.Continuation

    private struct State {
        var commands: [FilmCommand] = []
        var addresses: [String] = []
        var loadID: LoadID?
        var rate = PlaybackRate.paused
        var actualRate = PlaybackRate.paused
        var held: [FilmNews]?
        var broken: Set<String> = []
        var tracks: [MediaOption] = []
        var preferences: [MediaCharacteristic: TrackPreference] = [.audible: .any, .legible: .none]
        var choices: [MediaCharacteristic: TrackChoice] = [:]
        var areas: [PlayerLayer.Rectangle?] = []
        var isShutDown = false
        var isGone = false
    }

    private let state = Mutex(State())

    init(broken: Set<String> = [], tracks: [MediaOption] = []) {
        (news, continuation) = AsyncStream.makeStream(of: FilmNews.self)
        state.withLock { ($0.broken, $0.tracks) = (broken, tracks) }
    }

    var commands: [FilmCommand] { state.withLock { $0.commands } }
    /// The areas that it was asked to show in; `nil` for none.
    var areas: [PlayerLayer.Rectangle?] { state.withLock { $0.areas } }
    var addresses: [String] { state.withLock { $0.addresses } }
    var rate: PlaybackRate { state.withLock { $0.rate } }
    /// Whether it was shut down.
    var isShutDown: Bool { state.withLock { $0.isShutDown } }
    var isGone: Bool { state.withLock { $0.isGone } }
    /// While it is locked, the shutdown does not finish.
    let end = Gate()

    func attach(_ hear: @escaping @Sendable (FilmNews) -> Void) {
        Task { [news] in for await item in news { hear(item) } }
    }

    func send(_ command: FilmCommand, _ film: FilmRequest?) {
        let address = film?.address
        state.withLock { state in
            state.commands.append(command)
            switch command {
            case .open(let loadID, _, let seek):
                state.addresses.append(address ?? "")
                state.loadID = loadID
                state.actualRate = .paused
                state.choices = [:]
                if state.broken.contains(address ?? "") {
                    state.loadID = nil
                    let code = GStreamerCode(domain: .stream, number: 7)
                    let failure = MediaFailure(reason: .broken, message: "it is broken", code: code)
                    return report([.failed(loadID, failure)], &state)
                }
                let mediaInfo = MediaInfo(
                    duration: .seconds(60), isSeekable: true, hasAudio: true, width: 640, height: 360, title: address)
                report([.opened(loadID, mediaInfo)], &state)
                reportGroups(&state)
                if let seek { report([.sought(loadID, seek: seek.number, at: seek.target.time)], &state) }
                run(&state)
            case .close, .closeFailed:
                state.loadID = nil
                state.actualRate = .paused
            case .setRate(let rate):
                state.rate = rate
                run(&state)
            case .seek(let loadID, let seek), .restart(let loadID, let seek):
                report([.sought(loadID, seek: seek.number, at: seek.target.time)], &state)
            case .step(let loadID, let number, let count):
                // It stands at its start.
                let time = count > 0 ? MediaTime.milliseconds(40) * Int64(count) : nil
                report([.sought(loadID, seek: number, at: time)], &state)
            case .select(_, let kind, let choice):
                state.choices[kind] = choice
                reportGroups(&state)
            case .setPreference(let kind, let preference):
                state.preferences[kind] = preference
                reportGroups(&state)
            default: break
            }
        }
    }

    private func run(_ state: inout State) {
        guard let loadID = state.loadID, state.actualRate != state.rate else { return }
        state.actualRate = state.rate
        report([.running(loadID, state.rate)], &state)
    }

    private func report(_ news: [FilmNews], _ state: inout State) {
        guard state.held == nil else {
            state.held? += news
            return
        }
        for item in news { continuation.yield(item) }
    }

    private func reportGroups(_ state: inout State) {
        guard let loadID = state.loadID else { return }
        for kind in MediaCharacteristic.allCases {
            let options = state.tracks.filter { $0.kind == kind }
            let number =
                switch state.choices[kind] ?? .automatic {
                case .automatic: state.preferences[kind]?.choose(among: options)
                case .off: nil as Int?
                case .track(let place): place + 1
                }
            let selected = options.first { $0.number == number }
            report([.selection(loadID, MediaSelectionGroup(kind, options: options, selectedOption: selected))], &state)
        }
    }

    /// Reports an event in the film.
    func happen(_ news: (LoadID) -> FilmNews) {
        state.withLock { state in
            if let loadID = state.loadID { report([news(loadID)], &state) }
        }
    }

    /// As `happen`, at once, but the results are held.
    func happenWhileHeld(_ news: (LoadID) -> FilmNews) {
        state.withLock { state in
            if let loadID = state.loadID { continuation.yield(news(loadID)) }
        }
    }

    /// Holds all reports from now on.
    func hold() { state.withLock { $0.held = [] } }

    func goOn() {
        state.withLock { state in
            let held = state.held ?? []
            state.held = nil
            report(held, &state)
        }
    }

    func show(on display: Display?, in area: OSDLayout.Rectangle?) {
        state.withLock { $0.areas.append(area) }
    }

    func show(_ words: ScreenRequest) {}

    func diagnostics() async -> PlayerDiagnostics { PlayerDiagnostics() }

    func screen() async -> PlayerScreen { PlayerScreen() }

    func position() async -> MediaTime? { nil }

    func isAlive() async -> Bool { true }

    func move(reopen: (@Sendable () throws(KMSError) -> Display)?) async -> Bool { false }

    func screenshot(to path: String) async throws(PlayerError) {}

    func setPower(_ on: Bool) async throws(PlayerError) {}

    func shutDown() async {
        state.withLock { $0.isShutDown = true }
        await end.pass()
        state.withLock { $0.isGone = true }
        continuation.finish()
    }
}

/// A gate that blocks while it is locked.
final class Gate: Sendable {
    private let state = Mutex<(isLocked: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    var isLocked: Bool { state.withLock { $0.isLocked } }

    func lock() { state.withLock { $0.isLocked = true } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                if state.isLocked { state.waiting.append(continuation) }
                return !state.isLocked
            }
            if passes { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state = (false, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
