internal import Glibc
public import Playlists
internal import TextFiles

/// The films of the setting `films`: those of folders, and those of lists in their place.
public struct FilmList: Hashable, Sendable {
    /// In playback order.
    public var entries: [PlaylistEntry] = []
    /// Films that loop while there is no visitor, and are not in `entries`.
    public var attract: [PlaylistEntry] = []
    /// Their paths and addresses.
    public var films: [String] { entries.map(\.location) }
    /// Missing films, or the settings' default folder if it has none.
    public var problems: [SettingsProblem] = []
    /// Entries of folders and lists that were skipped.
    public var omissions: [SettingsProblem] = []
    /// Files that are no films by their names, and were skipped: each is a sentence without a full stop.
    public var notes: [String] = []

    /// Reads the folders; blocks for as long as the card takes.
    public init(of file: SettingsFile) {
        let line = file.lines[.films]
        for name in file.settings.films {
            let ofAddress = FileAddress.path(of: name)
            // An address for GStreamer.
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
                let isOfWindows = name.dropFirst().hasPrefix(":\\") || name.dropFirst().hasPrefix(":/")
                let ofWindows = "this is a place on a computer's drive"
                problems.append(
                    isOfWindows
                        ? problem(ofWindows, "copy the films to the card, and name them there")
                        : problem(what, "copy it there, or write its name as it is, upper and lower case too"))
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
        takeAttract(of: file)
        if !attract.isEmpty, entries.count > 1, file.settings.osd == .off, file.settings.menu != .off {
            omissions.append(
                SettingsProblem(
                    file: file.path, line: file.lines[.osd], value: "osd = \"off\"",
                    what: "without anything on the screen there is no menu: a touch plays the first film only",
                    remedy: "put a # before the line, or write menu = \"off\""))
        }
        if file.settings.order == .random { entries.shuffle() }
    }

    /// Reads the attract folder: the setting's, or the one of this name in a folder of films.
    private mutating func takeAttract(of file: SettingsFile) {
        func path(of name: String) -> String { name.hasPrefix("/") ? name : "\(file.folder)/\(name)" }
        let named = file.settings.attract
        guard named != "off" else { return }
        let places =
            named.map { [path(of: $0)] }
            ?? file.settings.films.filter { !$0.contains("://") }.flatMap { name in
                ["attract", "Attract"].map { "\(path(of: name))/\($0)" }
            }
        var status = stat()
        guard let place = places.first(where: { place in FileAddress.withPath(place) { stat($0, &status) } == 0 })
        else {
            if let named {
                report(
                    named, of: file, "there is no folder \(places.first ?? named)",
                    "make it, or write its name as it is")
            }
            return
        }
        let inPlace = FilmPlace(place)
        let others = entries.filter { !inPlace.holds($0.location) }
        if others.isEmpty, !entries.isEmpty, let named {
            report(named, of: file, "all films lie there, and none is left for visitors", "name a folder among them")
        }
        entries = others
        do throws(PlaylistError) {
            let contents = try Playlist.contents(of: place)
            attract = contents.entries
            omissions += contents.omissions.map {
                SettingsProblem(file: file.path, line: file.lines[.attract], what: "\($0)", remedy: $0.remedy)
            }
            notes += contents.notes
        } catch {
            let instead = entries.isEmpty ? "" : ": the films loop instead"
            report(place, of: file, "\(error.what)\(instead)", error.remedy)
        }
        // There is nothing else to play.
        if entries.isEmpty { (entries, attract) = (attract, []) }
    }

    private mutating func report(_ name: String, of file: SettingsFile, _ what: String, _ remedy: String) {
        let line = file.lines[.attract]
        omissions.append(
            SettingsProblem(
                file: line == nil ? name : file.path, line: line, value: line == nil ? nil : name, what: what,
                remedy: remedy))
    }
}
