import Logging
import Media
import PlayerCore
import Vitrine

/// Follows visitors through the player's public interface: `Visit` decides, and this class acts.
///
/// Belongs to the kiosk, which forwards the player's reports.
final class Visitors {
    private var visit: Visit
    private let plan: VisitPlan
    private let player: QueuePlayer
    /// The exhibit's own settings of the player.
    private let house: PlayerOptions
    private let rate: PlaybackRate
    /// The action at a film's end.
    private let end: ActionAtQueueEnd
    let attract: [PlayerItem]
    private let films: [PlayerItem]
    private let entries: [FilmMenu.Film]
    private let statistics: VisitLog?
    /// The number of times that each film was chosen since the program's start: the likeliest is preloaded.
    private var choices: [Int]
    /// The visitor's language, by its index in the plan.
    private var language: Int?
    private var shownScene: Visit.Scene?
    private var shownMenu: FilmMenu.Content?
    private var preloaded: PlayerItem?
    /// When the likeliest film may be preloaded, and films may be decoded for posters; `nil` from then on. A crash
    /// before that time counts against the attract film alone.
    private var quietUntil: MonotonicTime?

    init(_ kiosk: Kiosk.Plan, _ stock: FilmStock, attract: [PlayerItem], player: QueuePlayer, log: Logger) {
        plan = kiosk.visit
        self.player = player
        house = kiosk.options
        rate = kiosk.rate
        end = kiosk.end == .stop ? .pause : .rewind
        self.attract = attract
        films = stock.films.map { PlayerItem(Asset($0)) }
        entries = stock.menu
        statistics = plan.statistics.map { VisitLog($0, log) }
        choices = Array(repeating: 0, count: films.count)
        visit = Visit(rules: plan.rules(films: films.count, hasOSD: house.hasOSD))
        player.actionAtQueueEnd = end
    }

    /// When `wake` is due.
    var deadline: MonotonicTime? { [visit.deadline, quietUntil].compactMap { $0 }.min() }

    var isNobodyThere: Bool { visit.state == .attract }

    func isFilm(_ item: PlayerItem) -> Bool { films.contains { $0 === item } }

    /// Starts visits, after the player has started.
    func begin() {
        let now = MonotonicTime.now
        // The attract film opens first, and its health is noted at this pace.
        quietUntil = now + PlaybackJournal.healthyAfter + PlaybackJournal.pace
        if visit.rules.hasMenu { player.prepareMenu(menu) }
        show(at: now)
    }

    func wake() {
        if let until = quietUntil, until <= .now {
            quietUntil = nil
            // An open menu is shown anew below.
            if visit.rules.hasMenu, !visit.isInMenu { player.prepareMenu(menu) }
        }
        handle(.wake)
    }

    func hear(_ news: PlayerNews) {
        switch news {
        case .touch(.finger(let sign)): handle(.finger(sign))
        case .touch(.dragged): handle(.dragged)
        case .touch(.aims(let film)): if visit.isInMenu, films.indices.contains(film) { preload(films[film]) }
        case .touch(.chose(let film)): handle(.chose(film: film))
        case .touch(.choseLanguage(let place)): choose(place)
        case .touch(.askedMenu): handle(.askedMenu)
        case .touch(.choseTrack(let language)): handle(.choseLanguage(language ?? "unknown"))
        case .status(.playing): if isShown { handle(.plays) }
        case .status(.paused), .status(.waiting): if isShown { handle(.rests) }
        case .ended(let item): if let film = visit.film, films[film] === item { handle(.ended) }
        default: break
        }
    }

    /// - Returns: whether it was a visitor's film.
    func failed(_ item: PlayerItem) -> Bool {
        guard isFilm(item) else { return false }
        if let film = visit.film, films[film] === item { handle(.failed) }
        return true
    }

    /// Finishes the log; nothing is written afterwards.
    func finish() {
        for case .record(let record) in visit.handle(.closes, at: .now) { perform(.record(record)) }
        statistics?.finish()
    }

