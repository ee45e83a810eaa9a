extension Structure {
    /// Whether a web server gives out parts of the film that it is about to send; `nil` where an element's message says nothing of
    /// it. souphttpsrc seeks on any server, and fails on one that sends all of the film whatever it is asked for.
    var offersRanges: Bool? {
        guard name == "http-headers", uint("http-status-code") == 200, let headers = structure("response-headers")
        else { return nil }
        return headers.fields.contains { $0.lowercased() == "accept-ranges" && headers.string($0) == "bytes" }
    }
}
