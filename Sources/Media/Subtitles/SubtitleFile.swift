internal import CGStreamer
internal import Dispatch
internal import Glibc
public import PlayerCore
internal import TextFiles

/// Subtitles in a file of their own beside the film: `film.srt`, `film.de.vtt`, `film.de.ass`.
public struct SubtitleFile: Hashable, Sendable {
    /// As the film's is given: absolute, or from the working directory.
    public var path: String
    /// What its name says between the film's and the ending; `nil` where that is no language.
    public var language: LanguageTag?
    /// What stands between the film's name and the ending, where that is no language.
    public var title: String?

    /// Those of a film, by name. Blocks for as long as the card takes.
    public static func beside(_ film: MediaLocation) -> [SubtitleFile] {
        guard let path = film.path else { return [] }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let stem = film.fileTitle
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var files: [SubtitleFile] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let middle = middle(of: name, stem: stem) else { continue }
            // "film.de.sdh.srt": the language comes first.
            let parts = middle.split(separator: ".", maxSplits: 1).map(String.init)
            let language = parts.first.flatMap { LanguageTag($0) }
            let rest = language == nil ? middle : parts.dropFirst().first ?? ""
            files.append(
                SubtitleFile(
                    path: (slash == nil ? "" : folder) + name, language: language, title: rest.isEmpty ? nil : rest))
        }
        return files.sorted { NaturalOrder.precedes($0.path, $1.path) }
    }

    /// "de" of "film.de.srt"; `nil` for other files.
    static func middle(of name: String, stem: String) -> String? {
        guard name.hasPrefix(stem), let dot = name.lastIndex(of: "."),
            ["srt", "vtt", "ass", "ssa"].contains(name[name.index(after: dot)...].lowercased())
        else { return nil }
        let middle = name[..<dot].dropFirst(stem.count)
        return middle.isEmpty ? "" : middle.first == "." ? String(middle.dropFirst()) : nil
    }

    private static let mostBytes = 8 << 20

    /// All its texts; none where it is no file of subtitles. Blocks while it is read, at most some seconds; any thread.
    public func cues() throws(MediaFailure) -> CueList {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.mostBytes else {
            return CueList()
        }
        switch path.split(separator: ".").last?.lowercased() {
        case "vtt": return lines.map { WebVTT.cues(of: $0) } ?? CueList()
        case "ass", "ssa": return lines.map { SubStationAlpha.cues(of: $0) } ?? CueList()
        default: return try subRip()
        }
    }

    /// In Unicode, whatever the file is written in.
    private var lines: TextLines? {
        guard let bytes = try? WholeFile.bytes(of: path, atMost: Self.mostBytes) else { return nil }
        let text = FileText(bytes)
        guard text.firstForeignLine != nil else { return text.lines }
        return FileText(SubtitleEncoding.unicode(bytes, of: language)).lines
    }

    /// subparse judges each block's encoding by itself, also of one that ends within a letter, and for each line it moves all
    /// that its block has behind that: it is given Unicode, in small blocks of whole lines.
    private func subRip() throws(MediaFailure) -> CueList {
        guard let lines else { return CueList() }
        try GStreamer.start()
        GStreamer.errands.enter()
        defer { GStreamer.errands.leave() }
        guard
            let pipeline = gst_parse_launch(
                "appsrc name=file ! subparse ! appsink name=texts sync=false max-buffers=50", nil)
        else { return CueList() }
        let bin = pipeline.cast(to: GstBin.self)
        guard let file = gst_bin_get_by_name(bin, "file"), let texts = gst_bin_get_by_name(bin, "texts") else {
            return CueList()
        }
        defer {
            gst_element_set_state(pipeline, GST_STATE_NULL)
            for element in [file, texts, pipeline] { gst_object_unref(element) }
        }
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
        Self.push(lines, to: file.cast(to: GstAppSrc.self))
        var (list, room) = (CueList(), CueList.mostRead)
        while room > 0, !list.isFull,
            let sample = gst_app_sink_try_pull_sample(texts.cast(to: GstAppSink.self), 3_000_000_000)
        {
            if var cue = Cue(sample) {
                // What the file itself writes so, not subparse's markup.
                cue.text = SubtitleText.unescaped(cue.text)
                list.add(cue)
            }
            gst_sample_unref(sample)
            room -= 1
        }
        return list
    }

    /// As much as GStreamer's sources read at once.
    private static let blockSize = 4 << 10

    private static func push(_ lines: TextLines, to source: UnsafeMutablePointer<GstAppSrc>) {
        var block: [UInt8] = []
        for line in lines {
            block += line.utf8
            block.append(UInt8(ascii: "\n"))
            guard block.count >= blockSize else { continue }
            gst_app_src_push_buffer(source, gst_buffer_new_memdup(block, gsize(block.count)))
            block.removeAll(keepingCapacity: true)
        }
        if !block.isEmpty { gst_app_src_push_buffer(source, gst_buffer_new_memdup(block, gsize(block.count))) }
        gst_app_src_end_of_stream(source)
    }
}

/// What subtitles that are not in Unicode are commonly written in: Windows' code page of their language.
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

    /// In UTF-8. One byte that stands for nothing costs its line: that is taken for Windows-1252.
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
