internal import CGStreamer
internal import Dispatch
internal import PlayerCore

/// A film that comes over a network: what of it is loaded, and what its errors mean. Worker only, except for what is public.
extension FilmPipeline {
    /// Asks for one `.buffered`, which comes only where somebody knows: of a film that is one file of a server's, and of HLS and
    /// DASH.
    ///
    /// The server's place in the file is asked, and not uridecodebin's queue, which knows what it holds only with a ring
    /// (`ring-buffer-max-size`): with one, a seek soon after the start writes beside the heap's blocks (GStreamer 1.22; 7 of
    /// 21 starts in the rig with a tracer, none of 19 without the ring).
    public func reportBuffered() {
        worker.async { [self] in
            guard !isClosed, isReady, let duration = mediaInfo.duration, let shown = info.clockedSink?.position(),
                let part = source.loadedPart(from: MediaTime(nanoseconds: shown), of: duration)
            else { return }
            news.yield(.buffered(part))
        }
    }

    /// Sources and the demuxers that fetch for themselves say little of what happened: "Internal data stream error" is a server
    /// that is not there as well as one that has gone.
    func remoteReason(_ message: Message, _ code: GStreamerCode) -> MediaFailure.Reason {
        if message.isFrom(video.sink) { return .other }
        return switch (code.domain, code) {
        // Of a film that plays, souphttpsrc says the same when the connection breaks off.
        case (_, .seek) where !isReady: .needsRanges
        case (.resource, _), (_, .streamFailed): .network
        case (.stream, _) where message.source?.isFetcher == true: .network
        case (_, .typeNotFound), (_, .wrongType): .notMedia
        case (.stream, _): .broken
        default: .other
        }
    }

    /// With all that the log needs, except for passwords.
    func remoteFailure(
        _ reason: MediaFailure.Reason, _ report: ErrorReport, from element: String
    ) -> MediaFailure {
        let (code, details) = (report.code, report.debug.map { discreet($0) })
        if reason == .needsRanges { return .needsRanges(location.name, details: details, code: code) }
        let status = httpStatus(report)
        if status == nil, location.uri.hasPrefix("https:"), !ServerTrust.speaksTLS {
            let package = "glib-networking"
            return MediaFailure(
                reason: .missingPlugin(package: package),
                message: "\(location.name): missing plugin: TLS, for https: sudo apt install \(package)", code: code)
        }
        let doubt = status == nil ? ServerTrust.takeDoubt() : nil
        let number = [code.description, status.map { "HTTP \($0)" }, doubt?.description].compactMap { $0 }
            .joined(separator: ", ")
        return MediaFailure(
            reason: reason,
            message: "\(location.name): Error received from element \(element): \(discreet(report.text)) (\(number))",
            details: details, code: code, httpStatus: status, doubt: doubt)
    }

    /// On one line, and without the address's password: demuxers that fetch parts themselves report their addresses.
    func discreet(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return MediaLocation.withoutPassword(of: location.uri, line)
    }

    private func httpStatus(_ report: ErrorReport) -> Int? {
        // A connection that broke off has 200 where the server sends all from the start: that is no refusal.
        if let status = report.details?.uint("http-status-code"), status >= 400 { return Int(status) }
        // Of RTSP, whose numbers are HTTP's.
        return report.code == .notAuthorized ? 401 : nil
    }
}
