import PlayerCore
import Testing

@testable import Media

@Suite("Which decoder plays a film, and whether its frames are copied (S2)")
struct DecoderUseTests {
    init() throws { try GStreamer.start() }

    private static func offer(_ change: (inout FilmOutput.Screen) -> Void = { _ in }) -> PlaneOffer {
        let plane = FilmOutput.Plane(fileDescriptor: -1, connectorID: 1, planeID: 2)
        var screen = FilmOutput.Screen(
            sink: .plane(plane), width: 1024, height: 768, canScale: true, formats: ["BGRx", "NV12"])
        (screen.matrices, screen.hasFullRange) = ([.bt601, .bt709], true)
        change(&screen)
        return PlaneOffer(screen: screen, deviceFormats: ["NV12", "NV12:0x0700000000000004"])
    }

    private func output(
        _ format: String = "(memory:DMABuf),format=(string)DMA_DRM,drm-format=(string)\"NV12:0x0700000000000004\"",
        _ rest: String = "width=640,height=480", isInDeviceMemory: Bool = true,
        upright: DisplayTransform = .identity
    ) throws -> DecoderUse.Output {
        let caps = try #require(Caps("video/x-raw\(format),\(rest)"))
        return DecoderUse.Output(caps: caps, isInDeviceMemory: isInDeviceMemory, upright: upright)
    }

