/// Where the user wants the sound to come out, if anywhere in particular.
public struct SoundPreference: Hashable, Sendable {
    /// One word for each output, at most two. Empty if the player chooses. A word is "hdmi", "headphones", "usb",
    /// "pipewire", "default", or a part of a route's name.
    public var words: [String]
    /// Whether sound may go to loudspeakers on a network or by Bluetooth.
    public var allowsExternal = true

    public init(_ words: [String] = [], allowsExternal: Bool = true) {
        self.allowsExternal = allowsExternal
        self.words = words.filter { !$0.isEmpty && $0.lowercased() != Self.automaticWord }
    }

    /// Parses words separated by commas, or "auto". PCM names contain commas: a text that starts like a route's name is
    /// one word.
    public init(text: String) {
        if text.hasPrefix(SoundRoute.prefix) || text.hasPrefix(SoundRoute.nodePrefix) || text.contains("CARD=")
            || text.contains("PORT=")
        {
            self.init([text])
        } else {
            self.init(text.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") })
        }
    }

    public var text: String { words.isEmpty ? Self.automaticWord : words.joined(separator: ",") }

    /// The player chooses.
    public static let automatic = SoundPreference()
    /// mpv's word for `automatic`.
    public static let automaticWord = "auto"
    /// The number of places where sound can come out at once.
    public static let mostOutputs = 2

    /// The words that stand for a kind of route.
    public static let kinds: [String: SoundRoute.Kind] = [
        "hdmi": .hdmi, "headphones": .headphones, "usb": .usb, "default": .configured,
        "network": .network, "bluetooth": .bluetooth, "pipewire": .server,
    ]
}

/// The routes that sound goes to, and the reason.
public struct SoundSelection: Hashable, Sendable {
    /// Why the first route was chosen.
    public enum Reason: Hashable, Sendable {
        /// The user asked for it with this word.
        case preferred(String)
        /// The route that the user asked for does not exist or cannot be used.
        case inPlaceOf(String)
        /// The route belongs to the display that shows the film.
        case display
        /// ALSA's configuration files name a default.
        case configured
        /// The best of the available routes.
        case best
    }

    public struct Output: Hashable, Sendable {
        /// The best route first; the others are used if it fails.
        public var routes: [SoundRoute]
        public var reason: Reason
    }

    /// One output for each place; empty if no route can be used.
    public var outputs: [Output] = []
    /// Words that match no route.
    public var unknownWords: [String] = []

    public var first: SoundRoute? { outputs.first?.routes.first }
}

extension SoundPreference {
    /// The routes that may be used at all, in their order.
    public func permitted(_ routes: [SoundRoute]) -> [SoundRoute] {
        allowsExternal ? routes : routes.filter { !$0.isExternal }
    }

    /// Chooses from the available routes.
    /// - Parameters:
    ///   - connector: the connector of the display that shows the film; `nil` without a display.
    ///   - avoided: ALSA's names of routes that failed recently.
    public func select(
        from routes: [SoundRoute], connector: String?, avoiding avoided: Set<String> = []
    ) -> SoundSelection {
        var selection = SoundSelection()
        // ALSA always has a default, configured or not.
        let isDefaultListed = routes.contains { $0.kind == .configured }
        let routes = permitted(routes)
        let usable = routes.filter { $0.isUsable && !avoided.contains($0.device) }
        let standard = Self.standard(usable, connector, isConfigured: routes.contains { $0.kind == .configured })
        guard !words.isEmpty else {
            if let first = standard.first {
                selection.outputs = [.init(routes: standard, reason: Self.reason(of: first, connector))]
            }
            return selection
        }
        var taken: Set<String> = []
        for word in words.prefix(Self.mostOutputs) {
            var answering = Self.routes(answering: word, among: routes)
            if !isDefaultListed, Self.kinds[word.lowercased()] == .configured { answering = [.configured] }
            if answering.isEmpty { selection.unknownWords.append(word) }
            let ids = Set(answering.map(\.id))
            let wanted = Self.ranked(answering.filter { $0.isUsable && !avoided.contains($0.device) }, connector)
            // The second place is an extra: no other route replaces it.
            let others = selection.outputs.isEmpty ? standard.filter { !ids.contains($0.id) } : []
            let all = (wanted + others).filter { !taken.contains($0.id) }
            guard let first = all.first else { continue }
            taken.insert(first.id)
            selection.outputs.append(
                .init(routes: all, reason: ids.contains(first.id) ? .preferred(word) : .inPlaceOf(word)))
        }
        return selection
    }

    /// The routes that the player chooses by itself, the best first.
    private static func standard(
        _ routes: [SoundRoute], _ connector: String?, isConfigured: Bool
    ) -> [SoundRoute] {
        // A configuration names the one right card: any other card may be the wrong one.
        if isConfigured { return routes.filter { $0.kind == .configured } }
        return ranked(routes.filter { $0.kind != .virtual && !$0.isExternal }, connector)
    }

    private static func ranked(_ routes: [SoundRoute], _ connector: String?) -> [SoundRoute] {
        let ranks = routes.enumerated().map { (rank: rank($0.element, connector), place: $0.offset, route: $0.element) }
        return ranks.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.route)
    }

    private static func rank(_ route: SoundRoute, _ connector: String?) -> Int {
        switch route.kind {
        case .hdmi where route.connector != nil && route.connector == connector: 0
        // This may be the film's display. A known other display may stand where nobody listens.
        case .hdmi where route.connector == nil && connector != nil: 1
        case .headphones: 2
        case .usb: 3
        case .other: 4
        case .hdmi: 5
        case .digital: 6
        case .network, .bluetooth: 7
        case .virtual, .configured, .server: 8
        }
    }

    private static func reason(of route: SoundRoute, _ connector: String?) -> SoundSelection.Reason {
        if route.kind == .configured { return .configured }
        return connector != nil && route.connector == connector ? .display : .best
    }

    private static func routes(answering word: String, among routes: [SoundRoute]) -> [SoundRoute] {
        let exact = routes.filter {
            [$0.id, $0.device, SoundRoute.prefix + $0.device, $0.name, $0.socket].contains(word)
        }
        if !exact.isEmpty { return exact }
        let word = word.lowercased()
        if let kind = kinds[word] { return routes.filter { $0.kind == kind } }
        return routes.filter { $0.name.lowercased().contains(word) || $0.device.lowercased().contains(word) }
    }
}

extension SoundSelection.Reason: CustomStringConvertible {
    /// A clause.
    public var description: String {
        switch self {
        case .preferred(let word): "\"\(word)\" was asked for"
        case .inPlaceOf(let word): "in place of \"\(word)\", which is not there or cannot be used"
        case .display: "it is the display that shows the film"
        case .configured: "ALSA's own settings name it"
        case .best: "the display that shows the film has no sound, or there is none"
        }
    }
}
