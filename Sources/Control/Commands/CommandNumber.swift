/// Numbers as text, in the forms of mpv's commands and properties.
enum CommandNumber {
    /// Decimal or hexadecimal; leading spaces are allowed, NaN and infinity are not.
    static func double(_ text: String) -> Double? {
        guard let number = Double(text.drop { $0 == " " }), number.isFinite else { return nil }
        return number
    }

    /// Decimal or hexadecimal, 32 bits.
    static func integer(_ text: String) -> Int32? {
        let negative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" || $0 == "+" }
        guard text.count - digits.count <= 1 else { return nil }
        let hexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let sign = negative ? "-" : ""
        return hexadecimal ? Int32(sign + digits.dropFirst(2), radix: 16) : Int32(sign + digits)
    }

    /// Seconds: a number, `[-+]MM:SS[.frac]` or `[-+]HH:MM:SS[.frac]`. Fields may exceed 59.
    static func time(_ text: String) -> Double? {
        if let number = double(text) { return number }
        let negative = text.hasPrefix("-")
        let fields = (negative || text.hasPrefix("+") ? text.dropFirst() : text[...])
            .split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 2 || fields.count == 3, let last = fields.last else { return nil }
        guard let seconds = Double(last), seconds.isFinite, seconds.sign == .plus else { return nil }
        var minutes: UInt32 = 0
        for field in fields.dropLast() {
            guard let number = UInt32(field) else { return nil }
            let (product, overflow) = minutes.multipliedReportingOverflow(by: 60)
            let (sum, carry) = product.addingReportingOverflow(number)
            guard !overflow, !carry else { return nil }
            minutes = sum
        }
        return (negative ? -1 : 1) * (Double(minutes) * 60 + seconds)
    }
}
