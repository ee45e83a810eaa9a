internal import PlayerCore

extension ControlIcon {
    /// The icon's shapes of one colour, in a square of this size at a place.
    func shapes(x: Double, y: Double, side: Double) -> [Shape] {
        /// Converts from 24ths of the square.
        func at(_ value: Double) -> Double { value * side / 24 }
        func box(_ left: Double, _ top: Double, _ width: Double, _ height: Double, _ radius: Double) -> Shape {
            .box(x: x + at(left), y: y + at(top), width: at(width), height: at(height), radius: at(radius))
        }
        func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ width: Double) -> Shape {
            .line(x0: x + at(x0), y0: y + at(y0), x1: x + at(x1), y1: y + at(y1), width: at(width))
        }
        func polygon(_ corners: [(Double, Double)]) -> Shape {
            .polygon(corners.map { (x: x + at($0.0), y: y + at($0.1)) })
        }
        let stroke = 1.8
        let speaker = [box(2.5, 9, 5, 6, 0.6), polygon([(6, 9.6), (11.5, 4.5), (11.5, 19.5), (6, 14.4)])]
        func wave(_ radius: Double) -> Shape {
            .rightOf(
                .outline(.disc(x: x + at(11.5), y: y + at(12), radius: at(radius)), width: at(stroke)), x: x + at(12.2),
                y: y + at(12), slope: 0.75)
        }
        return switch self {
        // Centred by its weight, not by its box.
        case .play: [polygon([(8, 5), (19.5, 12), (8, 19)])]
        case .pause: [box(7, 5.5, 3.6, 13, 0.8), box(13.4, 5.5, 3.6, 13, 0.8)]
        case .subtitles:
            [
                .outline(box(2.5, 5, 19, 14, 2.4), width: at(stroke)), line(6, 12.2, 11.5, 12.2, stroke),
                line(14.5, 12.2, 18, 12.2, stroke), line(6, 15.6, 8.5, 15.6, stroke),
                line(11.5, 15.6, 18, 15.6, stroke),
            ]
        case .languages:
            [
                .outline(.disc(x: x + at(12), y: y + at(12), radius: at(9)), width: at(stroke)),
                .outline(box(8, 3, 8, 18, 4), width: at(stroke * 0.8)), line(3.4, 9, 20.6, 9, stroke * 0.8),
                line(3.4, 15, 20.6, 15, stroke * 0.8),
            ]
        case .speaker: speaker + [wave(4.6), wave(8.4)]
        case .speakerMuted: speaker + [line(15, 9, 21, 15, stroke), line(21, 9, 15, 15, stroke)]
        case .outputs:
            [
                .outline(box(5.5, 2.5, 13, 19, 2.2), width: at(stroke)),
                .outline(.disc(x: x + at(12), y: y + at(14.5), radius: at(3.4)), width: at(stroke)),
                .disc(x: x + at(12), y: y + at(7), radius: at(1.5)),
            ]
        case .filmstrip:
            [
                .outline(box(2.5, 5, 19, 14, 2), width: at(stroke)),
                .outline(box(7, 5, 10, 14, 0), width: at(stroke * 0.7)),
            ]
                + [8.4, 12, 15.6].flatMap { [line(3.8, $0, 5.6, $0, 1.6), line(18.4, $0, 20.2, $0, 1.6)] }
        case .menu: [3.5, 13.5].flatMap { top in [3.5, 13.5].map { box($0, top, 7, 7, 1.4) } }
        case .more: [5.5, 12, 18.5].map { .disc(x: x + at($0), y: y + at(12), radius: at(1.8)) }
        }
    }

    static let checkMark: [(Double, Double)] = [(5, 12.5), (10, 17.5), (19, 7)]
}
