import Glibc

/// Prints a line to standard error.
func printError(_ text: String) {
    put("vitrine: \(text)\n", on: STDERR_FILENO)
}

/// Prints a line to standard output, flushed so that the reader of a pipe gets it at once.
func say(_ text: String) {
    put("\(text)\n", on: STDOUT_FILENO)
}

private func put(_ text: String, on descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}
