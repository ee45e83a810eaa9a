internal import Glibc
internal import TextFiles

/// `vitrine-errors.txt`, beside the settings file: the problems, for a person with a laptop and the card.
public struct ErrorsFile: Hashable, Sendable {
    public var path: String
    private let settings: String

    public init(beside file: SettingsFile) {
        settings = file.path
        path = "\(file.folder)/vitrine-errors.txt"
    }

    /// Without the path, because the file is beside the settings file.
    private func line(of problem: SettingsProblem) -> String {
        let place = problem.line.map { "Line \($0): " } ?? (problem.file == settings ? "" : "\(problem.file): ")
        return place + (problem.value.map { "\($0)  ->  " } ?? "") + "\(problem.what); \(problem.remedy)."
    }

    /// Writes the problems, or removes the file if there are none. An unchanged file is not touched.
    /// - Throws: if that fails, which has no other consequences: the folder may be read-only.
    public func report(_ problems: [SettingsProblem]) throws(FileError) {
        guard !problems.isEmpty else {
            guard unlink(path) == 0 || errno == ENOENT else { throw FileError(path: path, code: errno) }
            return
        }
        // Old versions of Notepad do not break lines at a bare line feed.
        let lines = ["Vitrine found these mistakes. All other settings hold.", ""] + problems.map { line(of: $0) }
        let text = lines.joined(separator: "\r\n") + "\r\n"
        if (try? WholeFile.bytes(of: path)) == Array(text.utf8) { return }
        try AtomicFile.write(Array(text.utf8), to: path)
    }
}

/// A file that could not be written.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    /// errno
    public var code: Int32

    public var description: String { "\(path) cannot be written: \(text(ofErrno: code))" }
}
