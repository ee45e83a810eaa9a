import PlayerCore

/// What visitors read, in their language.
struct VisitWords: Sendable {
    var heading: String
    private let stay: @Sendable (Int) -> String

    /// English where there are no words in that language.
    init(_ language: LanguageTag?) {
        switch language?.language {
        case "de": self.init("Was möchten Sie sehen?") { "Berühren Sie den Bildschirm, um zu bleiben: \($0)" }
        case "fr": self.init("Que souhaitez-vous voir ?") { "Touchez l’écran pour rester : \($0)" }
        case "es": self.init("¿Qué le gustaría ver?") { "Toque la pantalla para seguir: \($0)" }
        case "it": self.init("Che cosa desidera vedere?") { "Tocchi lo schermo per restare: \($0)" }
        case "nl": self.init("Wat wilt u zien?") { "Raak het scherm aan om te blijven: \($0)" }
        case "da": self.init("Hvad vil du se?") { "Rør ved skærmen for at blive: \($0)" }
        case "pl": self.init("Co chcesz obejrzeć?") { "Dotknij ekranu, aby zostać: \($0)" }
        case "cs": self.init("Co chcete vidět?") { "Dotkněte se obrazovky, chcete-li zůstat: \($0)" }
        default: self.init("What would you like to see?") { "Touch the screen to stay: \($0)" }
        }
    }

    private init(_ heading: String, _ stay: @escaping @Sendable (Int) -> String) {
        self.heading = heading
        self.stay = stay
    }

    /// For so many seconds more.
    func stay(seconds: Int) -> String { stay(seconds) }
}
