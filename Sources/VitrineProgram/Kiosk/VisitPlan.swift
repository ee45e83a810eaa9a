import PlayerCore
import Settings

/// An exhibit's offer to visitors besides its films.
struct VisitPlan: Sendable {
    var menu = Settings.Menu.automatic
    var idle = Duration.seconds(30)
    var filmIdle = Duration.seconds(600)
    var countdown = VisitRules.countdown
    /// The languages to choose from, the best first; fewer than two are no choice.
    var languages: [LanguageTag] = []
    /// The file of visits; `nil` for none.
    var statistics: String?

    /// - Parameter hasOSD: whether there is an OSD. Without one there is no menu, whatever the settings say, because
    ///   nobody would see it.
    func rules(films: Int, hasOSD: Bool) -> VisitRules {
        let hasMenu: Bool? =
            switch menu {
            case _ where !hasOSD: false
            case .automatic: nil
            case .on: true
            case .off: false
            }
        return VisitRules(films: films, hasMenu: hasMenu, idle: idle, filmIdle: filmIdle, countdown: countdown)
    }
}
