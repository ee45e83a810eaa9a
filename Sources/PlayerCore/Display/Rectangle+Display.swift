extension OSDLayout.Rectangle {
    /// The part on a display of this size, cut to whole squares of 2x2 pixels as frames of 4:2:0 have them; `nil` if
    /// there is no whole square.
    public func part(ofDisplayWidth width: Int, height: Int) -> Self? {
        let (across, down) = (Self.part(from: x, self.width, of: width), Self.part(from: y, self.height, of: height))
        guard !across.isEmpty, !down.isEmpty else { return nil }
        return .init(x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    }

    private static func part(from start: Int, _ length: Int, of whole: Int) -> Range<Int> {
        let (end, isBeyond) = start.addingReportingOverflow(max(length, 0))
        let first = (min(max(start, 0), whole) + 1) & ~1
        let last = (isBeyond ? whole : min(max(end, 0), whole)) & ~1
        return first..<max(first, last)
    }
}
