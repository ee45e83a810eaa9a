/// A visit at an exhibit, from the attract loop through menu and film back to the attract loop.
///
/// A value without a clock: the caller reports fingers, choices and the film's progress, sets a timer to `deadline`,
/// and does what `handle` returns. `scene` says what the screen shows. Another object plays the film: this one decides
/// only which film, and when the visitor has left.
///
/// From each state, the attract loop follows once no finger has touched for a time (`VisitRules`): a film that hangs,
/// fails or is never watched holds nothing up.
public struct Visit: Hashable, Sendable {
    /// The visitor's place in the visit.
    public enum Place: Hashable, Sendable {
        /// Choosing a film, by posters.
        case menu
        /// Watching this film, counted from 0.
        case film(Int, Going)
    }

    /// The film's progress.
    public enum Going: Hashable, Sendable {
        /// The film is being opened, and nothing of it is shown yet.
        case opens
        case plays
        /// The film is paused, or stands at its end.
        case rests
    }

    public enum State: Hashable, Sendable {
        /// Nobody is there: the attract films loop.
        case attract
        /// A visitor is there.
        case visiting(Place)
        /// No finger has touched for a while: the visitor is asked to touch the screen to stay.
        case leaving(Place, since: MonotonicTime)
    }

    /// The content of the screen besides the film, and the effect of a touch.
    public enum Scene: Hashable, Sendable {
        /// Nothing; a touch wakes the exhibit and does nothing else.
        case attract
        /// The menu; a touch chooses.
        case menu
        /// The film's controls.
        case film
        /// "Touch to stay", for so many seconds more; a touch only does that.
        case countdown(secondsLeft: Int)
    }

    public enum Input: Hashable, Sendable {
        case finger(FingerSign)
        /// A poster was touched.
        case chose(film: Int)
        /// A finger has moved the seek bar's thumb: reported once per finger.
        case dragged
        /// The visitor wants the menu back, from a film.
        case askedMenu
        /// The visitor chose a language.
        case choseLanguage(String)
        /// The film runs now.
        case plays
        /// The film stands still now: it is paused, buffering or seeking.
        case rests
        /// The film was played to its end.
        case ended
        /// The film cannot be played, or not any further.
        case failed
        /// `deadline` has passed.
        case wake
        /// The program ends, and with it the visit.
        case closes
    }

    /// An action; actions are done in order.
    public enum Action: Hashable, Sendable {
        /// Play this film from its start.
        case play(film: Int)
        /// Pause the film and keep its last frame: the menu covers it.
        case rest
        /// Loop the attract films.
        case attract
        /// Restore the exhibit's own volume, language, subtitles and rate.
        case restoreHouse
        /// The visit is over. Omitted if no finger moved or was lifted: it was dirt.
        case record(VisitRecord)
    }

    public private(set) var state = State.attract
    public let rules: VisitRules
    /// The fingers that are down, and when each of them last moved.
    private var fingers: [TouchFinger: MonotonicTime] = [:]
    /// When a finger last did something.
    private var touchedAt = MonotonicTime(nanoseconds: 0)
    /// When the film was paused, or the menu was opened.
    private var restsSince = MonotonicTime(nanoseconds: 0)
    private var record: VisitRecord?
    /// Whether a finger has moved or was lifted since the attract loop. Without one, what woke the exhibit may be dirt.
    private var hasVisitor = false
    /// When the film was last started or resumed, while the visitor watches.
    private var watchedSince: MonotonicTime?

    public init(rules: VisitRules) { self.rules = rules }

    /// The scene at this time.
    public func scene(at now: MonotonicTime) -> Scene {
        switch state {
        case .attract: .attract
        case .visiting(.menu): .menu
        case .visiting(.film): .film
        case .leaving(_, let since): .countdown(secondsLeft: secondsLeft(since, at: now))
        }
    }

    /// The film that the visitor watches.
    public var film: Int? {
        switch state {
        case .visiting(.film(let film, _)), .leaving(.film(let film, _), _): film
        case .attract, .visiting(.menu), .leaving(.menu, _): nil
        }
    }

    /// Whether the menu is open, also under the countdown.
    public var isInMenu: Bool {
        switch state {
        case .visiting(.menu), .leaving(.menu, _): true
        default: false
        }
    }

    /// When `handle(.wake)` is due; `nil` while there is no visitor.
    public var deadline: MonotonicTime? {
        switch state {
        case .attract: return nil
        case .visiting(let place):
            let idle = idleEnd(in: place)
            // Fingers that are down, and not yet dirt, are checked again when they may be dirt.
            return fingers.values.max().map { max($0 + VisitRules.dirt, idle) } ?? idle
        case .leaving(_, let since):
            let end = since + rules.countdown
            let left = secondsLeft(since, at: lastTime)
            return left > 1 ? end + .seconds(1 - left) : end
        }
    }

    /// The time of the newest input.
    private var lastTime = MonotonicTime(nanoseconds: 0)

    private func secondsLeft(_ since: MonotonicTime, at now: MonotonicTime) -> Int {
        let left = (since + rules.countdown - now).inNanoseconds
        return max(Int((left + 999_999_999) / 1_000_000_000), 0)
    }

