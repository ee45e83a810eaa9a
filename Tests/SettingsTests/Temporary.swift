import FoundationEssentials
import Glibc

/// A folder that is removed with its test.
final class Temporary {
    let path: String

    init() {
        var template = Array("/tmp/vitrine-settings-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nowhere"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    @discardableResult
    func write(_ name: String, _ text: String = "x") -> String {
        let file = "\(path)/\(name)"
        let folder = name.lastIndex(of: "/").map { "\(path)/\(name[..<$0])" } ?? path
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let stream = fopen(file, "w")
        fwrite(text, 1, text.utf8.count, stream)
        fclose(stream)
        return file
    }

    func read(_ name: String) -> String? {
        guard let stream = fopen("\(path)/\(name)", "r") else { return nil }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = fread(&bytes, 1, bytes.count, stream)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    func mode(_ name: String) -> mode_t {
        var status = stat()
        lstat("\(path)/\(name)", &status)
        return status.st_mode & 0o777
    }
}
