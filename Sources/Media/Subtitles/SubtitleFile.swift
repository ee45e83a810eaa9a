internal import CGStreamer
internal import Glibc
public import PlayerCore
internal import TextFiles

/// A subtitle file beside the film: `film.srt`, `film.de.vtt`, `film.de.ass`.
public struct SubtitleFile: Hashable, Sendable {
    /// The path, absolute or relative as the film's is; one that is not UTF-8 is a `file:` address.
    public var path: String
    /// The language between the film's name and the extension; `nil` if that is no language.
    public var language: LanguageTag?
    /// The text between the film's name and the extension, if it is no language.
    public var title: String?

    /// The subtitle files of a film, by name. Blocks for as long as the card takes.
    public static func beside(_ film: MediaLocation) -> [SubtitleFile] {
        guard let path = film.path else { return [] }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let stem = film.fileTitle
        let entries = (FolderEntry.all(in: folder) ?? []).filter { middle(of: $0.name, stem: stem) != nil }
        return entries.sorted { NaturalOrder.precedes($0.name, $1.name) }.compactMap { entry in
            guard let middle = middle(of: entry.name, stem: stem) else { return nil }
            // "film.de.sdh.srt": the language is first.
            let parts = middle.split(separator: ".", maxSplits: 1).map(String.init)
            let language = parts.first.flatMap { LanguageTag($0) }
            let rest = language == nil ? middle : parts.dropFirst().first ?? ""
            let isHere = slash == nil && entry.path.hasPrefix(folder)
            return SubtitleFile(
                path: isHere ? String(entry.path.dropFirst(folder.count)) : entry.path, language: language,
                title: rest.isEmpty ? nil : rest)
        }
    }

    /// "de" in "film.de.srt"; `nil` for other files.
    static func middle(of name: String, stem: String) -> String? {
        guard name.hasPrefix(stem), let dot = name.lastIndex(of: "."),
            ["srt", "vtt", "ass", "ssa"].contains(name[name.index(after: dot)...].lowercased())
        else { return nil }
        let middle = name[..<dot].dropFirst(stem.count)
        return middle.isEmpty ? "" : middle.first == "." ? String(middle.dropFirst()) : nil
    }

    /// Enough for some days of speech.
    private static let mostBytes = 8 << 20

    /// All texts of the file; none if it is no subtitle file. Blocks while it is read, at most some seconds; any
    /// thread.
    /// - Throws: an error if the file cannot be read, or is too large.
    public func cues() throws(MediaFailure) -> CueList {
        var status = stat()
        guard FileAddress.withPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return CueList()
        }
        let lines = try lines
        let first = lines.first { !$0.isEmpty } ?? ""
        let ending = path.split(separator: ".").last?.lowercased()
        // A WebVTT file is recognised under another extension, too.
        if ending == "vtt" || first.hasPrefix("WEBVTT") { return WebVTT.cues(of: lines) }
        if ending != "srt" || first.hasPrefix("[Script Info]") { return SubStationAlpha.cues(of: lines) }
        return SubRip.cues(of: lines)
    }

    /// The lines in Unicode, whatever the file's encoding.
    private var lines: TextLines {
        get throws(MediaFailure) {
            let bytes: [UInt8]
            do throws(WholeFileError) {
                bytes = try WholeFile.bytes(of: path, atMost: Self.mostBytes)
            } catch {
                throw MediaFailure(reason: .other, message: "\(error)")
            }
            let text = FileText(bytes)
            guard text.firstForeignLine != nil else { return text.lines }
            return FileText(SubtitleEncoding.unicode(bytes, of: language)).lines
        }
    }
}

/// The common encodings of subtitles that are not in Unicode: Windows' code page of their language.
enum SubtitleEncoding {
    static func usual(for language: LanguageTag?) -> String {
        switch language?.language {
        case "cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq", "bs": "WINDOWS-1250"
        case "be", "bg", "mk", "ru", "sr", "uk": "WINDOWS-1251"
        case "el": "WINDOWS-1253"
        case "tr": "WINDOWS-1254"
        case "he": "WINDOWS-1255"
        case "ar", "fa", "ur": "WINDOWS-1256"
        case "et", "lt", "lv": "WINDOWS-1257"
        case "vi": "WINDOWS-1258"
        case "ja": "CP932"
        case "ko": "CP949"
        case "zh": "GB18030"
        case "th": "WINDOWS-874"
        default: "WINDOWS-1252"
        }
    }

    /// The text in UTF-8. A line with a byte that the encoding does not define is read as Windows-1252.
    static func unicode(_ bytes: [UInt8], of language: LanguageTag?) -> [UInt8] {
        let encoding = usual(for: language)
        if let all = unicode(bytes[...], from: encoding) { return all }
        var (converted, rest) = ([UInt8](), bytes[...])
        converted.reserveCapacity(bytes.count)
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            if !line.isEmpty {
                converted += unicode(line, from: encoding) ?? FileText(Array(line)).lines.flatMap { Array($0.utf8) }
            }
            rest = rest[line.endIndex...]
            if rest.popFirst() != nil { converted.append(UInt8(ascii: "\n")) }
        }
        return converted
    }

    private static func unicode(_ bytes: ArraySlice<UInt8>, from encoding: String) -> [UInt8]? {
        var count: gsize = 0
        let converted = bytes.withUnsafeBytes {
            g_convert($0.baseAddress, gssize($0.count), "UTF-8", encoding, nil, &count, nil)
        }
        guard let converted else { return nil }
        defer { g_free(converted) }
        return Array(UnsafeRawBufferPointer(start: converted, count: Int(count)))
    }
}
