import PlayerCore
import Testing

@testable import Media

@Suite("Frames in a device's memory, whose format is DRM's (S2)")
struct DeviceCapsTests {
    private func caps(_ format: String, _ rest: String = "width=640,height=480") throws -> Caps {
        try GStreamer.start()
        return try #require(
            Caps("video/x-raw(memory:DMABuf),format=(string)DMA_DRM,drm-format=(string)\"\(format)\",\(rest)"))
    }

    @Test(
        "Their colours are what others' are: by their size where nothing is said",
        arguments: [
            ("NV12", "width=640,height=480", ColorMatrix.bt601, false),
            ("NV12:0x0700000000000004", "width=1920,height=1080", .bt709, false),
            ("P030:0x0700000000000004", "width=3840,height=2160,colorimetry=(string)bt2020", .bt2020, false),
            ("YU12", "width=640,height=480,colorimetry=(string)\"1:3:5:1\"", .bt709, true),
        ])
    func colours(format: String, rest: String, matrix: ColorMatrix, isFullRange: Bool) throws {
        let film = try caps(format, rest).videoInfo.flatMap { FilmColor($0) }
        #expect(film == FilmColor(matrix: matrix, isFullRange: isFullRange))
    }

    @Test("A format of theirs differs from one of the processor's")
    func format() throws {
        #expect(try caps("NV12:0x0700000000000004").deviceFormat == "NV12:0x0700000000000004")
        #expect(Caps("video/x-raw,format=NV12")?.deviceFormat == nil)
    }

    @Test("Of a sink's, those for devices are asked for first, and the processor's memory after them")
    func answer() throws {
        let device = try caps("NV12")
        let sink = try #require(Caps("video/x-raw,format=BGRx")?.followed(by: device))
        let plain = try #require(Caps("video/x-raw"))
        let answer = try #require(sink.inDeviceMemory?.followed(by: plain))
        #expect(answer.text.hasPrefix("video/x-raw(memory:DMABuf)"))
        #expect(answer.text.hasSuffix("video/x-raw"))
        #expect(!answer.text.contains("BGRx"))
        #expect(plain.inDeviceMemory == nil)
        // The answer keeps the decoder's order of preference.
        let decoder = try #require(Caps("video/x-raw,format={ NV12, BGRx }"))
        #expect(answer.intersection(with: decoder)?.first?.string("format") == nil)
    }
}
