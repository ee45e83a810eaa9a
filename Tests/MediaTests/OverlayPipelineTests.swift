import Dispatch
import Foundation
import PlayerCore
import Synchronization
import Testing

@testable import Media

/// The display's pipeline (B3) into a pipe: the plane's input, byte by byte.
@Suite(.serialized) struct OverlayPipelineTests {
    static let layout = OSDLayout(displayWidth: 640, displayHeight: 360, millimetres: nil)

    private func model(_ thumb: Double = 0, title: String = "", time: String = "") -> OSDModel {
        OSDModel(isVisible: true, bar: .init(thumb: thumb), timeText: time, title: title)
    }

    @Test func oneBufferPerChangeAndNoneWithoutB3() async throws {
        let plane = try PipePlane()
        plane.pipeline.show(model(0.25))
        #expect(plane.read().thumb == 0.25)
        plane.pipeline.show(model(0.25))
        var paused = model(0.25)
        paused.isPaused = true
        plane.pipeline.show(paused)
        plane.pipeline.show(model(0.25 + 1e-7))
        plane.pipeline.show(model(0.5))
        #expect(plane.read().thumb == 0.5)
        #expect(plane.pipeline.pushed == 2)
        #expect(await plane.pipeline.stop())
    }

    @Test func whileOneIsUnderWayOnlyTheNewestWaits() async throws {
        let plane = try PipePlane()
        plane.pipeline.show(model(0.125))
        // The sink is in the middle of the first surface, as in a SetPlane that does not return.
        plane.readFirstByte()
        for step in 0...1000 {
            plane.pipeline.show(model(Double(step) / 1000))
            if step % 100 == 0 { plane.pipeline.worker.sync {} }
        }
        #expect(plane.pipeline.pushed == 1)
        #expect(plane.read().thumb == 0.125)
        #expect(plane.read().thumb == 1)
        #expect(plane.pipeline.pushed == 2)
        #expect(await plane.pipeline.stop())
    }

    @Test func aSurfaceOfAnotherHeightWaitsForTheOneBefore() async throws {
        // GStreamer's thread takes the new caps, and asks for data, while the surface is painted.
        let plane = try PipePlane { if $0.bar?.thumb == 0.5 { usleep(100_000) } }
        let tall = OSDLayout(displayWidth: 640, displayHeight: 360, millimetres: nil, hasSubtitles: true)
        plane.pipeline.show(model(0.25))
        #expect(plane.read().thumb == 0.25)
        plane.pipeline.show(model(0.5), on: tall)
        plane.readFirstByte()
        plane.pipeline.show(model(0.75))
        plane.pipeline.worker.sync {}
        plane.pipeline.worker.sync {}
        #expect(plane.pipeline.pushed == 2)
        #expect(plane.read(tall).thumb == 0.5)
        #expect(plane.read().thumb == 0.75)
        #expect(await plane.pipeline.stop())
    }

    @Test func hidingTurnsThePlaneOffBetweenTwoBuffersB3() async throws {
        let plane = try PipePlane()
        plane.pipeline.show(model(0.25))
        plane.readFirstByte()
        plane.pipeline.show(OSDModel())
        plane.pipeline.worker.sync {}
        #expect(plane.hidings == 0, "the strip is still on its way, and would turn the plane on again")
        _ = plane.read()
        await plane.hidden()
        plane.pipeline.show(OSDModel(title: "nobody sees this"))
        plane.pipeline.worker.sync {}
        plane.pipeline.show(model(0.25))
        #expect(plane.read().thumb == 0.25)
        #expect(plane.hidings == 1)
        #expect(await plane.pipeline.stop())
    }

    @Test func aStuckSinkKeepsNobodyWaitingT1T8() async throws {
        let plane = try PipePlane()
        plane.pipeline.show(model(0.25))
        // The sink has started to write, and nobody reads the rest.
        plane.readFirstByte()
        #expect(await !plane.pipeline.stop(within: .milliseconds(100)))
        for await failure in plane.pipeline.failures { Issue.record("\(failure)") }
        plane.pipeline.show(model(0.5))
        // Once released, it stops after all.
        #expect(plane.read().thumb == 0.25)
        #expect(await plane.pipeline.stop())
    }

