/// Chooses one of a connector's modes.
enum ModeRule {
    /// The most pixels that are worth sending by default: boards for kiosks decode 1080p, and 4K at 60 Hz uses the
    /// memory bandwidth that the decoder needs.
    static let limit = (longSide: 1920, shortSide: 1080)
    /// The rate above which a film gains nothing.
    static let bestRefreshMillihertz = 60_500
    /// The greatest difference between a display's rate and the requested one: "60" means 59.94 too.
    static let toleranceMillihertz = 500

    static func choose(
        for connector: DisplayInventory.Connector, request: ModeRequest?
    ) throws(KMSError) -> (mode: DisplayMode, reason: String) {
        if let request {
            guard let mode = match(request, in: connector.modes) else {
                throw .noSuchMode(requested: request, connector: connector.name, available: connector.modes)
            }
            return (mode, "mode \(mode): it was asked for as \(request)")
        }
        let preferred = connector.modes.first(where: \.isPreferred)
        if let preferred, isWithinLimit(preferred), !preferred.isInterlaced {
            return (preferred, "mode \(preferred): the display prefers it")
        }
        let limitText = "\(limit.longSide)x\(limit.shortSide)"
        let modest = connector.modes.filter { isWithinLimit($0) && !$0.isInterlaced }
        if let largest = modest.map(pixels).max(), let mode = best(of: modest.filter { pixels($0) == largest }) {
            let reason =
                preferred.map {
                    "the largest up to \(limitText); the display prefers \($0), which "
                        + ($0.isInterlaced ? "shows each frame as two halves" : "costs too much")
                } ?? "the largest up to \(limitText); the display prefers none"
            return (mode, "mode \(mode): \(reason)")
        }
        guard let mode = preferred ?? best(of: connector.modes) else {
            throw .noSuchMode(
                requested: ModeRequest(width: limit.longSide, height: limit.shortSide), connector: connector.name,
                available: [])
        }
        return (mode, "mode \(mode): the display offers none up to \(limitText)")
    }

    /// The modes to try if the driver refuses `mode`: its size at other rates, then smaller sizes, the largest first;
    /// progressive before interlaced.
    static func fallbacks(from mode: DisplayMode, in modes: [DisplayMode]) -> [DisplayMode] {
        let others = modes.filter { !isSame($0, mode) && $0.width <= mode.width && $0.height <= mode.height }
        return others.enumerated().sorted { one, other in
            func rank(_ entry: (offset: Int, element: DisplayMode)) -> (Int, Int, Int, Int) {
                let rate = entry.element.refreshMillihertz
                return (
                    entry.element.isInterlaced ? 1 : 0, -pixels(entry.element),
                    rate <= bestRefreshMillihertz ? -rate : rate, entry.offset
                )
            }
            return rank(one) < rank(other)
        }.map(\.element)
    }

    /// The progressive mode of the current one's size that shows each of a film's frames for the same time: its rate is
    /// a whole multiple of the film's. It is the lowest such rate from 48 Hz on, because the OSD moves at that rate
    /// too, else the highest below. `nil` if none is better than the current one, or none matches.
    /// - Parameter frameDuration: nanoseconds.
    static func matching(
        frameDuration: Int, in modes: [DisplayMode], present: DisplayMode
    ) -> DisplayMode? {
        guard frameDuration > 0 else { return nil }
        let film = 1e12 / Double(frameDuration)
        /// Lower is better; `nil` if the mode does not match.
        func grade(_ mode: DisplayMode) -> (Int, Int)? {
            let multiple = (Double(mode.refreshMillihertz) / film).rounded()
            guard multiple >= 1, !mode.isInterlaced else { return nil }
            let error = abs(Double(mode.refreshMillihertz) / (film * multiple) - 1)
            // 24 and 24000/1001 differ by 0.1 %: one frame too many or too few in 42 s, still far better than 60 Hz.
            guard error < 0.0015 else { return nil }
            return (error < 0.0005 ? 0 : 1, mode.refreshMillihertz < smoothMillihertz ? 1 : 0)
        }
        let suiting = modes.filter { $0.width == present.width && $0.height == present.height }
            .compactMap { mode in grade(mode).map { (mode: mode, grade: $0) } }
        guard let best = suiting.map(\.grade).min(by: <) else { return nil }
        if let now = grade(present), now <= best { return nil }
        let equals = suiting.filter { $0.grade == best }.map(\.mode)
        func isLess(_ one: DisplayMode, _ other: DisplayMode) -> Bool {
            one.refreshMillihertz < other.refreshMillihertz
        }
        return best.1 == 0 ? equals.min(by: isLess) : equals.max(by: isLess)
    }

    /// The rate from which a moving bar looks smooth.
    private static let smoothMillihertz = 47_900

    /// Whether the modes differ only in the display's preference.
    private static func isSame(_ one: DisplayMode, _ other: DisplayMode) -> Bool {
        one.width == other.width && one.height == other.height && one.isInterlaced == other.isInterlaced
            && one.refreshMillihertz == other.refreshMillihertz
    }

    /// The mode for a request: of its size, nearest to its rate if it has one, else with the best rate.
    private static func match(_ request: ModeRequest, in modes: [DisplayMode]) -> DisplayMode? {
        let sameSize = modes.filter { $0.width == request.width && $0.height == request.height }
        guard let refresh = request.refreshMillihertz else { return best(of: sameSize) }
        func distance(_ mode: DisplayMode) -> Int { abs(mode.refreshMillihertz - refresh) }
        let near = sameSize.filter { distance($0) <= toleranceMillihertz }
        guard let least = near.map(distance).min() else { return nil }
        return best(of: near.filter { distance($0) == least })
    }

    /// Progressive before interlaced; then the display's preference; then the highest rate up to 60 Hz, or else the
    /// lowest above; then the display's order.
    private static func best(of modes: [DisplayMode]) -> DisplayMode? {
        func rank(_ mode: DisplayMode) -> (Int, Int, Int) {
            let rate = mode.refreshMillihertz
            return (mode.isInterlaced ? 0 : 1, mode.isPreferred ? 1 : 0, rate <= bestRefreshMillihertz ? rate : -rate)
        }
        return modes.reduce(nil) { best, mode in
            guard let best else { return mode }
            return rank(mode) > rank(best) ? mode : best
        }
    }

    private static func isWithinLimit(_ mode: DisplayMode) -> Bool {
        max(mode.width, mode.height) <= limit.longSide && min(mode.width, mode.height) <= limit.shortSide
    }

    private static func pixels(_ mode: DisplayMode) -> Int { mode.width * mode.height }
}
