internal import Glibc

/// A program that has a device node open.
public struct DeviceHolder: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The process id.
    public var processID: Int32
    /// The program's name as the kernel keeps it: at most 15 characters.
    public var name: String

    public var description: String { "\(name) (process \(processID))" }

    /// The other programs that have the device open, found through `/proc/PID/fd`.
    ///
    /// A user sees only their own programs, root sees all: an empty result means "not known". Reads the file system.
    public static func holders(of path: String) -> [DeviceHolder] {
        guard let device = deviceNumber(of: path) else { return [] }
        let own = getpid()
        return Directory.entries(of: "/proc").compactMap(pid_t.init).filter { $0 != own }.sorted().compactMap {
            process in
            let folder = "/proc/\(process)/fd"
            guard Directory.entries(of: folder).contains(where: { deviceNumber(of: "\(folder)/\($0)") == device })
            else { return nil }
            return DeviceHolder(processID: process, name: name(of: process))
        }
    }

    /// The number of the character device at a path, following symbolic links.
    private static func deviceNumber(of path: String) -> dev_t? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return status.st_rdev
    }

    private static func name(of process: pid_t) -> String {
        let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "unknown" }
        defer { close(descriptor) }
        let text = String(unsafeUninitializedCapacity: 64) { max(0, read(descriptor, $0.baseAddress, $0.count)) }
        return text.split(separator: "\n").first.map(String.init) ?? "unknown"
    }
}

enum Directory {
    /// The names in a folder, without "." and ".."; empty if it cannot be read.
    static func entries(of path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = String(fixedWidth: entry.pointee.d_name)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

extension String {
    /// Reads text from a C array of fixed width; it ends at the first zero byte or at the array's end.
    init<Array>(fixedWidth array: Array) {
        self = withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
