import Testing

@testable import Media

/// The library changes nothing in its process by itself. In processes of their own.
struct ProcessTuningTests {
    private static let isOld = GStreamer.version.hasPrefix("1.22.")

    @Test(.enabled(if: isOld, "later ones give it a rank")) func `nothing plugs jpegparse where nobody asks for it`()
        async
    {
        await #expect(processExitsWith: .success) {
            try GStreamer.start()
            #expect(UnrankedJPEGParser.isThere)
        }
    }

    @Test(arguments: [false, true]) func `jpegparse is plugged where a program asks for it`(isStarted: Bool) async {
        await #expect(processExitsWith: .success) { [isStarted] in
            if isStarted { try GStreamer.start() }
            ProcessTuning.apply()
            try GStreamer.start()
            #expect(!UnrankedJPEGParser.isThere)
        }
    }

    @Test func `certificates are looked at where a program asks for it`() async {
        await #expect(processExitsWith: .success) {
            #expect(!ProcessTuning.explainsCertificates)
            ProcessTuning.apply()
            #expect(ProcessTuning.explainsCertificates)
        }
    }
}
