internal import CGStreamer
internal import Dispatch
internal import Glibc
internal import PlayerCore
internal import Synchronization

/// Opens the first of several ALSA PCMs that opens. It works beside the film, whose frames do not wait: loading ALSA takes a
/// small board as long as loading a decoder.
///
/// `@unchecked Sendable` because `opened` and `failures` are set before `openGroup` is left, and read after that. Only the
/// film uses `hasBegun`.
final class SoundCard: @unchecked Sendable {
    /// ALSA's names, the best first.
    let devices: [String]
    private let openGroup = DispatchGroup()
    private var opened: Result<Opened, Silence>?
    /// Failures of the PCMs that were tried before the one that opened.
    private var failures: [(device: String, failure: SoundRouter.Failure)] = []
    private var hasBegun = false
    /// Called once when the card's server ends.
    private let serverEnd = Mutex<(@Sendable () -> Void)?>(nil)

    struct Opened: Sendable {
        var sink: Element
        var device: String
        /// `nil` if the card is no sound server's.
        var server: ServerConnection?
    }

    /// Why there is no sound.
    struct Silence: Error {
        var reason: String

        static let noCard = Silence(reason: "no sound: there is no sound card that this computer could use")
        static let hangs = Silence(
            reason: "no sound: the sound card does not answer (vitrine sounds lists them all)")
        static let noneOpens = Silence(
            reason: "no sound: the sound card is missing, or busy with another program (vitrine sounds lists them)")
    }

    /// The name of every sink element that plays to a card.
    static let elementName = "sound"
    /// The time limit for one PCM, in ns: a driver may hang, and a sound server may not answer.
    static let patience: UInt64 = 3_000_000_000

    init(_ devices: [String] = ["default"]) { self.devices = devices }

    /// Begins to open the PCMs, once. Calls must not overlap.
    func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        DispatchQueue.forBlocking("vitrine.sound-card").async(group: openGroup) { self.open() }
    }

    private func open() {
        // A kiosk without loudspeakers does not need ALSA, whose loading takes 0.3 s of the virtual board's start.
        guard !devices.isEmpty, Self.mayExist() else { return opened = .failure(.noCard) }
        for device in devices {
            switch Attempt(device).result(within: .nanoseconds(Int(Self.patience))) {
            case .opened(let card):
                card.server?.whenLost { [weak self] in self?.reportServerEnd() }
                return opened = .success(card)
            case .failed(let failure): failures.append((device, failure))
            case .noElement(let silence): return opened = .failure(silence)
            }
        }
        opened = .failure(failures.last?.failure == .hangs ? .hangs : .noneOpens)
    }

    /// Whether ALSA may have a PCM that plays: one of a card, or a configured one, such as a sound server's.
    static func mayExist(
        below root: String = "", home: String? = getenv("HOME").map { String(cString: $0) },
        isConfigured: Bool = getenv("ALSA_CONFIG_PATH") != nil
    ) -> Bool {
        let system = ["/dev/snd/pcmC*p", "/etc/asound.conf", "/etc/alsa/conf.d/*"].map { root + $0 }
        let own = home.map { ["\($0)/.asoundrc", "\($0)/.config/alsa/asoundrc"] } ?? []
        return isConfigured
            || (system + own).contains { pattern in
                var found = glob_t()
                defer { globfree(&found) }
                return glob(pattern, 0, nil, &found) == 0
            }
    }

    /// Whether the PCMs are still being opened.
    var isOpening: Bool { openGroup.wait(timeout: .now()) == .timedOut }

    /// The sink of the PCM that opened; `nil` if none did, or before `begin`. Waits until no PCM is being opened. Any
    /// thread that may wait.
    var sink: Element? {
        openGroup.wait()
        return try? opened?.get().sink
    }

    private var server: ServerConnection? {
        openGroup.wait()
        return try? opened?.get().server
    }

    /// Whether the card is a sound server's that has ended. Its sink never ends by itself. As `sink`.
    var hasLostServer: Bool { server?.isLost ?? false }

    /// Sets the handler of the end of the sound server that the card plays into, in place of the one before. It is called once, on
    /// any thread; at once if the server has ended. As `sink`.
    func whenServerEnds(_ report: @escaping @Sendable () -> Void) {
        guard let server else { return }
        serverEnd.withLock { $0 = report }
        if server.isLost { reportServerEnd() }
    }

    private func reportServerEnd() {
        let report = serverEnd.withLock { report in
            defer { report = nil }
            return report
        }
        report?()
    }

    /// The result of opening the PCMs.
    struct Outcome: Sendable {
        /// ALSA's name of the PCM that opened.
        var device: String?
        var failures: [(device: String, failure: SoundRouter.Failure)]
        /// Why there is no sound; `nil` if there is.
        var silence: String?
    }

    /// Reports the outcome on `queue`. Call it after `begin`.
    func whenOpened(on queue: DispatchQueue, _ report: @escaping @Sendable (Outcome) -> Void) {
        openGroup.notify(queue: queue) {
            var outcome = Outcome(failures: self.failures)
            switch self.opened {
            case .success(let opened)?: outcome.device = opened.device
            case .failure(let silence)?: outcome.silence = silence.reason
            case nil: return
            }
            report(outcome)
        }
    }

    /// Closes the card for other users. A pipeline that contains the sink must be in NULL. Waits until no PCM is being opened. Any
    /// thread that may wait; does nothing the second time.
    func release() {
        sink?.set(GST_STATE_NULL)
    }

    /// Closes the card as `release` does, without waiting.
    func releaseLater() {
        openGroup.notify(queue: .forBlocking("vitrine.sound-card.end")) { self.release() }
    }

    deinit {
        // The job that opens the PCMs holds a reference, so it is over. A card of a server that has ended may take long to
        // close.
        guard case .success(let opened)? = opened else { return }
        DispatchQueue.forBlocking("vitrine.sound-card.end").async { opened.sink.set(GST_STATE_NULL) }
    }
}

