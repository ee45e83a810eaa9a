/// PLS, Winamp's: `File1=film.mp4`, `Title1=A title`.
enum PLS {
    static func entries(of lines: some Sequence<String>) -> [PlaylistEntry] {
        var (locations, titles) = ([Int: String](), [Int: String]())
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, !parts[1].isEmpty else { continue }
            let name = parts[0].lowercased()
            if name.hasPrefix("file"), let number = Int(name.dropFirst(4)) { locations[number] = parts[1].slashed }
            if name.hasPrefix("title"), let number = Int(name.dropFirst(5)) { titles[number] = parts[1] }
        }
        return locations.sorted { $0.key < $1.key }.map { PlaylistEntry($0.value, title: titles[$0.key]) }
    }
}