    /// Ends visits while the player plays on: what a visitor changed is the exhibit's own again.
    func close() {
        if !isNobodyThere { restoreHouse() }
        finish()
    }

    /// Whether the player plays the film that the visitor watches.
    private var isShown: Bool { visit.film.map { films[$0] === player.currentItem } ?? false }

    private func choose(_ place: Int) {
        guard visit.isInMenu, plan.languages.indices.contains(place) else { return }
        language = place
        let tag = plan.languages[place]
        player.setMediaSelectionCriteria(.languages([tag]), for: .audible)
        // Subtitles are shown for sound in another language.
        if house.subtitle != .none { player.setMediaSelectionCriteria(.languages([tag]), for: .legible) }
        handle(.choseLanguage(tag.description))
    }

    // MARK: Actions

    private func handle(_ input: Visit.Input) {
        let now = MonotonicTime.now
        for action in visit.handle(input, at: now) { perform(action) }
        show(at: now)
    }

    private func perform(_ action: Visit.Action) {
        switch action {
        case .play(let film):
            choices[film] += 1
            player.repetition = .none
            player.replaceItems(with: [films[film]])
            player.play()
        case .rest: player.pause()
        case .attract:
            player.repetition = .forever
            player.replaceItems(with: attract)
            player.play()
        case .restoreHouse: restoreHouse()
        case .record(let record):
            statistics?.take(record, films: record.films.map { entries[$0].title })
        }
    }

    private func restoreHouse() {
        language = nil
        player.loudness = Loudness(percent: Double(house.volume))
        player.sound = house.sound
        player.defaultRate = rate
        player.showsSubtitles = true
        for film in films + attract {
            film.choose(.automatic, of: .audible)
            film.choose(.automatic, of: .legible)
        }
        player.setMediaSelectionCriteria(house.audio, for: .audible)
        player.setMediaSelectionCriteria(house.subtitle, for: .legible)
    }

    // MARK: The screen

    private var texts: VisitTexts { VisitTexts(language.map { plan.languages[$0] } ?? plan.languages.first) }

    /// The menu's content.
    var menu: FilmMenu.Content {
        var content = FilmMenu.Content(heading: texts.heading, films: entries)
        content.decodesFilms = quietUntil == nil
        if plan.languages.count > 1 {
            content.languages = plan.languages.map(\.displayName)
            content.language = language ?? 0
        }
        return content
    }

    private func show(at now: MonotonicTime) {
        let scene = visit.scene(at: now)
        // The film's countdown is over: the menu has its own.
        if visit.isInMenu, shownMenu == nil, case .countdown = shownScene { player.showText("", for: .zero) }
        preload(likeliest(in: scene))
        if visit.isInMenu {
            var content = menu
            if case .countdown(let left) = scene { content.countdown = .init(message: texts.stay, secondsLeft: left) }
            if content != shownMenu { player.setTouchUse(.menu(content)) }
            (shownMenu, shownScene) = (content, scene)
            return
        }
        shownMenu = nil
        guard scene != shownScene else { return }
        if case .countdown = shownScene { player.showText("", for: .zero) }
        shownScene = scene
        switch scene {
        case .attract: player.setTouchUse(.reports)
        case .film, .menu: player.setTouchUse(.controls(hasMenu: visit.rules.hasMenu))
        case .countdown(let left):
            player.setTouchUse(.reports)
            player.showText(texts.stay(seconds: left), for: .seconds(3))
        }
    }

    /// The item that is requested next, as far as can be guessed; `nil` for none.
    private func likeliest(in scene: Visit.Scene) -> PlayerItem? {
        if visit.isInMenu, let preloaded, isFilm(preloaded) { return preloaded }
        switch scene {
        case .film: return nil
        case .countdown where !visit.isInMenu: return attract.first
        case .attract where quietUntil != nil: return nil
        case .attract, .menu, .countdown:
            let place = choices.indices.max { (choices[$0], -$0) < (choices[$1], -$1) }
            return place.map { films[$0] }
        }
    }

    private func preload(_ item: PlayerItem?) {
        guard item !== preloaded else { return }
        preloaded = item
        player.preload(item)
    }
}