    public mutating func handle(_ input: Input, at now: MonotonicTime) -> [Action] {
        lastTime = now
        var actions: [Action] = []
        switch input {
        case .finger(let sign): actions = follow(sign, at: now)
        case .chose(let film):
            guard case .visiting(.menu) = state, rules.films > film, film >= 0 else { break }
            actions = play(film, at: now)
        case .dragged: if film != nil { record?.drags += 1 }
        case .askedMenu:
            guard rules.hasMenu, case .visiting(.film) = state else { break }
            actions = openMenu(at: now)
        case .choseLanguage(let language):
            touchedAt = now
            if record?.languages.contains(language) == false { record?.languages.append(language) }
        case .plays: go(.plays, at: now)
        case .rests: go(.rests, at: now)
        case .ended: actions = end(at: now)
        case .failed: actions = fail(at: now)
        case .wake: break
        case .closes: actions = if case .attract = state { [] } else { leave(at: now) }
        }
        return actions + passTime(to: now)
    }

    // MARK: Fingers

    private mutating func follow(_ sign: FingerSign, at now: MonotonicTime) -> [Action] {
        switch sign {
        case .down(let finger):
            fingers[finger] = now
            touchedAt = now
            return wake(at: now)
        // A finger that rested for so long is dirt until it is lifted, even if it trembles.
        case .moved(let finger):
            guard let moved = fingers[finger], now - moved < VisitRules.dirt else { return [] }
            fingers[finger] = now
            touchedAt = now
            hasVisitor = true
            return []
        case .up(let finger):
            guard let moved = fingers.removeValue(forKey: finger), now - moved < VisitRules.dirt else { return [] }
            touchedAt = now
            hasVisitor = true
            return []
        }
    }

    private mutating func wake(at now: MonotonicTime) -> [Action] {
        switch state {
        case .attract:
            guard rules.films > 0 else { return [] }
            record = VisitRecord(start: now)
            hasVisitor = false
            guard !rules.hasMenu else {
                state = .visiting(.menu)
                return []
            }
            return play(0, at: now)
        case .leaving(let place, _):
            state = .visiting(place)
            return []
        case .visiting: return []
        }
    }

    // MARK: The film

    private mutating func play(_ film: Int, at now: MonotonicTime) -> [Action] {
        endWatching(at: now)
        state = .visiting(.film(film, .opens))
        touchedAt = now
        record?.films.append(film)
        return [.play(film: film)]
    }

    private mutating func go(_ going: Going, at now: MonotonicTime) {
        let film: Int
        switch state {
        case .visiting(.film(let shown, let before)):
            if before == .plays, going == .rests { restsSince = now }
            film = shown
            state = .visiting(.film(film, going))
        case .leaving(.film(let shown, _), let since):
            film = shown
            state = .leaving(.film(film, going), since: since)
        default: return
        }
        if going == .plays { watchedSince = watchedSince ?? now } else { endWatching(at: now) }
    }

    private mutating func endWatching(at now: MonotonicTime) {
        if let watchedSince { record?.watched += now - watchedSince }
        watchedSince = nil
    }

    private mutating func end(at now: MonotonicTime) -> [Action] {
        guard film != nil else { return [] }
        go(.rests, at: now)
        return rules.hasMenu ? openMenu(at: now) : []
    }

    private mutating func openMenu(at now: MonotonicTime) -> [Action] {
        endWatching(at: now)
        restsSince = now
        state = if case .leaving(_, let since) = state { .leaving(.menu, since: since) } else { .visiting(.menu) }
        return [.rest]
    }

    private mutating func fail(at now: MonotonicTime) -> [Action] {
        guard film != nil else { return [] }
        endWatching(at: now)
        guard rules.hasMenu else { return leave(at: now) }
        state = .visiting(.menu)
        restsSince = now
        return [.attract]
    }

    // MARK: Time

    /// When an idle visitor is asked to touch. Unrequested pauses, such as those of a network, do not postpone it for
    /// ever.
    private func idleEnd(in place: Place) -> MonotonicTime {
        if case .film(_, .plays) = place { return touchedAt + rules.filmIdle }
        return min(max(touchedAt, restsSince) + rules.idle, touchedAt + rules.filmIdle + rules.idle)
    }

    private mutating func passTime(to now: MonotonicTime) -> [Action] {
        switch state {
        case .attract: return []
        case .visiting(let place):
            guard !fingers.values.contains(where: { now - $0 < VisitRules.dirt }) else { return [] }
            guard now >= idleEnd(in: place) else { return [] }
            state = .leaving(place, since: now)
            return []
        case .leaving(_, let since):
            return now >= since + rules.countdown ? leave(at: now) : []
        }
    }

    private mutating func leave(at now: MonotonicTime) -> [Action] {
        endWatching(at: now)
        state = .attract
        defer { record = nil }
        guard hasVisitor, var record else { return [.attract, .restoreHouse] }
        record.duration = now - record.start
        return [.attract, .restoreHouse, .record(record)]
    }
}

/// A finger on a panel.
public struct TouchFinger: Hashable, Sendable {
    public var panel: TouchPanel.ID
    public var slot: Int32

    public init(panel: TouchPanel.ID, slot: Int32) {
        self.panel = panel
        self.slot = slot
    }
}

/// A finger's action, at any place.
public enum FingerSign: Hashable, Sendable {
    case down(TouchFinger)
    /// Reported now and then while it moves.
    case moved(TouchFinger)
    /// The finger was lifted, or taken back by its panel, or is dirt.
    case up(TouchFinger)
}
