import PlayerCore

/// An engine with scripted media: everything takes some time, some items fail, and left items keep reporting for a
/// while.
struct ScriptedEngine {
    struct Film {
        var loadID: LoadID
        var item: ItemID
        var isOpen = false
        var rate = PlaybackRate.paused
        var position = MediaTime.zero
        var seek: FilmSeek?
        /// Whether the seek is a step for which the film has no frame.
        var isStepRefused = false
        var choices: [MediaCharacteristic: TrackChoice] = [:]
        /// The number of times that it was asked to stand at its end.
        var stopsAtEnd = 0
        /// Whether a finger on the screen holds it, or too little data has arrived.
        var isTouched = false
        var isStarved = false

        var isRunning: Bool { !rate.isPaused }
        var mayRun: Bool { isOpen && !isTouched && !isStarved }
    }

    var random: ScrubRandom
    /// Items that cannot be opened.
    var broken: Set<ItemID> = []
    var isSeekable = true
    /// Like a demuxer that plays no film backwards, but at its own rate.
    var refusesReverse = false
    /// Rates that items refused, as their demuxer reported when they were sought.
    private var refusedRates: [ItemID: PlaybackRate] = [:]
    var duration: MediaTime? = .seconds(100)
    static let frame = MediaTime.milliseconds(40)
    /// The tracks of each item.
    static let sounds = ["de", "en", "fr"].enumerated().map { place, language in
        MediaOption(kind: .audible, number: place + 1, language: LanguageTag(language))
    }

    private(set) var film: Film?
    private(set) var rate = PlaybackRate.paused
    private(set) var loudness = Loudness()
    private(set) var gravity = VideoGravity.resizeAspect
    private(set) var preferences: [MediaCharacteristic: TrackPreference] = [.audible: .any, .legible: .none]
    private(set) var isLooping = false
    private(set) var next: ItemID?
    private(set) var loads: [ItemID] = []
    /// The number of seeks in the open item.
    private(set) var seeks = 0
    private var now = MonotonicTime(nanoseconds: 0)
    private var moved = MonotonicTime(nanoseconds: 0)
    private var nextTick: MonotonicTime?
    private var lastDue = MonotonicTime(nanoseconds: 0)
    private var pending: [(due: MonotonicTime, event: Event)] = []

    private enum Event {
        case open(LoadID)
        case run(LoadID)
        case seek(LoadID, FilmSeek)
        case refusal(LoadID, UInt64)
        /// A report of a left film.
        case stale(FilmNews)
    }

    init(seed: UInt64) {
        random = ScrubRandom(seed: seed)
    }

    var isQuiet: Bool { pending.isEmpty }

    mutating func receive(_ command: FilmCommand, at now: MonotonicTime) {
        move(to: now)
        switch command {
        case .open(let loadID, let item, let seek):
            leaveEchoes()
            film = Film(loadID: loadID, item: item, seek: seek)
            loads.append(item)
            later(.open(loadID))
        case .close, .closeFailed:
            leaveEchoes()
            film = nil
        case .setRate(let rate):
            self.rate = rate
            if let film { later(.run(film.loadID)) }
        case .setDefaultRate(let rate): if !self.rate.isPaused { self.rate = rate }
        case .seek(let loadID, let seek), .restart(let loadID, let seek):
            guard film?.loadID == loadID else { return }
            take(seek)
        case .step(let loadID, let number, let count):
            guard let film, film.loadID == loadID else { return }
            // In a pipeline that is being rebuilt there is no frame to step from.
            guard film.isOpen else {
                self.film?.seek = nil
                return later(.refusal(loadID, number))
            }
            let start = film.seek?.target.time ?? film.position
            let target = (start + Self.frame * Int64(count)).clamped(to: .zero...(duration ?? .unlimited))
            take(FilmSeek(number: number, target: SeekTarget(target)), isStepRefused: target == start)
        case .stopAtEnd(let loadID): if film?.loadID == loadID { film?.stopsAtEnd += 1 }
        case .setLooping(let isLooping): self.isLooping = isLooping
        case .setNext(let item): next = item
        case .setLoudness(let loudness): self.loudness = loudness
        case .setGravity(let gravity): self.gravity = gravity
        case .setSound: break
        case .select(let loadID, let kind, let choice):
            if film?.loadID == loadID { film?.choices[kind] = choice }
        case .setPreference(let kind, let preference): preferences[kind] = preference
        case .setObserved, .setSubtitlesShown: break
        }
    }

