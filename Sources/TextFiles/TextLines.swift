/// A text's lines without their ends, produced one after another, so that a file of eight million empty lines needs no
/// memory for them.
public struct TextLines: Sequence {
    let text: String

    public struct Iterator: IteratorProtocol {
        /// `nil` once the last line, which has no end, was taken.
        private var rest: Substring.UTF8View?

        fileprivate init(_ text: String) { rest = text[...].utf8 }

        public mutating func next() -> String? {
            guard let rest else { return nil }
            let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
            guard let end = rest.firstIndex(where: { $0 == lineFeed || $0 == carriageReturn }) else {
                self.rest = nil
                return String(Substring(rest))
            }
            let after = rest[rest.index(after: end)...]
            self.rest = rest[end] == carriageReturn && after.first == lineFeed ? after.dropFirst() : after
            return String(Substring(rest[..<end]))
        }
    }

    public func makeIterator() -> Iterator { Iterator(text) }
}
