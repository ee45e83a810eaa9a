internal import Glibc
internal import PlayerCore

/// What the settings' `films` come to: a folder's films in its place.
public struct FilmList: Hashable, Sendable {
    /// Paths and addresses, in the order in which they are to be played.
    public var films: [String] = []
    /// Films that do not exist.
    public var problems: [SettingsProblem] = []

    /// Reads the folders; blocks for as long as the card takes.
    public init(of file: SettingsFile) {
        let line = file.lines[.films]
        for name in file.settings.films {
            // An address that GStreamer plays.
            if name.contains("://") {
                films.append(name)
                continue
            }
            let path = name.hasPrefix("/") ? name : "\(file.folder)/\(name)"
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
            guard status.st_mode & S_IFMT == S_IFDIR else {
                films.append(path)
                continue
            }
            do throws(FilmFolder.Errno) {
                let found = try FilmFolder.films(in: path)
                films += found
                if found.isEmpty { problems.append(problem("there is no film in \(path)", "copy films into it")) }
            } catch {
                problems.append(problem("\(path): \(text(ofErrno: error.code))", "make the folder readable"))
            }
        }
        if file.settings.order == .random { films.shuffle() }
    }
}