    private mutating func take(_ seek: FilmSeek, isStepRefused: Bool = false) {
        film?.seek = seek
        film?.isStepRefused = isStepRefused
        seeks += 1
        // A pipeline that is being rebuilt does it when it is ready.
        if let film, film.isOpen { later(.seek(film.loadID, seek)) }
    }

    /// The reports until now.
    mutating func news(until now: MonotonicTime) -> [FilmNews] {
        var news: [FilmNews] = []
        while let first = pending.indices.min(by: { pending[$0].due < pending[$1].due }), pending[first].due <= now {
            let (due, event) = pending.remove(at: first)
            move(to: due)
            news += happen(event)
        }
        move(to: now)
        if let film, film.isRunning, film.seek == nil, let tick = nextTick, tick <= now {
            nextTick = now + .milliseconds(250)
            news.append(.position(film.loadID, film.position))
        }
        return news
    }

    private mutating func happen(_ event: Event) -> [FilmNews] {
        switch event {
        case .stale(let news): return [news]
        case .open(let loadID):
            guard let film, film.loadID == loadID else { return [] }
            guard !broken.contains(film.item) else {
                self.film = nil
                return [.failed(loadID, MediaFailure(reason: .broken, message: "broken"))]
            }
            self.film?.isOpen = true
            if let seek = film.seek { later(.seek(loadID, seek)) }
            if !rate.isPaused { later(.run(loadID)) }
            return [
                .opened(
                    loadID,
                    MediaInfo(
                        duration: duration, isSeekable: isSeekable, frameDuration: Self.frame, width: 640, height: 360)),
                .selection(loadID, MediaSelectionGroup(.audible, options: Self.sounds)),
            ]
        case .run(let loadID):
            guard let film, film.loadID == loadID, film.mayRun else { return [] }
            let isRefused = rate.isReverse && (refusesReverse || refusedRates[film.item] == rate)
            let (played, refusal) = isRefused ? (.normal, [.rateRefused(loadID, rate)]) : (rate, [] as [FilmNews])
            guard film.rate != played else { return refusal }
            self.film?.rate = played
            nextTick = now + .milliseconds(250)
            return refusal + [.running(loadID, played), .position(loadID, film.position)]
        case .refusal(let loadID, let number):
            return film?.loadID == loadID ? [.sought(loadID, seek: number, at: nil)] : []
        case .seek(let loadID, let seek):
            guard let film, film.loadID == loadID, film.isOpen, film.seek?.number == seek.number else { return [] }
            self.film?.seek = nil
            // A finger is in the way.
            guard isSeekable, !film.isTouched, !film.isStepRefused else {
                return [.sought(loadID, seek: seek.number, at: nil)]
            }
            self.film?.position = seek.target.time
            return [.sought(loadID, seek: seek.number, at: seek.target.time)]
        }
    }

    /// The film fails, with a pipeline that reports it more than once.
    mutating func fail() -> [FilmNews] {
        guard let film else { return [] }
        self.film = nil
        let failure = MediaFailure(reason: .broken, message: "it broke")
        return [.failed(film.loadID, failure), .failed(film.loadID, failure), .running(film.loadID, .paused)]
    }