    /// The ink's coverage must be the same in colour and alpha: over black of opacity b, white ink of coverage s is
    /// colour s and alpha s + b(1 - s), or edges shine.
    @Test func textIsMultipliedByAlphaExactly() async throws {
        let plane = try PipePlane()
        plane.pipeline.show(model(0.5, title: "Sea & Sky <1927>", time: "00:12:34 / 01:30:12"))
        let surface = plane.read()
        var inked = 0
        for y in 0..<surface.textRows {
            for x in 1..<surface.width {
                let pixel = surface[x, y]
                guard pixel.red > 0 else { continue }
                inked += 1
                #expect(pixel.red == pixel.green && pixel.green == pixel.blue)
                let expected = Double(pixel.red) + Double(PipePlane.background) * Double(255 - pixel.red) / 255
                #expect(abs(Double(pixel.alpha) - expected) <= 1.5, "at \(x),\(y): \(pixel)")
            }
        }
        #expect(inked > 500)
        #expect(await plane.pipeline.stop())
    }

    @Test func aTitleTooLongFadesOutBeforeTheTime() async throws {
        let plane = try PipePlane()
        let time = "00:12:34 / 01:30:12"
        plane.pipeline.show(model(0.5, time: time))
        let bare = plane.read()
        plane.pipeline.show(model(0.5, title: String(repeating: "An endless title ", count: 30), time: time))
        let long = plane.read()
        let right = Self.layout.titleRight(besides: time)
        #expect(long.columns(from: right) == bare.columns(from: right))
        #expect(bare.columns(from: 1, to: right).allSatisfy { $0.red == 0 })
        #expect(long.columns(from: 1, to: right).contains { $0.red > 250 })
        #expect(!long.columns(from: right - 3, to: right).contains { $0.red > 60 })
        #expect(await plane.pipeline.stop())
    }

    @Test func theTimeStandsStillWhileItsDigitsChange() async throws {
        let plane = try PipePlane()
        plane.pipeline.show(model(0.5, time: "02:46:48 / 11:11:11"))
        let narrow = plane.read()
        plane.pipeline.show(model(0.5, time: "02:46:48 / 00:00:00"))
        let wide = plane.read()
        let left = try #require(narrow.firstInkedColumn)
        #expect(wide.firstInkedColumn == left)
        let half = left..<left + Self.layout.fontSize * 4
        #expect(
            narrow.columns(from: half.lowerBound, to: half.upperBound)
                == wide.columns(from: half.lowerBound, to: half.upperBound))
        #expect(await plane.pipeline.stop())
    }

    @Test func aTextThatGoesLeavesNothing() async throws {
        let plane = try PipePlane()
        plane.pipeline.show(model(0.5, title: "Film", time: "00:12:34 / 01:30:12"))
        #expect(plane.read().firstInkedColumn != nil)
        plane.pipeline.show(model(0.5, title: " \u{200B}\n"))
        #expect(plane.read().firstInkedColumn == nil)
        #expect(await plane.pipeline.stop())
    }

    @Test func aMissingElementIsNamedT6() throws {
        let error = #expect(throws: MediaFailure.self) {
            _ = try OverlayPipeline(
                layout: Self.layout, sink: OverlaySink(factory: "nosuchsink"), paint: { _, _, _, _ in }, hidePlane: {})
        }
        #expect(error?.reason == .missingPlugin(package: nil))
        #expect(error?.message.contains("nosuchsink") == true)
        #expect(error?.message.hasPrefix("Unable to build pipeline: ") == true)
    }

    @Test func planePropertiesThatAreNoneAreRefused() throws {
        let plane = OverlayPlane(
            fileDescriptor: 9, connectorID: 1, planeID: 2, properties: "s,zpos=(int",
            place: OverlayPlace(rectangle: Self.layout.surface))
        let error = #expect(throws: MediaFailure.self) { _ = try OverlaySink(plane: plane) }
        #expect(error?.message.contains("s,zpos=(int") == true)
    }

    @Test func aFailingSinkIsReportedOnceT4() async throws {
        let pipeline = try OverlayPipeline(
            layout: Self.layout,
            sink: OverlaySink(factory: "filesink", properties: [("location", "/nosuchfolder/strip")]),
            paint: { _, _, _, _ in }, hidePlane: {})
        var failures: [MediaFailure] = []
        for await failure in pipeline.failures { failures.append(failure) }
        #expect(failures.count == 1)
        #expect(failures.first?.message.contains("Error received from element osd-sink") == true)
        pipeline.show(model(0.5))
        #expect(await pipeline.stop())
    }
}

