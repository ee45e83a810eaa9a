internal import Glibc
internal import TextFiles

/// `vitrine-errors.txt`, beside the settings file: what is wrong, for a person with no more than a laptop and the card.
public struct ErrorsFile: Hashable, Sendable {
    public var path: String
    private let settings: String

    public init(beside file: SettingsFile) {
        settings = file.path
        path = "\(file.folder)/vitrine-errors.txt"
    }

    /// The file lies beside the one that is meant.
    private func line(of problem: SettingsProblem) -> String {
        let place = problem.line.map { "Line \($0): " } ?? (problem.file == settings ? "" : "\(problem.file): ")
        return place + (problem.value.map { "\($0)  ->  " } ?? "") + "\(problem.what); \(problem.remedy)."
    }

    /// Writes the problems, or removes the file where there are none. A file that says the same already is not touched.
    /// - Throws: where that fails, which is no reason to do anything else otherwise: the folder may be read-only.
    public func report(_ problems: [SettingsProblem]) throws(FileError) {
        guard !problems.isEmpty else {
            guard unlink(path) == 0 || errno == ENOENT else { throw FileError(path: path, code: errno) }
            return
        }
        // Notepad of old shows lines that end as on Linux in one.
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
