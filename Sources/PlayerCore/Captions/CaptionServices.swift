/// Decodes CEA-708's own captions: from a frame's pairs to the texts of the services.
///
/// A packet has up to 127 bytes behind its header, and consists of blocks, each of one service. The services 1 to 6 have a
/// number in the block's header, those up to 63 one in a second byte.
struct CaptionServices: Sendable {
    /// The bytes of the current packet, without its header.
    private var packet: [UInt8] = []
    /// The length of the current packet; 0 outside any.
    private var length = 0
    /// The number of the last packet, 0 to 3.
    private var sequence: UInt8?
    /// By their number. Index 0 is unused.
    private var services = [CaptionService?](repeating: nil, count: 64)

    /// A film has a few; a hostile one, 63 that change their texts in each frame.
    private static let mostServices = 8

    /// Takes the pairs of one frame, in display order. Frames without pairs count, too.
    /// - Parameter time: the frame's time, for delays.
    /// - Returns: the services with a changed text, counted from 1, and their texts.
    mutating func take(_ pairs: [CaptionPair], at time: MediaTime) -> [(channel: Int, text: String)] {
        for number in services.indices { services[number]?.beginFrame() }
        for pair in pairs where !pair.kind.isField { take(pair, at: time) }
        return services.indices.compactMap { number in
            services[number]?.execute(at: time)
            return services[number]?.takeChange().map { (number, $0) }
        }
    }

    private mutating func take(_ pair: CaptionPair, at time: MediaTime) {
        if pair.kind == .packetStart {
            begin(sequence: pair.first >> 6)
            let size = Int(pair.first & 0x3F)
            // The header is one byte of an even number.
            length = (size == 0 ? 128 : 2 * size) - 1
            packet = [pair.second]
        } else if length > 0 {
            packet += [pair.first, pair.second]
        }
        guard length > 0, packet.count >= length else { return }
        length = 0
        distribute(at: time)
    }

    /// Begins a packet. If one before it is missing or incomplete, the services start anew, because half a text is worse than
    /// none. Some encoders never count: a repeated number is no loss.
    private mutating func begin(sequence new: UInt8) {
        let isNext = sequence.map { new == $0 || new == ($0 + 1) & 3 } ?? true
        if length > 0 || !isNext {
            for number in services.indices { services[number]?.reset() }
        }
        sequence = new
    }

    private mutating func distribute(at time: MediaTime) {
        var bytes = packet[...]
        while let header = bytes.popFirst() {
            var number = Int(header >> 5)
            let size = Int(header & 0x1F)
            if number == 7, size > 0 { number = Int((bytes.popFirst() ?? 0) & 0x3F) }
            // The rest is filler, or damaged.
            guard number > 0, size <= bytes.count else { return }
            guard size > 0 else { continue }
            if services[number] == nil, services.count(where: { $0 != nil }) < Self.mostServices {
                services[number] = CaptionService()
            }
            services[number]?.take(bytes.prefix(size), at: time)
            bytes.removeFirst(size)
        }
    }
}
