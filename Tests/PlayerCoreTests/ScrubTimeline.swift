import PlayerCore
import Testing

/// A timeline of a finger, a film and a viewer, with the expected outputs. It has a lane for each, and a column for each
/// moment, 20 ms after the previous one unless the lane `ms` says otherwise. The film is 100 s long, so that fractions
/// read as seconds.
///
///     finger | v15 | 25  |     | ^   |     |
///     film   |     |     | p   |     | p   |
///     sent   | k15 |     | k25 | e25 |     |
///     thumb  | 15  | 25  | 25  | 25  | 25  |
///
/// Events, in this order within a column (those that were due by then come first):
/// - `film`: `p` the requested frame, `p12.5` another one, `end` none, `old` the frame of an older seek, `fail`,
///   `progress`, `group` the same for a group backwards, `settled`, `ready` (after `rebuild`: the film is open), `lost`,
///   `closed`, `unseekable`, `endless` (no duration), `at 7` a position report;
/// - `viewer`: `play`, `pause`, `j40` a jump, `k40` a jump to the key frame, `j40~1,2` a jump that may lead to 39 or 42,
///   `again` a seek to the film's position, `x2` the same for another rate, `+` and `-` steps;
/// - `finger`: `v15` down, `25` moved, `^` up, `^25` up there, `x` cancelled.
///
/// Expected:
/// - `sent`: `e40` exact, `n40` and `b40` the frames after and before, `l40` the last frame from there on, `a40` advance,
///   `k40` key frame, `k40>41` the same and decode to 41, `k40>-` and no further, `a?` an advance to any place,
///   `rebuild 40`; an empty cell expects no output;
/// - `reported`: `play`, `pause`, `mute`, `loud`; an empty cell expects no report;
/// - `thumb`: the displayed time; `due`: the deadline in ms, `-` for none; empty cells are not checked.
struct ScrubTimeline {
    var scrubber: Scrubber
    var film: ScrubFilm
    private var value = 0.0
    private var sent: [String] = []
    private var reported: [String] = []

    init(
        playing: Bool = true, isOpen: Bool = true, knowsKeyframes: Bool = true,
        _ change: (inout ScrubFilm) -> Void = { _ in }
    ) {
        scrubber = Scrubber(wantsPlaying: playing)
        film = ScrubFilm(isPlaying: playing)
        change(&film)
        guard isOpen else { return }
        _ = scrubber.handle(.ready(film.mediaInfo), at: .milliseconds(0))
        if knowsKeyframes { _ = scrubber.handle(.keyframes(film.keyframes), at: .milliseconds(0)) }
    }

