/// The commands, by mpv's names, with mpv 0.35's arguments and defaults.
enum CommandTable {
    static let all: [CommandSpecification] = [
        CommandSpecification("ignore") { .run(.ignore) },
        CommandSpecification("seek", .time("target"), seekFlags, legacySeekPrecision) { target, flags, legacy in
            .run(.seek(MPVSeek(target, flags: flags, legacy: legacy)))
        },
        CommandSpecification("quit", .integer("code", default: Int32(0))) { .run(.quit(code: $0)) },
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
        CommandSpecification(
            "show-text", .string("text"), .integer("duration", default: Int32(-1)), .integer("level", default: Int32(0))
        ) { text, duration, level in
            .run(.showText(text, milliseconds: duration < 0 ? nil : duration, level: level))
        },
        CommandSpecification(
            "screenshot-to-file", .string("filename"), .choice("flags", default: MPVScreenshotContent.subtitles)
        ) { path, content in
            .run(.screenshotToFile(path: path, content: content))
        },
        CommandSpecification(
            "loadfile", .string("url"), .choice("flags", default: MPVLoadMode.replace), .keyValues("options")
        ) { url, mode, options in
            .run(.loadFile(url: url, mode: mode, options: options))
        },
        CommandSpecification("loadlist", .string("url"), .choice("flags", default: MPVLoadMode.replace)) {
            .run(.loadList(url: $0, mode: $1))
        },
        CommandSpecification("set", .string("name"), .string("value")) { .set(property: $0, value: $1) },
        CommandSpecification("add", .string("name"), .double("value", default: 1)) {
            .run(.add(property: $0, amount: $1))
        },
        CommandSpecification("multiply", .string("name"), .double("value")) {
            .run(.multiply(property: $0, factor: $1))
        },
        CommandSpecification("cycle", .string("name"), .step("value")) { .run(.cycle(property: $0, step: $1)) },
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Words that may stand before a command. They concern mpv's own OSD and key bindings, or how long it waits: here
    /// they are read and have no effect.
    private static let prefixes: Set<String> = [
        "no-osd", "osd-auto", "osd-bar", "osd-msg", "osd-msg-bar", "raw", "expand-properties", "repeatable",
        "nonrepeatable", "async", "sync",
    ]

    /// Reads `[prefix..., name, argument...]`.
    static func parse(_ words: [JSONValue]) throws(MPVError) -> CommandRequest {
        var words = words[...]
        while case .string(let word)? = words.first, prefixes.contains(word) { words.removeFirst() }
        guard case .string(let name)? = words.popFirst(), let command = byName[name] else {
            throw .invalidParameter
        }
        return try command.parse(CommandInput(positional: words))
    }

    /// Reads `{"name": name, "_flags": [prefix...], argument: value...}`.
    static func parse(_ object: JSONObject) throws(MPVError) -> CommandRequest {
        guard case .string(let name)? = object["name"], let command = byName[name] else {
            throw .invalidParameter
        }
        var arguments = object
        arguments["name"] = nil
        if let flags = object["_flags"] {
            guard case .array(let words) = flags, words.allSatisfy(isPrefix) else { throw .invalidParameter }
            arguments["_flags"] = nil
        }
        return try command.parse(CommandInput(named: arguments))
    }

    private static func isPrefix(_ value: JSONValue) -> Bool {
        guard case .string(let word) = value else { return false }
        return prefixes.contains(word)
    }
}

private let seekFlags: Argument<Set<String>> = .flags(
    "flags",
    groups: [
        ["relative", "-", "absolute", "absolute-percent", "relative-percent"],
        ["keyframes", "exact"],
    ])

/// The third argument that `seek` had before precision was one of its flags.
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
        // Asked for both ways at once, mpv takes neither.
        precision = keyframes == exact ? .standard : exact ? .exact : .keyframes
    }
}
