internal import Glibc
public import Playlists
internal import TextFiles

/// What the settings' `films` come to: a folder's films, and a list's, in its place.
public struct FilmList: Hashable, Sendable {
    /// In the order in which they are to be played.
    public var entries: [PlaylistEntry] = []
    /// Their paths and addresses.
    public var films: [String] { entries.map(\.location) }
    /// Films that do not exist, or the settings' default folder where it has none.
    public var problems: [SettingsProblem] = []
    /// What is passed over in folders and lists.
    public var omissions: [SettingsProblem] = []
    /// What is no film by its name, and is passed over: each is a sentence without a full stop.
    public var notes: [String] = []

    /// Reads the folders; blocks for as long as the card takes.
    public init(of file: SettingsFile) {
        let line = file.lines[.films]
        for name in file.settings.films {
            let ofAddress = FileAddress.path(of: name)
            // An address that GStreamer plays.
            if ofAddress == nil, name.contains("://") {
                entries.append(PlaylistEntry(name))
                continue
            }
            let path = ofAddress ?? (name.hasPrefix("/") ? name : "\(file.folder)/\(name)")
            func problem(_ what: String, _ remedy: String) -> SettingsProblem {
                SettingsProblem(
                    file: file.path, line: line, value: line == nil ? nil : name, what: what, remedy: remedy)
            }
            var status = stat()
            guard FileAddress.withPath(path, { stat($0, &status) }) == 0 else {
                let code = errno
                let what = code == ENOENT ? "there is no film or folder \(path)" : "\(path): \(text(ofErrno: code))"
                problems.append(problem(what, "copy it there, or write its name as it is, upper and lower case too"))
                continue
            }
            do throws(PlaylistError) {
                let contents = try Playlist.contents(of: path)
                entries += contents.entries
                omissions += contents.omissions.map { problem("\($0)", $0.remedy) }
                notes += contents.notes
            } catch {
                let problem = problem("\(error)", error.remedy)
                if error.isEmpty { problems.append(problem) } else { omissions.append(problem) }
            }
        }
        if file.settings.order == .random { entries.shuffle() }
    }
}