    /// The current seek fails.
    /// - Parameter takesRate: whether the rate of that seek fails, too.
    mutating func refuse(takesRate: Bool = false) -> [FilmNews] {
        guard let film, film.isOpen, let seek = film.seek else { return [] }
        self.film?.seek = nil
        // Another rate needs a seek: the rate was refused first.
        let isFirst = !takesRate && rate.isReverse && refusedRates[film.item] != rate
        if isFirst { refusedRates[film.item] = rate }
        if isFirst, film.rate == rate { later(.run(film.loadID)) }
        let refusal = isFirst ? [FilmNews.rateRefused(film.loadID, rate)] : []
        let answer = FilmNews.sought(film.loadID, seek: seek.number, at: nil)
        return refusal + (film.isTouched ? [answer] : [answer, .position(film.loadID, film.position)])
    }

    /// The film has run to its end, if it runs: perhaps just before a pending seek.
    mutating func end() -> [FilmNews] {
        guard let film, film.isRunning, let duration else { return [] }
        // A film that is not seekable does not return to its start by itself.
        let isLooping = isLooping && isSeekable
        // A loop continues from the other end.
        self.film?.position = film.rate.isReverse == isLooping ? duration : .zero
        return [.ended(film.loadID, isLooping: isLooping)]
    }

    /// A finger takes the film, or lifts from it: at another place, or at the same one because its seeks failed.
    mutating func touch(isMoving: Bool = true) -> [FilmNews] {
        guard let film, film.isOpen, isSeekable else { return [] }
        self.film?.isTouched.toggle()
        guard film.isTouched else {
            self.film?.seek = nil
            return halt() + [.touched(film.loadID, true)]
        }
        later(.run(film.loadID))
        guard isMoving else { return [.touched(film.loadID, false), .position(film.loadID, film.position)] }
        let place = MediaTime.seconds(random.below(90))
        self.film?.position = place
        return [.position(film.loadID, place), .touched(film.loadID, false)]
    }

    /// Too little data has arrived, or enough again.
    mutating func starve() -> [FilmNews] {
        guard let film else { return [] }
        self.film?.isStarved.toggle()
        guard film.isStarved else { return halt() + [.buffering(film.loadID, percent: 40)] }
        later(.run(film.loadID))
        return [.buffering(film.loadID, percent: 100)]
    }

    /// Rebuilds a stuck pipeline at the film's position.
    mutating func rebuild() -> [FilmNews] {
        guard let film, film.isOpen, !film.isTouched else { return [] }
        let news = halt()
        self.film?.isOpen = false
        later(.open(film.loadID))
        return news
    }

    private mutating func halt() -> [FilmNews] {
        guard let film, film.isRunning else { return [] }
        self.film?.rate = .paused
        return [.running(film.loadID, .paused), .position(film.loadID, film.position)]
    }

    private mutating func leaveEchoes() {
        guard let film, random.oneIn(2) else { return }
        let mediaInfo = MediaInfo(duration: .seconds(1), isSeekable: false)
        let failure = MediaFailure(reason: .other, message: "left")
        let echoes: [FilmNews] = [
            .opened(film.loadID, mediaInfo), .running(film.loadID, 3), .position(film.loadID, .seconds(77)),
            .ended(film.loadID, isLooping: false), .failed(film.loadID, failure),
            .buffering(film.loadID, percent: 3),
            .sought(film.loadID, seek: film.seek?.number ?? 1, at: .seconds(66)),
        ]
        later(.stale(random.pick(echoes)))
    }

    /// Requests are done in order; echoes arrive at any time.
    private mutating func later(_ event: Event) {
        let due = now + .milliseconds(random.below(200))
        guard case .stale = event else {
            lastDue = max(lastDue, due)
            return pending.append((lastDue, event))
        }
        pending.append((due, event))
    }

    private mutating func move(to time: MonotonicTime) {
        if var film, film.isRunning, film.seek == nil {
            let position = film.position + film.rate.filmTime(in: time - moved)
            film.position = position.clamped(to: .zero...(duration ?? .unlimited))
            self.film = film
        }
        moved = time
        now = time
    }
}
