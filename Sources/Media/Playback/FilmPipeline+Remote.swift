internal import CGStreamer
internal import Dispatch
internal import PlayerCore

/// Films from a network: their buffered part, and the meaning of their errors. Worker only, except for public methods.
extension FilmPipeline {
    /// Requests one `.buffered`. Only single files of a server, HLS and DASH answer.
    public func reportBuffered() {
        worker.async { [self] in
            guard !isClosed, isReady, let duration = mediaInfo.duration, let shown = info.clockedSink?.position(),
                let part = source.loadedPart(from: MediaTime(nanoseconds: shown), of: duration)
            else { return }
            news.yield(.buffered(part))
        }
    }

    /// Finds the reason of a network error. Sources, and demuxers that fetch for themselves, report few details: "Internal data
    /// stream error" means a missing server as well as a lost one.
    func remoteReason(_ message: Message, _ code: GStreamerCode) -> MediaFailure.Reason {
        if message.isFrom(video.sink) { return .other }
        return switch (code.domain, code) {
        // While a film plays, souphttpsrc reports the same code if the connection breaks off.
        case (_, .seek) where !isReady: .needsRanges
        case (.resource, _), (_, .streamFailed): .network
        case (.stream, _) where message.source?.isFetcher == true: .network
        case (_, .typeNotFound), (_, .wrongType): .notMedia
        case (.stream, _): .broken
        default: .other
        }
    }

    /// Builds the failure with all details for the log, without passwords.
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

    /// Returns the text on one line without the address's password. Demuxers that fetch for themselves report addresses of parts.
    func discreet(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return MediaLocation.withoutPassword(of: location.uri, line)
    }

    private func httpStatus(_ report: ErrorReport) -> Int? {
        // A connection that broke off may have status 200, if the server sends the whole file: that is no refusal.
        if let status = report.details?.uint("http-status-code"), status >= 400 { return Int(status) }
        // RTSP uses HTTP's numbers.
        return report.code == .notAuthorized ? 401 : nil
    }
}
