extension Structure {
    /// Whether a web server supports range requests for the film; `nil` if an element's message does not say.
    /// souphttpsrc seeks on any server, and fails on one that always sends the whole film.
    var offersRanges: Bool? {
        guard name == "http-headers", uint("http-status-code") == 200, let headers = structure("response-headers")
        else { return nil }
        return headers.fields.contains { $0.lowercased() == "accept-ranges" && headers.string($0) == "bytes" }
    }
}
