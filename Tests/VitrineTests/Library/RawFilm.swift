import Foundation

/// A small film that needs no encoder: uncompressed frames in an AVI, each of them a key frame whose grey encodes its
/// number.
enum RawFilm {
    static let width = 64
    static let height = 48

    /// - Parameter codec: four letters; none but "I420" can be decoded.
    /// - Returns: its path, in a folder of its own that the test removes.
    static func write(
        frames: Int, perSecond rate: Int = 25, codec: String = "I420", name: String = "film.avi", in folder: URL
    ) throws -> String {
        let size = width * height * 3 / 2
        let header =
            chunk(
                "avih",
                words([
                    UInt32(1_000_000 / rate), UInt32(size * rate), 0, 0x10, UInt32(frames), 0, 1, UInt32(size),
                    UInt32(width), UInt32(height), 0, 0, 0, 0,
                ]))
            + list(
                "strl",
                chunk(
                    "strh",
                    Data("vids\(codec)".utf8)
                        + words([0, 0, 0, 1, UInt32(rate), 0, UInt32(frames), UInt32(size), 0, 0, 0, 0]))
                    + chunk(
                        "strf",
                        words([40, UInt32(width), UInt32(height), 1 | 12 << 16]) + Data(codec.utf8)
                            + words([UInt32(size), 0, 0, 0, 0])))
        var (movie, index) = (Data(), Data())
        for number in 0..<frames {
            index += Data("00db".utf8) + words([0x10, UInt32(movie.count + 4), UInt32(size)])
            let luma = Data(repeating: UInt8(16 + number % 200), count: width * height)
            movie += chunk("00db", luma + Data(repeating: 128, count: width * height / 2))
        }
        let path = folder.appending(path: name)
        let body = list("hdrl", header) + list("movi", movie) + chunk("idx1", index)
        try (Data("RIFF".utf8) + words([UInt32(body.count + 4)]) + Data("AVI ".utf8) + body).write(to: path)
        return path.path
    }

    private static func chunk(_ name: String, _ data: Data) -> Data {
        Data(name.utf8) + words([UInt32(data.count)]) + data
    }

    private static func list(_ name: String, _ data: Data) -> Data { chunk("LIST", Data(name.utf8) + data) }

    private static func words(_ words: [UInt32]) -> Data {
        words.reduce(into: Data()) { data, word in
            withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) }
        }
    }
}

/// A folder for one test.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "vitrine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
