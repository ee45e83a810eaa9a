import PlayerCore
import Testing

/// A machine with its scripted engine, on a clock that the test sets.
struct PlaybackStage {
    var machine: PlaybackMachine
    var engine: ScriptedEngine
    var now = MonotonicTime(nanoseconds: 0)

    private(set) var answers: [SeekID: [Bool]] = [:]
    private(set) var calls: [TimeObservers.Call] = []
    private(set) var statuses: [TimeControlStatus] = [.paused]
    private(set) var itemStatuses: [ItemID: [PlaybackItem.Status]] = [:]
    private(set) var ends: [ItemID] = []
    private(set) var failures: [ItemID] = []
    /// The number of times that a playlist finished.
    private(set) var finishes = 0
    private(set) var currentItems: [ItemID?] = [nil]
    /// Whether the last opened item follows an end.
    private(set) var isNextItem = false
    private(set) var rates: [PlaybackRate] = [.paused]
    /// Commands that the engine must not get.
    private(set) var mistakes: [String] = []
    private var loadID: LoadID?
    /// All reports of the engine.
    private(set) var heard: [FilmNews] = []

    init(seed: UInt64 = 1, action: ActionAtItemEnd = .rewind) {
        machine = PlaybackMachine(actionAtItemEnd: action)
        engine = ScriptedEngine(seed: seed)
    }

    /// A playlist of items 1 to `count`, the first of which plays.
    init(playlist count: UInt64, _ action: ActionAtQueueEnd = .pause) {
        let list = PlaybackQueue(keepsPlayed: true, actionAtQueueEnd: action)
        machine = PlaybackMachine(playlist: list)
        engine = ScriptedEngine(seed: 1)
        command(.setRate(.normal))
        let items = makeItems(count)
        rearrange { list in
            for item in items { list.append(item) }
            list.play(items[0])
        }
        command(.start)
        settle()
    }

    mutating func rearrange(_ change: (inout PlaybackQueue) -> Void) {
        follow(machine.rearrange(at: now, change))
    }

    /// Adds items 1 to `count` to the player.
    mutating func makeItems(_ count: UInt64) -> [ItemID] {
        (1...count).map { number in
            let id = ItemID(number: number)
            machine.adopt(id, PlaybackItem())
            return id
        }
    }

    mutating func command(_ command: PlaybackMachine.Command) { handle(.command(command)) }

    /// Passes time until the item plays.
    mutating func play(_ item: ItemID) {
        command(.replaceCurrent(item))
        command(.setRate(1))
        settle()
    }

    /// Passes time until the item has ended.
    mutating func playToEnd(_ item: ItemID) {
        play(item)
        report(engine.end())
        settle()
    }

    mutating func report(_ news: [FilmNews]) {
        heard += news
        for item in news { handle(.news(item)) }
    }

    /// Passes time in steps, and wakes the machine at its deadlines.
    mutating func pass(_ time: Duration) {
        let end = now + time
        while now < end {
            var next = min(now + .milliseconds(10), end)
            if let deadline = machine.deadline, deadline > now, deadline < next { next = deadline }
            now = next
            report(engine.news(until: now))
            if let deadline = machine.deadline, deadline <= now { handle(.wake) }
        }
    }

    /// Passes time until nothing is pending.
    mutating func settle() {
        for _ in 0..<200 {
            pass(.milliseconds(20))
            if engine.isQuiet { return }
        }
        Issue.record("it does not come to rest")
    }

    private mutating func handle(_ input: PlaybackMachine.Input) {
        follow(machine.handle(input, at: now))
    }

    private mutating func follow(_ outputs: [PlaybackMachine.Output]) {
        for output in outputs {
            switch output {
            case .film(let command):
                check(command)
                engine.receive(command, at: now)
            case .sought(_, let id, let isThere): answers[id, default: []].append(isThere)
            case .observer(let call): calls.append(call)
            case .item(let id, .status(let status)): itemStatuses[id, default: []].append(status)
            case .item: break
            case .player(let change): note(change)
            }
        }
    }

    private mutating func note(_ change: PlaybackMachine.PlayerChange) {
        switch change {
        case .status(let status): statuses.append(status)
        case .rate(let rate): rates.append(rate)
        case .currentItem(let item): currentItems.append(item)
        case .opens(_, let isNextItem): self.isNextItem = isNextItem
        case .didPlayToEnd(let item): ends.append(item)
        case .failed(let item, _): failures.append(item)
        case .didFinish: finishes += 1
        default: break
        }
    }

    private mutating func check(_ command: FilmCommand) {
        switch command {
        case .open(let loadID, _, _):
            if let before = self.loadID, before.number >= loadID.number { mistakes.append("an old load") }
            self.loadID = loadID
        case .seek(let loadID, _), .restart(let loadID, _), .step(let loadID, _, _), .select(let loadID, _, _),
            .stopAtEnd(let loadID):
            if loadID != self.loadID { mistakes.append("\(command) of a film that was left") }
        case .close, .closeFailed: loadID = nil
        case .setRate(let rate):
            if rate == engine.rate { mistakes.append("\(rate) a second time") }
        default: break
        }
    }
}
