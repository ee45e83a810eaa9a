import FoundationEssentials
import Glibc
import Testing

@testable import Control

@Suite("JSON") struct JSONTests {
    /// glibc's `%f` in the C locale, which the tests run in.
    private func printed(_ number: Double) -> String {
        var text = [CChar](repeating: 0, count: 400)
        _ = withVaList([number]) { vsnprintf(&text, text.count, "%f", $0) }
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    @Test("doubles are printed as C's %f prints them, ties included")
    func doubles() {
        var numbers = [
            0, -0.0, 1, -1, 0.1 + 0.2, 1.0 / 3, 5e-7, 1.5e-6, 2.5e-6, 3.5e-6, -1e-9, 0.9999995, 0.99999949, 3.0000005,
            123456789.1234565, 4503599627370495.5, 1e15, 1e22, 1.7e38, 0x1p-20, 0x3p-21, 0x1p-7, 0x5p-7, 0.0000005,
        ]
        var random = SplitMix(seed: 1)
        for _ in 0..<20_000 {
            let scale = pow(10, Double(Int.random(in: -8...12, using: &random)))
            numbers.append(Double.random(in: -1...1, using: &random) * scale)
            // Multiples of 2^-7 and the like, which can be exactly between two millionths.
            numbers.append(Double(Int.random(in: -100_000_000...100_000_000, using: &random)) / 128)
        }
        for number in numbers { #expect(JSONValue.double(number).jsonText == printed(number), "\(number)") }
    }

    @Test("what is no number is quoted")
    func notNumbers() {
        #expect(JSONValue.double(.nan).jsonText == #""nan""#)
        #expect(JSONValue.double(-.infinity).jsonText == #""-inf""#)
    }

    @Test("strings are escaped as mpv escapes them, members keep their order")
    func strings() {
        let value: JSONValue = ["b": "a\"b\\c/d\u{8}\t\n\u{c}\r\u{1}\u{1f}\u{7f}é€😀\u{2028}", "a": [1, .null, true]]
        #expect(
            value.jsonText == #"{"b":"a\"b\\c/d\b\t\n\f\r\u0001\u001f"# + "\u{7f}é€😀\u{2028}" + #"","a":[1,null,true]}"#
        )
    }

    @Test("reading gives back what was printed, to 200 levels")
    func roundTrip() throws {
        var value: JSONValue = ["i": 1, "d": 1.5, "s": "x\n", "n": .null, "b": false, "a": []]
        for _ in 0..<100 { value = ["x": [value]] }
        #expect(try JSONValue(jsonText: Data(value.jsonText.utf8)) == value)
    }

    @Test("objects are equal in any order, a removed member is gone")
    func objects() {
        var object: JSONObject = ["a": 1, "b": 2]
        #expect(object == ["b": 2, "a": 1])
        #expect(object != ["b": 2, "a": 3])
        object["a"] = nil
        #expect(object == ["b": 2])
    }
}

/// A generator with a seed: a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
