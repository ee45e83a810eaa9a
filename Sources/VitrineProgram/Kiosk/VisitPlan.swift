import PlayerCore
import Settings

/// What an exhibit has for visitors besides its films.
struct VisitPlan: Sendable {
    var menu = Settings.Menu.automatic
    var idle = Duration.seconds(30)
    var filmIdle = Duration.seconds(600)
    var countdown = VisitRules.countdown
    /// What a visitor can choose from, the best first; fewer than two are no choice.
    var languages: [LanguageTag] = []
    /// The file that takes a line for each visit; `nil`: none does.
    var statistics: String?

    /// - Parameter hasOSD: without one nobody would see a menu: there is none, whatever the settings say.
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
