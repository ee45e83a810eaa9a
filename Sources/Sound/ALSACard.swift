internal import Glibc
internal import TextFiles

/// A sound card as the kernel lists it in `/proc/asound`.
struct ALSACard: Hashable, Sendable {
    /// A playback device of the card.
    struct Output: Hashable, Sendable {
        var device: Int
        /// The driver's name, such as "HDMI 0".
        var name: String
    }

    var number: Int
    /// The id in ALSA's PCM names: "vc4hdmi0".
    var id: String
    var driver: String
    /// The model, such as "USB Audio Device".
    var name: String
    /// The USB socket by the kernel's name, such as "1-1.4"; `nil` for other cards.
    var port: String?
    /// Sorted by their device numbers.
    var outputs: [Output] = []

    /// The cards with playback, in the kernel's order.
    /// - Parameter root: the folder that contains `proc`.
    static func all(below root: String) -> [ALSACard] {
        func lines(_ file: String) -> [Substring] {
            let bytes = (try? WholeFile.bytes(of: "\(root)/proc/asound/\(file)")) ?? []
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        }
        var cards = lines("cards").compactMap { ALSACard($0) }
        for line in lines("pcm") {
            guard let (card, output) = output(in: line), let place = cards.firstIndex(where: { $0.number == card })
            else { continue }
            cards[place].outputs.append(output)
        }
        for place in cards.indices {
            cards[place].outputs.sort { $0.device < $1.device }
            guard cards[place].driver == "USB-Audio" else { continue }
            cards[place].port = port(behind: "\(root)/sys/class/sound/card\(cards[place].number)/device")
        }
        return cards.filter { !$0.outputs.isEmpty }
    }

    /// - Parameter link: to the USB interface: "../../../1-1.4:1.0".
    private static func port(behind link: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let target = String(decoding: bytes[..<count], as: UTF8.self)
        guard let interface = target.split(separator: "/").last, let colon = interface.firstIndex(of: ":")
        else { return nil }
        return String(interface[..<colon])
    }

    /// Parses ` 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0`. `nil` for the second line of a card.
    init?(_ line: Substring) {
        guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
            let number = Int(line[..<open].trimmed), line[close...].hasPrefix("]: ")
        else { return nil }
        self.number = number
        id = line[line.index(after: open)..<close].trimmed
        let model = line[close...].dropFirst(3)
        // The driver's name may contain a dash without spaces around it.
        let dash = model.firstRange(of: " - ")
        driver = model[..<(dash?.lowerBound ?? model.endIndex)].trimmed
        name = dash.map { model[$0.upperBound...].trimmed } ?? driver
    }

    /// Parses `00-03: HDMI 0 : HDMI 0 : playback 1`. `nil` for a device that only records.
    private static func output(in line: Substring) -> (card: Int, Output)? {
        guard let colon = line.firstRange(of: ": ") else { return nil }
        let numbers = line[..<colon.lowerBound].split(separator: "-").compactMap { Int($0) }
        let parts = line[colon.upperBound...].split(separator: ":").map(\.trimmed)
        guard numbers.count == 2, parts.contains(where: { $0.hasPrefix("playback ") }) else { return nil }
        return (numbers[0], Output(device: numbers[1], name: parts[0]))
    }
}

extension Substring {
    /// The text without spaces at both ends.
    var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
