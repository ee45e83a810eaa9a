/// Names an observer of the film's time.
public struct TimeObserverID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// The observers of the film's time, and the place up to which they have been notified.
///
/// The film's path is one line without gaps: each place of it is passed once, in order, even if the clock or the
/// pipeline reports a slightly earlier or later time. A jump starts a new line.
public struct TimeObservers: Sendable {
    public enum Kind: Hashable, Sendable {
        /// At each multiple of an interval that the film passes; after a jump and at starts and stops, at once. A late
        /// observer gets the newest time only.
        case periodic(MediaTime)
        /// At each of these times when the film plays past it; not when it jumps over it.
        case boundaries([MediaTime])
    }

    /// One notification: the observer and the film's time.
    public struct Call: Hashable, Sendable {
        public var observer: TimeObserverID
        public var time: MediaTime
    }

    private var observers: [(id: TimeObserverID, kind: Kind)] = []
    /// The place up to which observers have been notified.
    private(set) var place = MediaTime.zero
    /// Whether the film has jumped here and not moved on.
    private var isFresh = true
    /// Periodic notifications pause while somebody scrubs.
    var isScrubbing = false

    public init() {}

    /// Adds an observer. An interval of 0 or less never fires. Boundaries may be in any order.
    public mutating func add(_ id: TimeObserverID, _ kind: Kind) {
        switch kind {
        case .periodic(let interval) where interval <= .zero: return
        case .periodic: observers.append((id, kind))
        case .boundaries(let times): observers.append((id, .boundaries(times.sorted())))
        }
    }

    public mutating func remove(_ id: TimeObserverID) { observers.removeAll { $0.id == id } }

    var isEmpty: Bool { observers.isEmpty }

    /// Moves to a place without notifying: everything before it counts as passed.
    mutating func stand(at time: MediaTime) {
        guard time != place else { return }
        place = time
        isFresh = false
    }

    /// The film played on to here.
    mutating func run(to time: MediaTime, isReverse: Bool) -> [Call] {
        guard isReverse ? time < place : time > place else { return [] }
        var calls: [(call: Call, order: Int)] = []
        for (order, (id, kind)) in observers.enumerated() {
            switch kind {
            case .periodic(let interval):
                let last = isReverse ? time.multiple(of: interval, .up) : time.multiple(of: interval, .down)
                guard isReverse ? last < place : last > place, !isScrubbing else { continue }
                calls.append((Call(observer: id, time: last), order))
            case .boundaries(let times):
                calls += times.filter { passes($0, to: time, isReverse) }.map { (Call(observer: id, time: $0), order) }
            }
        }
        place = time
        isFresh = false
        calls.sort { left, right in
            if left.call.time == right.call.time { return left.order < right.order }
            return (left.call.time < right.call.time) != isReverse
        }
        return calls.map(\.call)
    }

    private func passes(_ boundary: MediaTime, to time: MediaTime, _ isReverse: Bool) -> Bool {
        if boundary == place { return isFresh }
        return isReverse ? boundary >= time && boundary < place : boundary <= time && boundary > place
    }

    /// The film jumped to another place.
    mutating func jump(to time: MediaTime) -> [Call] {
        place = time
        isFresh = true
        return report(time)
    }

    /// The film starts or stops here.
    func report(_ time: MediaTime) -> [Call] {
        guard !isScrubbing else { return [] }
        return observers.compactMap { id, kind in
            if case .periodic = kind { Call(observer: id, time: time) } else { nil }
        }
    }

    /// The next place to notify on the way.
    func next(isReverse: Bool) -> MediaTime? {
        let places = observers.compactMap { _, kind -> MediaTime? in
            switch kind {
            case .periodic(let interval):
                let rest = place.multiple(of: interval, isReverse ? .up : .down)
                return isScrubbing ? nil : isReverse ? rest - interval : rest + interval
            case .boundaries(let times):
                if isReverse { return times.last { $0 < place || isFresh && $0 == place } }
                return times.first { $0 > place || isFresh && $0 == place }
            }
        }
        return isReverse ? places.max() : places.min()
    }
}

extension MediaTime {
    fileprivate func multiple(of interval: MediaTime, _ rounding: Rounding) -> MediaTime {
        let length = RationalTime(value: interval.nanoseconds, timescale: 1_000_000_000)
        return interval * (length.flatMap { count(of: $0, rounding: rounding) } ?? 0)
    }
}
