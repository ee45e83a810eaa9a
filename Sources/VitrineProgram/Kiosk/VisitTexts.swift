import PlayerCore

/// The texts for visitors, in their language.
struct VisitTexts: Sendable {
    var heading: String
    /// "Touch the screen to stay"
    var stay: String
    private let colon: String

    /// English for a language without texts.
    init(_ language: LanguageTag?) {
        switch language?.language {
        case "de": self.init("Was möchten Sie sehen?", stay: "Berühren Sie den Bildschirm, um zu bleiben")
        case "fr": self.init("Que souhaitez-vous voir\u{A0}?", stay: "Touchez l’écran pour rester", colon: "\u{A0}:")
        case "es": self.init("¿Qué le gustaría ver?", stay: "Toque la pantalla para seguir")
        case "it": self.init("Che cosa desidera vedere?", stay: "Tocchi lo schermo per restare")
        case "nl": self.init("Wat wilt u zien?", stay: "Raak het scherm aan om te blijven")
        case "da": self.init("Hvad vil du se?", stay: "Rør ved skærmen for at blive")
        case "pl": self.init("Co chcesz obejrzeć?", stay: "Dotknij ekranu, aby zostać")
        case "cs": self.init("Co chcete vidět?", stay: "Dotkněte se obrazovky, chcete-li zůstat")
        default: self.init("What would you like to see?", stay: "Touch the screen to stay")
        }
    }

    private init(_ heading: String, stay: String, colon: String = ":") {
        (self.heading, self.stay, self.colon) = (heading, stay, colon)
    }

    /// The countdown's text for so many seconds.
    func stay(seconds: Int) -> String { "\(stay)\(colon) \(seconds)" }
}
