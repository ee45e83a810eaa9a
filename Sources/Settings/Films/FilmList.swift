internal import Glibc
public import Playlists
internal import TextFiles

/// What the settings' `films` come to: a folder's films, and a list's, in its place.
public struct FilmList: Hashable, Sendable {
    /// In the order in which they are to be played.
    public var entries: [PlaylistEntry] = []
    /// Their paths and addresses.
    public var films: [String] { entries.map(\.location) }
    /// Films that do not exist.
    public var problems: [SettingsProblem] = []

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
            guard stat(path, &status) == 0 else {
                let code = errno
                let what = code == ENOENT ? "there is no film or folder \(path)" : "\(path): \(text(ofErrno: code))"
                problems.append(problem(what, "copy it there, or write its name as it is, upper and lower case too"))
                continue
            }
            do throws(PlaylistError) {
                let contents = try Playlist.contents(of: path)
                entries += contents.entries
                for omission in contents.omissions {
                    problems.append(problem("\(omission)", "mend the list, or what it names"))
                }
            } catch {
                problems.append(problem("\(error)", "copy films into it, and let everybody read it"))
            }
        }
        if file.settings.order == .random { entries.shuffle() }
    }
}