@Suite struct OverlayTextTests {
    private func model(title: String, message: String? = nil, isLive: Bool = false) -> OSDModel {
        OSDModel(isVisible: true, title: title, message: message, isLive: isLive)
    }

    @Test func textIsEscapedForPango() {
        #expect(OverlayText.title(model(title: "<b>R&B</b>")).contains("&lt;b&gt;R&amp;B&lt;/b&gt;"))
        #expect(OverlayText.time(OSDModel(timeText: "&")).contains(">&amp;<"))
    }

    @Test func aTextIsOneLineOfBoundedLength() {
        #expect(OverlayText.title(model(title: "a\nb\tc\0d\u{2028}e")).contains(">a b c d e<"))
        let long = OverlayText.title(model(title: String(repeating: "é", count: 100_000)))
        #expect(long.count < OverlayText.longestTitle + 100)
    }

    @Test(arguments: ["", " ", "\n\t", "\u{200B}\u{2003}"]) func textWithoutInkIsNone(text: String) {
        #expect(OverlayText.title(model(title: text)) == "")
    }

    @Test func aMessageStandsInTheTitlesPlace() {
        let text = OverlayText.title(model(title: "Film", message: "Buffering 40%"))
        #expect(text.contains("Buffering 40%") && !text.contains("Film"))
    }

    @Test func liveMediaSaySoM11() {
        #expect(OverlayText.title(model(title: "Hall", isLive: true)).contains("LIVE"))
        #expect(OverlayText.title(model(title: "", isLive: true)).contains("LIVE"))
        #expect(!OverlayText.title(model(title: "Hall")).contains("LIVE"))
    }
}

@Suite struct BlendedTextTests {
    /// The output of gst_video_blend on straight alpha, for every ink and every surface; see `BlendedText`.
    @Test func undoesTheDivisionByAlphaForEveryInkAndSurface() {
        for bare in UInt32(0)...255 {
            var row: [UInt32] = [bare << 24]
            for ink in UInt32(0)...255 {
                let alpha = ink + bare * (255 - ink) / 255
                let straight = ink == 0 ? 0 : min(ink * 255 / alpha, 255)
                row.append(alpha << 24 | straight << 16 | straight << 8 | straight)
            }
            let width = row.count
            row.withUnsafeMutableBytes {
                BlendedText(x: 1, y: 0, width: width - 1, height: 1)
                    .premultiply($0.baseAddress!, stride: width * 4, columns: 0..<width, rows: 0..<1)
            }
            let colors = row.dropFirst().map { $0 & 255 }
            #expect(colors == Array(0...255), "over \(bare)")
        }
    }

