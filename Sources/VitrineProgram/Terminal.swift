import Foundation

/// Standard error, a line at a time.
func tell(_ text: String) {
    FileHandle.standardError.write(Data("vitrine: \(text)\n".utf8))
}

/// Standard output, seen at once also by a pipe's other end.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}