    @Test func `what the plane takes as it is is not copied, in columns and in lines`() throws {
        #expect(DecoderUse.route(of: try output(), to: Self.offer()) == .withoutCopy)
        // GStreamer 1.22's decoders declare their memory as system memory, and kmssink accepts it nevertheless.
        #expect(DecoderUse.route(of: try output(",format=NV12"), to: Self.offer()) == .withoutCopy)
        #expect(
            DecoderUse.route(of: try output(",format=NV12", isInDeviceMemory: false), to: Self.offer()) == .copied([]))
    }

    @Test func `each thing that the pipeline does to frames is a reason`() throws {
        func reasons(_ output: DecoderUse.Output, _ change: (inout FilmOutput.Screen) -> Void = { _ in }) -> [String] {
            guard case .copied(let reasons) = DecoderUse.route(of: output, to: Self.offer(change)) else { return [] }
            return reasons
        }
        let plain = try output()
        #expect(reasons(plain) { $0.turn = DisplayTransform(rotation: .quarter) } == ["the pipeline turns the frames"])
        let turned = try output(upright: DisplayTransform(rotation: .half))
        #expect(reasons(turned) == ["the pipeline turns the frames"])
        // Turned back, it is as the decoder makes it.
        #expect(reasons(turned) { $0.turn = DisplayTransform(rotation: .half) }.isEmpty)
        #expect(reasons(plain) { $0.gravity = .resizeAspectFill }.count == 1)
        #expect(reasons(turned) { ($0.turn, $0.composesOSD) = (.identity, true) }.count == 2)
        #expect(
            reasons(try output(",format=NV12")) { $0.canScale = false }
                == ["the plane does not scale, and 640x480 is shown on 1024x768"])
        #expect(
            reasons(plain) { $0.canScale = false }
                == ["the plane does not scale, and then takes no NV12:0x0700000000000004"])
        let whole = try output(",format=NV12", "width=1024,height=768")
        #expect(reasons(whole) { $0.canScale = false }.isEmpty)
        // Black bars are the plane's, unless it has to cover the display; and pixels that are not square are scaled.
        let wide = try output(",format=NV12", "width=1024,height=576")
        #expect(reasons(wide) { $0.canScale = false }.isEmpty)
        #expect(reasons(wide) { ($0.canScale, $0.coversDisplay) = (false, true) }.count == 1)
        let oblong = try output(",format=NV12", "width=1024,height=768,pixel-aspect-ratio=(fraction)4/3")
        #expect(reasons(oblong) { $0.canScale = false }.count == 1)
        #expect(reasons(try output(",format=P010_10LE")) == ["the plane does not take P010_10LE"])
        let deep = "(memory:DMABuf),format=(string)DMA_DRM,drm-format=(string)\"P030:0x0700000000000004\""
        #expect(reasons(try output(deep)) == ["the plane does not take P030:0x0700000000000004"])
        let vivid = try output(",format=NV12", "width=640,height=480,colorimetry=(string)bt2020")
        #expect(reasons(vivid) == ["the plane has no setting for the film's colours"])
        let fields = try output(",format=NV12", "width=640,height=480,interlace-mode=(string)interleaved")
        #expect(reasons(fields) == ["the pipeline makes whole frames of fields"])
        var unmarked = plain
        unmarked.hasUnmarkedFields = true
        #expect(reasons(unmarked) == ["the pipeline makes whole frames of fields"])
    }

    @Test func `a bar that is drawn into the frames is a copy only while it is seen`() throws {
        let route = DecoderUse.route(of: try output(",format=NV12"), to: Self.offer { $0.composesOSD = true })
        #expect(route == .copiedWithBar)
        let decoder = VideoDecoder(name: "v4l2slh264dec", isHardware: true)
        let lines = DecoderUse(decoder: decoder, format: "NV12", route: route).lines()
        #expect(lines[0].hasSuffix("without a copy, except while the bar is drawn into them"))
    }

    @Test(arguments: [
        ("colorimetry=(string)bt2020", "the plane has no setting for the film's colours"),
        ("interlace-mode=(string)mixed", "the pipeline makes whole frames of fields"),
    ])
    func `a decoder whose frames only a device reads is left if the pipeline has to change them`(
        word: String, reason: String
    ) throws {
        let columns = "NV12:0x0700000000000004"
        let device = "(memory:DMABuf),format=(string)DMA_DRM,drm-format=(string)\"\(columns)\""
        for (format, isLeft) in [(device, true), (",format=NV12", false)] {
            let output = try output(format, "width=640,height=480,\(word)")
            let route = DecoderUse.route(of: output, to: Self.offer())
            #expect(route == .copied([reason]))
            #expect(
                DecoderUse.reasonToLeave(output, on: route) == (isLeft ? "it makes \(columns), but \(reason)" : nil))
        }
        let plain = try output()
        #expect(DecoderUse.reasonToLeave(plain, on: DecoderUse.route(of: plain, to: Self.offer())) == nil)
        // A film of the display's size, too: such frames go to a plane that scales, or nowhere.
        let whole = try output(device, "width=1024,height=768")
        let route = DecoderUse.route(of: whole, to: Self.offer { $0.canScale = false })
        #expect(DecoderUse.reasonToLeave(whole, on: route)?.contains("does not scale") == true)
    }

    @Test func `a parser's caps say whether a film consists of fields`() throws {
        for (words, isOfFields) in [
            ("video/x-h264,coded-picture-structure=(string)field", true),
            ("video/mpeg,interlace-mode=(string)mixed", true),
            ("video/x-h265,interlace-mode=(string)alternate", true),
            ("video/x-h264,coded-picture-structure=(string)frame", false),
            ("video/mpeg,interlace-mode=(string)progressive", false), ("video/x-vp9", false),
        ] {
            #expect(try #require(Caps(words)).isOfFields == isOfFields, "\(words)")
        }
    }

    @Test func `each decoder is described in a line`() {
        let hardware = VideoDecoder(name: "v4l2slh265dec", isHardware: true)
        let processor = VideoDecoder(name: "avdec_h265", isHardware: false)
        var use = DecoderUse(decoder: hardware, format: "NV12", route: .withoutCopy)
        #expect(use.lines() == ["v4l2slh265dec, of the hardware: the plane shows its frames (NV12) without a copy"])
        #expect(
            use.lines(knowsScaling: false)[0].hasSuffix(
                "another program holds the display, and the driver was not asked"))
        use.route = .unknown("there is no card")
        #expect(use.lines()[0].hasSuffix("its frames are NV12; whether they are copied is not known: there is no card"))
        use = DecoderUse(
            decoder: processor, format: "I420", route: .copied([]),
            passedOver: [.init(decoder: hardware, reason: "Invalid argument")])
        #expect(
            use.lines() == [
                "avdec_h265, of the processor: each frame (I420) is copied for the plane",
                "not v4l2slh265dec: Invalid argument",
            ])
    }

    @Test func `a message of GLib's that repeats is counted by its text`() {
        for times in 1...4 { #expect(RepeatedWarnings.count("frame \(Self.self) is not copied") == times) }
        #expect(RepeatedWarnings.count("another \(Self.self)") == 1)
    }
}
