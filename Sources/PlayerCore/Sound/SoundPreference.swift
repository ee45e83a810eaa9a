/// Where the sound is to come out: what somebody asked for, or nothing.
public struct SoundPreference: Hashable, Sendable {
    /// One for each output, two at the most; empty where the player chooses. Each is "hdmi", "headphones", "usb", "pipewire",
    /// "default", or a part of a route's name.
    public var words: [String]
    /// Whether the sound may leave this machine for another one: for speakers on a network, or of Bluetooth.
    public var allowsExternal = true

    public init(_ words: [String] = [], allowsExternal: Bool = true) {
        self.allowsExternal = allowsExternal
        self.words = words.filter { !$0.isEmpty && $0.lowercased() != Self.automaticWord }
    }

    /// As one text: words with commas between them, or "auto". A PCM's name has commas of its own: one that begins as a route's name
    /// does is one word.
    public init(text: String) {
        if text.hasPrefix(SoundRoute.prefix) || text.hasPrefix(SoundRoute.nodePrefix) || text.contains("CARD=") {
            self.init([text])
        } else {
            self.init(text.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") })
        }
    }

    public var text: String { words.isEmpty ? Self.automaticWord : words.joined(separator: ",") }

    /// The player chooses.
    public static let automatic = SoundPreference()
    /// The word for that, as mpv has it.
    public static let automaticWord = "auto"
    /// Sound comes out in as many places at once.
    public static let mostOutputs = 2

    /// What each word may say besides a route's name.
    public static let kinds: [String: SoundRoute.Kind] = [
        "hdmi": .hdmi, "headphones": .headphones, "usb": .usb, "default": .configured,
        "network": .network, "bluetooth": .bluetooth, "pipewire": .server,
    ]
}

/// What the sound goes to, and why.
public struct SoundSelection: Hashable, Sendable {
    /// Why a route is the first one.
    public enum Reason: Hashable, Sendable {
        /// Somebody asked for it, with this word.
        case preferred(String)
        /// What somebody asked for is not there, or cannot be used.
        case inPlaceOf(String)
        /// It is in the display that shows the film.
        case display
        /// Somebody configured ALSA's default.
        case configured
        /// The best of what is there.
        case best
    }

    public struct Output: Hashable, Sendable {
        /// The best first. The others are for when it fails.
        public var routes: [SoundRoute]
        public var reason: Reason
    }

    /// One for each place that sound comes out of at once; empty where there is none.
    public var outputs: [Output] = []
    /// Words that no route answers to.
    public var unknownWords: [String] = []

    public var first: SoundRoute? { outputs.first?.routes.first }
}

extension SoundPreference {
    /// Chooses from the routes that there are.
    /// - Parameters:
    ///   - connector: that of the display that shows the film; `nil` where there is none.
    ///   - avoided: routes that failed a moment ago, by ALSA's names.
    public func select(
        from routes: [SoundRoute], connector: String?, avoiding avoided: Set<String> = []
    ) -> SoundSelection {
        var selection = SoundSelection()
        let routes = allowsExternal ? routes : routes.filter { !$0.kind.isExternal }
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
            let answering = Self.routes(answering: word, among: routes)
            if answering.isEmpty { selection.unknownWords.append(word) }
            let ids = Set(answering.map(\.id))
            let wanted = Self.ranked(answering.filter { $0.isUsable && !avoided.contains($0.device) }, connector)
            // A second place is one more: where it is not there, nothing else is meant.
            let others = selection.outputs.isEmpty ? standard.filter { !ids.contains($0.id) } : []
            let all = (wanted + others).filter { !taken.contains($0.id) }
            guard let first = all.first else { continue }
            taken.insert(first.id)
            selection.outputs.append(
                .init(routes: all, reason: ids.contains(first.id) ? .preferred(word) : .inPlaceOf(word)))
        }
        return selection
    }

    /// What the player chooses by itself, the best first.
    private static func standard(
        _ routes: [SoundRoute], _ connector: String?, isConfigured: Bool
    ) -> [SoundRoute] {
        // A configuration says all: another card than the one it names may be the wrong one.
        if isConfigured { return routes.filter { $0.kind == .configured } }
        return ranked(routes.filter { $0.kind != .virtual && !$0.kind.isExternal }, connector)
    }

    private static func ranked(_ routes: [SoundRoute], _ connector: String?) -> [SoundRoute] {
        let ranks = routes.enumerated().map { (rank: rank($0.element, connector), place: $0.offset, route: $0.element) }
        return ranks.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.route)
    }

    private static func rank(_ route: SoundRoute, _ connector: String?) -> Int {
        switch route.kind {
        case .hdmi where route.connector != nil && route.connector == connector: 0
        // It may be the film's display. Of one that is known to be another one nobody may be in the room.
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
        let exact = routes.filter { $0.id == word || $0.device == word }
        if !exact.isEmpty { return exact }
        let word = word.lowercased()
        if let kind = kinds[word] {
            let ofKind = routes.filter { $0.kind == kind }
            // ALSA has a default, whether somebody configured it or not.
            return ofKind.isEmpty && kind == .configured ? [.configured] : ofKind
        }
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