    @Test func fadesToTheBareSurfaceAndTouchesNothingOutside() {
        var row = [UInt32](repeating: 0xFFFF_FFFF, count: 100)
        row[0] = 0xA000_0000
        row.withUnsafeMutableBytes {
            BlendedText(x: -5, y: -1, width: 85, height: 9)
                .premultiply($0.baseAddress!, stride: 400, columns: 0..<100, rows: 0..<1, fade: 40..<60)
        }
        #expect(row[1..<40].allSatisfy { $0 == 0xFFFF_FFFF })
        #expect(row[40..<60].map { $0 & 255 } == row[40..<60].map { $0 & 255 }.sorted(by: >))
        #expect(row[60..<80].allSatisfy { $0 == 0xA000_0000 })
        #expect(row[80..<100].allSatisfy { $0 == 0xFFFF_FFFF })
        for pixel in row { #expect(pixel & 255 <= pixel >> 24) }
    }
}

/// A pipeline whose sink writes surfaces into a pipe.
private final class PipePlane: Sendable {
    static let background: UInt8 = 160

    let pipeline: OverlayPipeline
    private let pipe: Pipe
    private let begun = Mutex<[UInt8]>([])
    private let hidingEvents: AsyncStream<Void>
    private let hidingCount: Counter

    final class Counter: Sendable {
        let value = Mutex(0)
    }

    /// - Parameter painting: called before a model is painted.
    init(painting: @escaping @Sendable (OSDModel) -> Void = { _ in }) throws {
        let pipe = Pipe()
        let (hidings, hiding) = AsyncStream.makeStream(of: Void.self)
        let counter = Counter()
        self.pipe = pipe
        hidingEvents = hidings
        hidingCount = counter
        pipeline = try OverlayPipeline(
            layout: OverlayPipelineTests.layout,
            sink: OverlaySink(factory: "fdsink", properties: [("fd", "\(pipe.fileHandleForWriting.fileDescriptor)")]),
            paint: { model, _, pixels, stride in
                painting(model)
                // Black of one opacity; below the text a mark that encodes the thumb.
                for index in 0..<pixels.count { pixels[index] = index % 4 == 3 ? Self.background : 0 }
                let mark = UInt32((model.bar?.thumb ?? 0) * 1_000_000)
                pixels.storeBytes(of: mark, toByteOffset: pixels.count - 4, as: UInt32.self)
            },
            hidePlane: {
                counter.value.withLock { $0 += 1 }
                hiding.yield()
            })
    }

    var hidings: Int { hidingCount.value.withLock { $0 } }

    func hidden() async {
        for await _ in hidingEvents { return }
    }

    /// Waits until the sink writes a surface, whose rest `read` returns.
    func readFirstByte() {
        let byte = try? pipe.fileHandleForReading.read(upToCount: 1)
        begun.withLock { $0 = Array(byte ?? Data()) }
    }

    /// Waits for the next surface.
    func read(_ layout: OSDLayout = OverlayPipelineTests.layout) -> ReadSurface {
        let surface = layout.surface
        let count = surface.width * surface.height * 4
        var bytes = begun.withLock { begun in
            defer { begun = [] }
            return begun
        }
        while bytes.count < count {
            guard let data = try? pipe.fileHandleForReading.read(upToCount: count - bytes.count), !data.isEmpty else {
                break
            }
            bytes += data
        }
        return ReadSurface(bytes: bytes, width: surface.width)
    }
}

private struct ReadSurface {
    struct Pixel: Hashable {
        var alpha: UInt8
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    let bytes: [UInt8]
    let width: Int

    var thumb: Double {
        let mark = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return (Double(mark) / 1000).rounded() / 1000
    }

    var textRows: Int { OverlayPipelineTests.layout.textTop + OverlayPipelineTests.layout.textHeight }

    subscript(x: Int, y: Int) -> Pixel {
        let at = (y * width + x) * 4
        return Pixel(alpha: bytes[at + 3], red: bytes[at + 2], green: bytes[at + 1], blue: bytes[at])
    }

    /// The text's rows of some columns.
    func columns(from left: Int, to right: Int? = nil) -> [Pixel] {
        (left..<(right ?? width)).flatMap { x in (0..<textRows).map { self[x, $0] } }
    }

    var firstInkedColumn: Int? {
        (0..<width).first { x in (0..<textRows).contains { self[x, $0].red > 0 } }
    }
}
