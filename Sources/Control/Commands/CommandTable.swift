/// The commands, by mpv's names, with mpv's arguments and defaults. docs/mpv.md lists them.
enum CommandTable {
    static let all: [CommandSpecification] = [
        CommandSpecification("ignore") { .run(.ignore) },
        CommandSpecification("seek", .time("target"), seekFlags, legacySeekPrecision) { target, flags, legacy in
            .run(.seek(MPVSeek(target, flags: flags, legacy: legacy)))
        },
        CommandSpecification("quit", .integer("code", default: Int32(0))) { .run(.quit(code: $0)) },
        // If Vitrine keeps its place, it does so at any end.
        CommandSpecification("quit-watch-later", .integer("code", default: Int32(0))) { .run(.quit(code: $0)) },
        CommandSpecification("stop", .flags("flags", groups: [["keep-playlist"]])) {
            .run(.stop(keepPlaylist: !$0.isEmpty))
        },
        CommandSpecification("frame-step") { .run(.frameStep) },
        CommandSpecification("frame-back-step") { .run(.frameBackStep) },
        CommandSpecification("playlist-next", .choice("flags", default: MPVPlaylistEnd.weak)) {
            .run(.playlistNext(atEnd: $0))
        },
        CommandSpecification("playlist-prev", .choice("flags", default: MPVPlaylistEnd.weak)) {
            .run(.playlistPrevious(atStart: $0))
        },
        CommandSpecification("playlist-clear") { .run(.playlistClear) },
        CommandSpecification("playlist-play-index", .entry("index", words: ["current": .current, "none": .nothing])) {
            .run(.playlistPlayIndex($0))
        },
        CommandSpecification("playlist-remove", .entry("index", words: ["current": .current], default: .current)) {
            .run(.playlistRemove($0))
        },
        CommandSpecification("playlist-move", .integer("index1"), .integer("index2")) {
            .run(.playlistMove(from: Int($0), to: Int($1)))
        },
        CommandSpecification("playlist-shuffle") { .run(.playlistShuffle) },
        CommandSpecification("playlist-unshuffle") { .run(.playlistUnshuffle) },
        CommandSpecification(
            "show-text", .string("text"), .integer("duration", default: Int32(-1)), .integer("level", default: Int32(0))
        ) { text, duration, level in
            .run(.showText(text, milliseconds: duration < 0 ? nil : duration, level: level))
        },
        CommandSpecification("show-progress") { .run(.showProgress) },
        CommandSpecification("print-text", .string("text")) { .run(.printText($0)) },
        CommandSpecification("expand-text", .string("text")) { .expandText($0) },
        CommandSpecification("script-message", .strings("args")) { .scriptMessage($0) },
        CommandSpecification("script-message-to", .string("target"), .strings("args")) {
            .scriptMessageTo(client: $0, $1)
        },
        CommandSpecification(
            "screenshot-to-file", .string("filename"), .choice("flags", default: MPVScreenshotContent.subtitles)
        ) { path, content in
            .run(.screenshotToFile(path: path, content: content))
        },
        CommandSpecification(
            "loadfile", .string("url"), .choice("flags", default: MPVLoadMode.replace), .index, .keyValues("options")
        ) { url, mode, index, options in
            .run(.loadFile(url: url, mode: mode, index: Int(index), options: options))
        },
        CommandSpecification(
            "loadlist", .string("url"), .choice("flags", default: MPVLoadMode.replace),
            .integer("index", default: Int32(-1))
        ) {
            .run(.loadList(url: $0, mode: $1, index: Int($2)))
        },
        CommandSpecification("set", .string("name"), .string("value")) { .set(property: $0, value: $1) },
        CommandSpecification("add", .string("name"), .double("value", default: 1)) {
            .run(.add(property: $0, amount: $1))
        },
        CommandSpecification("multiply", .string("name"), .double("value")) {
            .run(.multiply(property: $0, factor: $1))
        },
        CommandSpecification("cycle", .string("name"), .step("value")) { .run(.cycle(property: $0, step: $1)) },
        CommandSpecification("cycle-values", .strings("name", atLeast: 2)) { .cycleValues($0) },
        CommandSpecification("change-list", .string("name"), .string("operation"), .string("value")) {
            .changeList(property: $0, operation: $1, value: $2)
        },
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Words that may precede a command. Those about expansion apply; the others, about mpv's own OSD and key bindings,
    /// or about waiting, are accepted and have no effect.
    private static let prefixes: Set<String> = [
        "no-osd", "osd-auto", "osd-bar", "osd-msg", "osd-msg-bar", "raw", "expand-properties", "repeatable",
        "nonrepeatable", "nonscalable", "async", "sync",
    ]

    /// Parses `[prefix..., name, argument...]`.
    /// - Parameter expands: whether `${...}` in texts is expanded if no prefix says otherwise.
    static func parse(_ words: [JSONValue], expands: Bool = false) throws(MPVError) -> CommandRequest {
        var (words, expands) = (words[...], expands)
        while case .string(let word)? = words.first, prefixes.contains(word) {
            words.removeFirst()
            expands = Self.expands(after: word, expands)
        }
        guard case .string(let name)? = words.popFirst(), let command = byName[name] else {
            throw .invalidParameter
        }
        return try parse(command, CommandInput(positional: words), expands: expands)
    }

    /// Parses `{"name": name, "_flags": [prefix...], argument: value...}`.
    static func parse(_ object: JSONObject) throws(MPVError) -> CommandRequest {
        guard case .string(let name)? = object["name"], let command = byName[name] else {
            throw .invalidParameter
        }
        var arguments = object
        arguments["name"] = nil
        var expands = false
        if let flags = object["_flags"] {
            guard case .array(let words) = flags else { throw .invalidParameter }
            for word in words {
                guard case .string(let word) = word, prefixes.contains(word) else { throw .invalidParameter }
                expands = Self.expands(after: word, expands)
            }
            arguments["_flags"] = nil
        }
        return try parse(command, CommandInput(named: arguments), expands: expands)
    }

    private static func expands(after prefix: String, _ before: Bool) -> Bool {
        switch prefix {
        case "raw": false
        case "expand-properties": true
        default: before
        }
    }

    /// As in mpv, arguments are parsed first, and the texts among them are expanded when the command runs.
    private static func parse(
        _ command: CommandSpecification, _ input: CommandInput, expands: Bool
    ) throws(MPVError) -> CommandRequest {
        let request = try command.parse(input)
        guard expands else { return request }
        let texts = input.texts(command.shapes).filter { $0.contains("$") }
        guard !texts.isEmpty else { return request }
        return .unexpanded(UnexpandedCommand(name: command.name, input: input, texts: texts))
    }

    /// The command with the texts of `expanded`.
    static func request(
        _ command: UnexpandedCommand, expanded: [String: String]
    ) throws(MPVError) -> CommandRequest {
        guard let specification = byName[command.name] else { throw .invalidParameter }
        return try specification.parse(command.input.mapTexts(specification.shapes) { expanded[$0] ?? $0 })
    }
}

private let seekFlags: Argument<Set<String>> = .flags(
    "flags",
    groups: [
        ["relative", "-", "absolute", "absolute-percent", "relative-percent"],
        ["keyframes", "exact"],
    ])

/// The third argument of `seek`, from before precision was one of its flags.
private enum LegacySeekPrecision: String, Sendable {
    case unused
    case standard = "default-precise"
    case keyframes
    case exact
}

private let legacySeekPrecision: Argument<LegacySeekPrecision> = .choice("legacy", default: .unused)

extension MPVSeek {
    fileprivate init(_ target: Double, flags: Set<String>, legacy: LegacySeekPrecision) {
        if flags.contains("absolute") {
            self.target = .absolute(target)
        } else if flags.contains("absolute-percent") {
            self.target = .absolutePercent(target)
        } else if flags.contains("relative-percent") {
            self.target = .relativePercent(target)
        } else {
            self.target = .relative(target)
        }
        let keyframes = flags.contains("keyframes") || legacy == .keyframes
        let exact = flags.contains("exact") || legacy == .exact
        // With both flags at once, mpv uses neither.
        precision = keyframes == exact ? .standard : exact ? .exact : .keyframes
    }
}
