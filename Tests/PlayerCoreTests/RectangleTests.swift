import PlayerCore
import Testing

@Suite("What of a rectangle lies on a display (A1)")
struct RectangleTests {
    typealias Rectangle = OSDLayout.Rectangle

    struct Case: CustomTestStringConvertible {
        var rectangle: Rectangle
        var part: Rectangle?

        init(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ part: Rectangle?) {
            (rectangle, self.part) = (.init(x: x, y: y, width: width, height: height), part)
        }

        var testDescription: String { "\(rectangle)" }
    }

    /// On a display of 1280x720.
    static let cases = [
        Case(100, 60, 640, 360, .init(x: 100, y: 60, width: 640, height: 360)),
        Case(0, 0, 1280, 720, .init(x: 0, y: 0, width: 1280, height: 720)),
        Case(-100, -50, 640, 360, .init(x: 0, y: 0, width: 540, height: 310)),
        Case(1000, 600, 640, 360, .init(x: 1000, y: 600, width: 280, height: 120)),
        Case(-10, -10, 5000, 5000, .init(x: 0, y: 0, width: 1280, height: 720)),
        // To whole squares of 2x2 pixels, inwards.
        Case(101, 61, 640, 360, .init(x: 102, y: 62, width: 638, height: 358)),
        Case(101, 60, 3, 360, .init(x: 102, y: 60, width: 2, height: 360)),
        Case(101, 60, 2, 360, nil),
        Case(100, 60, 1, 360, nil),
        // Empty, or beside it.
        Case(100, 60, 0, 360, nil),
        Case(100, 60, 640, -360, nil),
        Case(1280, 0, 640, 360, nil),
        Case(0, 720, 640, 360, nil),
        Case(-640, 0, 640, 360, nil),
        // The largest values.
        Case(0, 0, .max, .max, .init(x: 0, y: 0, width: 1280, height: 720)),
        Case(2, 4, .max, .max, .init(x: 2, y: 4, width: 1278, height: 716)),
        Case(.min, .min, .max, .max, nil),
        Case(.max, .max, .max, .max, nil),
    ]

    @Test("cut to the display", arguments: cases)
    func part(_ one: Case) {
        #expect(one.rectangle.part(ofDisplayWidth: 1280, height: 720) == one.part)
    }

    @Test("a display of odd size is cut, too")
    func odd() {
        let whole = Rectangle(x: 0, y: 0, width: 1367, height: 769)
        #expect(whole.part(ofDisplayWidth: 1367, height: 769) == .init(x: 0, y: 0, width: 1366, height: 768))
    }
}
