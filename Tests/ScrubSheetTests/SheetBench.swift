import Glibc
import PlayerCore
import Testing

@testable import ScrubSheet

/// A folder with a file in place of a film, and sheets of drawn pictures.
final class SheetBench {
    let folder: String
    let film: String
    static let size = SheetSize(width: 64, height: 36)
    static let frame = MediaTime.milliseconds(40)

    init() throws {
        var template = Array("/tmp/vitrine-sheet-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        film = "\(folder)/film.mp4"
        try write((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, to: film)
    }

    deinit {
        chmod(folder, 0o755)
        for name in names { unlink("\(folder)/\(name)") }
        rmdir("\(folder)/cache")
        rmdir(folder)
    }

    var names: [String] {
        var names: [String] = []
        for place in ["", "cache/"] {
            guard let stream = opendir("\(folder)/\(place)") else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if !name.hasPrefix("."), name != "cache" { names.append(place + name) }
            }
        }
        return names.sorted()
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        let stream = try #require(fopen(path, "w"))
        fwrite(bytes, 1, bytes.count, stream)
        fclose(stream)
    }

    func bytes(of path: String) throws -> [UInt8] {
        let file = try SheetFile(path, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: Int(try file.status().st_size))
        _ = try file.read(&bytes, at: 0)
        return bytes
    }

    func media(count: Int = 10) throws -> SheetWriter.Media {
        let plan = try #require(SheetPlan(duration: Self.frame * Int64(count), count: count))
        return .init(film: try FilmIdentity.of(film), plan: plan, frame: Self.frame, size: Self.size)
    }

    /// Appends grey pictures whose brightness encodes the frame.
    func append(_ frames: some Sequence<Int>, to writer: SheetWriter) throws {
        for frame in frames {
            var planes = [UInt8](repeating: 128, count: SheetPlanes.byteCount(of: Self.size))
            for pixel in 0..<Self.size.width * Self.size.height { planes[pixel] = Self.grey(frame) }
            try planes.withUnsafeMutableBufferPointer {
                try writer.append(
                    SheetPlanes(size: Self.size, packedIn: $0.baseAddress!), at: Self.frame * Int64(frame),
                    FilmColor(matrix: .bt709))
            }
        }
    }

    static func grey(_ frame: Int) -> UInt8 { UInt8(20 + frame * 10) }

    func writer(_ frames: some Sequence<Int>, in home: SheetWriter.Home? = nil) throws -> SheetWriter {
        let writer = try SheetWriter(media(), in: home ?? .beside(film: film))
        try append(frames, to: writer)
        return writer
    }

    /// The frame of a picture, by its brightness; `nil` if the picture is not uniformly grey.
    static func shown(
        _ sheet: ScrubSheet, at time: MediaTime, size: SheetSize = SheetBench.size
    ) throws(SheetError) -> Int? {
        guard let entry = sheet.nearest(to: time) else { return nil }
        let decoder = try SheetDecoder()
        var planes = [UInt8](repeating: 0, count: SheetPlanes.byteCount(of: size))
        let result = planes.withUnsafeMutableBufferPointer { planes in
            Result { () throws(SheetError) in
                try decoder.decode(entry, of: sheet, into: SheetPlanes(size: size, packedIn: planes.baseAddress!))
            }
        }
        let picture = try result.get()
        let luma = planes[..<(size.width * size.height)]
        guard let first = luma.first, luma.allSatisfy({ abs(Int($0) - Int(first)) < 3 }) else { return nil }
        let frame = (Int(first) - 20 + 5) / 10
        return picture.time == Self.frame * Int64(frame) ? frame : nil
    }
}
