import NIOCore

/// The answer to a request, its members in mpv's order.
struct IPCReply {
    /// `nil` data: the verb's reply has none, not even `null`.
    var outcome: Result<JSONValue?, MPVError>

    func json(to request: IPCRequest) -> JSONObject {
        var isAsyncCommand = false
        if case .success(.command) = request.verb { isAsyncCommand = request.isAsync }
        var object = JSONObject()
        switch outcome {
        case .success(let data):
            if !isAsyncCommand { object["data"] = data }
            object["request_id"] = request.id
            object["error"] = "success"
            if isAsyncCommand { object["data"] = data }
        case .failure(let error):
            object["request_id"] = request.id
            object["error"] = .string(error.rawValue)
            if isAsyncCommand { object["data"] = .null }
        }
        return object
    }
}

extension ByteBuffer {
    /// `object` as a line of the protocol.
    init(line object: JSONObject) {
        self.init(string: JSONValue.object(object).jsonText + "\n")
    }
}
