import FoundationEssentials

// Foundation's encoder keeps no order and prints 1.0 as `1`, which typed clients read as an `int`; mpv keeps both. So
// the brackets, commas and numbers are written here, the strings by Foundation.
extension JSONValue {
    /// The value in mpv's text form: no spaces, members in order, doubles with six decimals.
    public var jsonText: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .integer(let integer): text += String(integer)
        case .double(let double):
            // JSON cannot express these; mpv quotes them.
            text += double.isFinite ? double.sixDecimals : "\"\(double)\""
        case .string(let string): text += Self.quoted(string)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let object):
            text += "{"
            for (index, member) in object.members.enumerated() {
                if index > 0 { text += "," }
                text += Self.quoted(member.key) + ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static let stringEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }()

    private static func quoted(_ string: String) -> String {
        // Encoding a String cannot fail: it is valid Unicode by its type.
        (try? stringEncoder.encode(string)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}

extension Double {
    /// The number as C's `%f` prints it, correctly rounded, in any locale (GStreamer sets the process's locale, and
    /// with it the decimal separator of `printf`). Finite values only.
    var sixDecimals: String {
        let whole = magnitude.rounded(.towardZero)
        guard let digits = Int128(exactly: whole) else { return String(describing: self) }
        let fraction = magnitude - whole  // exact
        let product = fraction * 1_000_000
        var millionths = product.rounded(.toNearestOrEven)
        // The product itself was rounded: if it looks like a tie, its exact error decides.
        if (product - product.rounded(.down)) == 0.5 {
            let error = (-product).addingProduct(fraction, 1_000_000)
            if error != 0 { millionths = product.rounded(error > 0 ? .up : .down) }
        }
        let carry = millionths == 1_000_000
        let decimals = String(carry ? 0 : Int(millionths))
        return (sign == .minus ? "-" : "") + String(carry ? digits + 1 : digits) + "."
            + String(repeating: "0", count: 6 - decimals.count) + decimals
    }
}