/// One attempt to open a PCM, on its own thread because it may hang for ever.
private final class Attempt: Sendable {
    enum Outcome {
        case opened(SoundCard.Opened)
        case failed(SoundRouter.Failure)
        /// GStreamer has no such element.
        case noElement(SoundCard.Silence)
    }

    private enum State {
        case opening
        case done(Outcome)
        /// The time limit is over.
        case abandoned
    }

    private let state = Mutex(State.opening)
    private let group = DispatchGroup()

    init(_ device: String) {
        DispatchQueue.forBlocking("vitrine.sound-card.attempt").async(group: group) { [self] in
            let outcome = Self.open(device)
            let isAbandoned = state.withLock { state in
                if case .abandoned = state { return true }
                state = .done(outcome)
                return false
            }
            if isAbandoned, case .opened(let card) = outcome { card.sink.set(GST_STATE_NULL) }
        }
    }

    /// Waits for the outcome. A PCM that opens later is closed again.
    func result(within limit: DispatchTimeInterval) -> Outcome {
        _ = group.wait(timeout: .now() + limit)
        return state.withLock { state in
            if case .done(let outcome) = state { return outcome }
            state = .abandoned
            return .failed(.hangs)
        }
    }

    private static func open(_ device: String) -> Outcome {
        let sink: Element
        do throws(MediaFailure) {
            sink = try Element("alsasink", name: SoundCard.elementName)
        } catch {
            return .noElement(.init(reason: "no sound: \(error.message)"))
        }
        sink.set("device", to: device)
        let isServers = ALSA.playsIntoServer(device)
        // Before the card is opened, so that no end is missed.
        var server = isServers ? ServerConnection() : nil
        // READY opens the card: a missing or busy card fails before the film depends on it.
        guard sink.set(GST_STATE_READY) != GST_STATE_CHANGE_FAILURE else {
            sink.set(GST_STATE_NULL)
            return .failed(isServers && server?.isLost != false ? .noServer : .busy)
        }
        // An open card reports its formats, and may have none.
        guard !sink.refusesAllSound else {
            sink.set(GST_STATE_NULL)
            return .failed(server?.isLost == true ? .noServer : .refuses)
        }
        // A server that has just started may have accepted the card only.
        if isServers, server == nil { server = ServerConnection() }
        server?.whenLost { sink.serverHasEnded() }
        return .opened(SoundCard.Opened(sink: sink, device: device, server: server))
    }
}

extension DispatchQueue {
    /// Creates a queue for one job that waits. It gets a thread at once. The global queues have one thread per processor: on a
    /// machine with one, a waiting job blocks the next until Dispatch adds a thread, a second later.
    static func forBlocking(_ label: String) -> DispatchQueue { DispatchQueue(label: label, qos: .userInitiated) }
}
