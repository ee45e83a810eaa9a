internal import Glibc
internal import PlayerCore

/// The films in a folder, in the order in which people number them.
enum FilmFolder {
    /// Folders in the folder, and in those.
    private static let deepest = 3

    /// - Throws: errno, where the folder itself cannot be read.
    static func films(in folder: String) throws(Errno) -> [String] {
        try films(in: folder, depth: 0)
    }

    struct Errno: Error {
        var code: Int32
    }

    private static func films(in folder: String, depth: Int) throws(Errno) -> [String] {
        guard let stream = opendir(folder) else { throw Errno(code: errno) }
        defer { closedir(stream) }
        var (files, folders) = ([String](), [String]())
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !isHidden(name) else { continue }
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: folders.append(name)
            case S_IFREG where mayBeFilm(name): files.append(name)
            default: break
            }
        }
        var films = files.sorted(by: NaturalOrder.precedes).map { "\(folder)/\($0)" }
        guard depth < deepest else { return films }
        for inner in folders.sorted(by: NaturalOrder.precedes) {
            // One that cannot be read has no films for us.
            films += (try? self.films(in: "\(folder)/\(inner)", depth: depth + 1)) ?? []
        }
        return films
    }

    /// What systems leave on cards and sticks: ".Trashes" and "._film.mp4" of macOS, "$RECYCLE.BIN" of Windows.
    static func isHidden(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("$") || name == "System Volume Information" || name == "lost+found"
            || name.hasPrefix("FOUND.0")
    }

    /// By its ending, which is known for what is no film: what else is there, GStreamer decides.
    static func mayBeFilm(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return true }
        return !others.contains(name[name.index(after: dot)...].lowercased())
    }

    private static let others: Set<String> = [
        "txt", "toml", "md", "pdf", "doc", "docx", "odt", "rtf", "html", "htm", "url", "lnk", "ini", "inf", "db", "nfo",
        "json", "xml", "log", "csv", "jpg", "jpeg", "png", "bmp", "tif", "tiff", "svg", "webp", "srt", "vtt", "ass",
        "ssa", "m3u", "m3u8", "xspf", "pls",
        "sub", "idx", "zip", "rar", "7z", "gz", "xz", "part", "crdownload", "tmp", "exe", "msi", "bat", "sh", "bak",
    ]
}