    /// Runs the timeline; time starts at one second.
    mutating func expect(_ story: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var lanes: [String: [String]] = [:]
        for line in story.split(separator: "\n") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(Self.trimmed)
            lanes[cells[0]] = Array(cells.dropFirst())
        }
        let unknown = Set(lanes.keys).subtracting(["ms", "finger", "film", "viewer", "sent", "set", "thumb", "due"])
        try #require(unknown.isEmpty, "lanes that do not exist: \(unknown)", sourceLocation: sourceLocation)
        for column in 0..<(lanes.values.map(\.count).max() ?? 0) {
            func cell(_ lane: String) -> String {
                guard let cells = lanes[lane], column < cells.count else { return "" }
                return cells[column]
            }
            let drawn = Int64(cell("ms")) ?? Int64(column) * 20
            let now = MonotonicTime.milliseconds(1000 + drawn)
            (sent, reported) = ([], [])
            try wake(until: now, sourceLocation)
            for word in Self.words(cell("film")) { try film(word, now) }
            for word in Self.words(cell("viewer")) { let input = try viewer(word); feed(input, now) }
            for word in Self.words(cell("finger")) { let input = try finger(word, now); feed(input, now) }
            try wake(until: now, sourceLocation)

            let what = "column \(column), \(drawn) ms"
            if lanes["sent"] != nil {
                let wanted = Self.words(cell("sent"))
                let fits = wanted.count == sent.count && zip(wanted, sent).allSatisfy(Self.fits)
                #expect(fits, "\(what): sent \(sent), not \(wanted)", sourceLocation: sourceLocation)
            }
            if lanes["set"] != nil {
                #expect(reported == Self.words(cell("set")), "\(what)", sourceLocation: sourceLocation)
            }
            if !cell("thumb").isEmpty {
                #expect(Self.text(scrubber.displayedTime) == cell("thumb"), "\(what)", sourceLocation: sourceLocation)
            }
            if !cell("due").isEmpty {
                let due = scrubber.deadline.map { "\($0.nanoseconds / 1_000_000 - 1000)" } ?? "-"
                #expect(due == cell("due"), "\(what)", sourceLocation: sourceLocation)
            }
            #expect(film.faults == [], "\(what)", sourceLocation: sourceLocation)
        }
    }

    // MARK: Inputs

    private mutating func wake(until now: MonotonicTime, _ sourceLocation: SourceLocation) throws {
        var wakes = 0
        while let due = scrubber.deadline, due <= now {
            wakes += 1
            try #require(wakes < 50, "a busy loop", sourceLocation: sourceLocation)
            feed(.wake, due)
        }
    }

    private mutating func feed(_ input: Scrubber.Input?, _ now: MonotonicTime) {
        guard let input else { return }
        let mayVoid =
            switch input {
            case .slider(.touchUp), .slider(.cancel): true
            case .slider: film.pending?.method == .advance
            default: false
            }
        let actions = scrubber.handle(input, at: now)
        film.perform(actions, mayVoid: mayVoid)
        for action in actions {
            switch action {
            case .setPlaying(let playing): reported.append(playing ? "play" : "pause")
            case .setScrubMuted(let scrubMuted): reported.append(scrubMuted ? "mute" : "loud")
            case .rebuild(let time): sent.append("rebuild\(Self.text(time))")
            case .seek(let request): sent.append(Self.text(request))
            }
        }
    }

    private mutating func answer(_ input: Scrubber.Input?, _ now: MonotonicTime) {
        if input == nil { Issue.record("nothing is in flight that could be answered") }
        feed(input, now)
    }

    private mutating func film(_ word: String, _ now: MonotonicTime) throws {
        switch word {
        case "p": answer(film.answer(shownAt: now), now)
        case "end": answer(film.answer(nil, shownAt: now), now)
        case "progress": feed(.progress(isGroup: false), now)
        case "group": feed(.progress(isGroup: true), now)
        case "fail": answer(film.fail(), now)
        case "settled": feed(film.mediaInfo.hasVideo ? .settled : film.answer(shownAt: now), now)
        case "old":
            let number = try #require(film.pending?.ticket.number) - 1
            feed(.frame(SeekFrame(ticket: .init(number: number), time: .seconds(1), duration: nil, shownAt: now)), now)
            feed(.seekFailed(.init(number: number)), now)
        case "ready":
            if let time = film.rebuiltAt { film.reopen(at: time, playing: scrubber.isPlaying) }
            feed(.ready(film.mediaInfo), now)
            feed(.keyframes(film.keyframes), now)
        case "closed":
            feed(.closed, now)
            film.reopen(at: .zero, playing: scrubber.isPlaying)
        case "lost": feed(.lost, now)
        case "unseekable":
            film.mediaInfo.isSeekable = false
            feed(.mediaInfo(film.mediaInfo), now)
        case "endless":
            film.mediaInfo.duration = nil
            feed(.mediaInfo(film.mediaInfo), now)
        default:
            if word.hasPrefix("at") {
                feed(.position(try Self.time(word.dropFirst(2))), now)
            } else {
                try #require(word.hasPrefix("p"), "no such film: \(word)")
                let time = try Self.time(word.dropFirst())
                answer(film.answer(time, shownAt: now), now)
            }
        }
    }

    private mutating func viewer(_ word: String) throws -> Scrubber.Input {
        if word.hasPrefix("x") {
            film.rate = try #require(PlaybackRate(factor: Double(word.dropFirst()) ?? 0), "no such rate: \(word)")
            return .again
        }
        let shown = Scrubber.ShownFrame(start: film.frameStart(at: film.shown), place: film.shown)
        return switch word {
        case "play": .setPlaying(true)
        case "pause": .setPlaying(false)
        case "again": .again
        case "+", "-": .step(word == "+" ? 1 : -1, from: shown)
        default: try jump(word)
        }
    }

    private func jump(_ word: String) throws -> Scrubber.Input {
        let times = try word.dropFirst().split(whereSeparator: { "~,".contains($0) }).map(Self.time)
        if times.count == 3 { return .jump(to: times[0], within: SeekTolerance(before: times[1], after: times[2])) }
        return .jump(to: times[0], within: word.hasPrefix("j") ? .exact : .keyFrameBefore)
    }

    private mutating func finger(_ word: String, _ now: MonotonicTime) throws -> Scrubber.Input {
        if word == "x" { return .slider(.cancel(at: now)) }
        let digits = word.drop { $0 == "v" || $0 == "^" }
        if !digits.isEmpty { value = try #require(Double(digits), "no such finger: \(word)") / 100 }
        if word.hasPrefix("v") { return .slider(.touchDown(value, at: now)) }
        return .slider(word.hasPrefix("^") ? .touchUp(value, at: now) : .valueChanged(value, at: now))
    }

    // MARK: Text

    private static func trimmed(_ cell: Substring) -> String {
        words(String(cell)).joined(separator: " ")
    }

    /// The words of a cell; `at 7` and `rebuild 40` are one.
    private static func words(_ cell: String) -> [String] {
        cell.split(separator: " ").map(String.init).reduce(into: []) { words, word in
            if words.last == "at" || words.last == "rebuild" {
                words[words.count - 1] += word
            } else {
                words.append(word)
            }
        }
    }

    private static func time(_ text: Substring) throws -> MediaTime {
        try #require(Double(text).flatMap(MediaTime.init(inSeconds:)), "no such time: \(text)")
    }

    private static func text(_ time: MediaTime) -> String {
        let seconds = "\(time.inSeconds)"
        return seconds.hasSuffix(".0") ? String(seconds.dropLast(2)) : seconds
    }

    private static func text(_ request: SeekRequest) -> String {
        switch request.method {
        case .exact: "e\(text(request.target))"
        case .advance: "a\(text(request.target))"
        case .last: "l\(text(request.target))"
        case .next: "n\(text(request.target))"
        case .previous: "b\(text(request.target))"
        case .preview(_): "g\(text(request.target))"
        case .keyframe(let showing): "k\(text(request.target))>\(showing.map(text) ?? "-")"
        }
    }

    private static func fits(_ wanted: String, _ sent: String) -> Bool {
        if wanted.hasSuffix("?") { return sent.hasPrefix(wanted.dropLast()) }
        return wanted == sent || !wanted.contains(">") && sent.hasPrefix("\(wanted)>")
    }
}
