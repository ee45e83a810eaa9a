/// A contact on the glass from its touch-down to its lift: a finger, or what a panel takes for one.
///
/// A finger that rests trembles, and panels report it to and fro by some pixels, now and then far away. Two places
/// within `OSDLayout.restRadius` are the same place for a resting contact.
///
/// A value without a clock: its owner passes the time.
struct Contact: Hashable, Sendable {
    /// A contact that stays in one place for so long is void: dirt, water, or a panel that lost the lift.
    static let patience = Duration.seconds(60)
    /// A contact that stays in one place for so long rests: slower than 6 mm in a second.
    static let settling = Duration.milliseconds(500)
    /// A first report from another place may be the panel's mistake, until another report confirms it, or none
    /// contradicts it for so long. Panels report 60 times a second and more while something moves.
    static let doubt = Duration.milliseconds(50)

    /// Fractions of the display, from its left and top edge.
    struct Place: Hashable, Sendable {
        var x: Double
        var y: Double

        init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }

        init(of finger: Finger) {
            self.init(x: finger.x, y: finger.y)
        }
    }

    private enum Motion: Hashable, Sendable {
        /// The contact moves, or has only just stopped. It has been near `centre` since `arrival`. In this direction
        /// the place follows at once; in the opposite one it follows once the distance is more than the panel's noise.
        case moving(near: Place, direction: FloatingPointSign?)
        /// The place is fixed, whatever the panel reports near it.
        case resting
        /// The last report, at that time, was the first one from another place.
        case leaving(rest: Place, to: Place, at: MonotonicTime)
    }

    /// The effective place of the contact.
    private(set) var place: Place
    private var motion: Motion
    /// When the contact arrived where it is.
    private var arrival: MonotonicTime

    init(_ finger: Finger) {
        place = Place(of: finger)
        motion = .moving(near: place, direction: nil)
        arrival = finger.time
    }

    /// When `pass` is due; before that, time alone changes nothing.
    var deadline: MonotonicTime { deadline(after: Self.patience) }

    func deadline(after patience: Duration) -> MonotonicTime {
        if case .leaving(_, _, let time) = motion { return time + Self.doubt }
        return arrival + patience
    }

    func isVoid(at time: MonotonicTime, after patience: Duration = Self.patience) -> Bool { time - arrival >= patience }

    func isResting(at time: MonotonicTime) -> Bool {
        if case .moving = motion { return time - arrival >= Self.settling }
        return true
    }

    /// Handles the panel's report of the contact.
    mutating func move(to finger: Finger, on layout: OSDLayout) {
        pass(to: finger.time)
        let reported = Place(of: finger)
        switch motion {
        case .moving(let centre, let direction):
            if layout.isElsewhere(reported, than: centre) {
                leave(for: reported, at: finger.time, direction: direction)
            }
            follow(to: reported, on: layout)
        case .resting:
            guard layout.isElsewhere(reported, than: place) else { return }
            motion = .leaving(rest: place, to: reported, at: finger.time)
            // Followed at once, unless no hand starts so fast.
            if !layout.isFar(reported, from: place) { place = reported }
        case .leaving(let rest, _, _):
            if layout.isElsewhere(reported, than: rest) {
                leave(for: reported, at: finger.time)
                place = reported
            } else {
                motion = .resting
                place = rest
            }
        }
    }

    /// Ends the contact. Reports while the pressure fades are not the finger's place.
    mutating func lift(at time: MonotonicTime) {
        pass(to: time)
        if case .leaving(let rest, _, _) = motion { place = rest }
    }

    /// Applies the decisions that depend on time alone.
    mutating func pass(to time: MonotonicTime) {
        if case .leaving(_, let reported, let at) = motion, time - at >= Self.doubt {
            leave(for: reported, at: at)
            place = reported
        }
        if case .moving = motion, time - arrival >= Self.settling { motion = .resting }
    }

    private mutating func leave(for reported: Place, at time: MonotonicTime, direction: FloatingPointSign? = nil) {
        motion = .moving(near: reported, direction: direction)
        arrival = time
    }

    private mutating func follow(to reported: Place, on layout: OSDLayout) {
        guard case .moving(let centre, let direction) = motion else { return }
        place.y = reported.y
        let way = reported.x - place.x
        guard way != 0, direction == nil || direction == way.sign || abs(way) >= layout.noise else { return }
        place.x = reported.x
        motion = .moving(near: centre, direction: way.sign)
    }
}

extension OSDLayout {
    /// Whether a finger is where it was, as far as is known: a resting finger trembles.
    func isResting(_ finger: Finger, at before: Finger) -> Bool {
        !isElsewhere(Contact.Place(of: finger), than: Contact.Place(of: before))
    }

    fileprivate func isElsewhere(_ place: Contact.Place, than other: Contact.Place) -> Bool {
        distance(place, other) > restRadius
    }

    /// Whether the distance is above 18 mm, which is 1 m/s from one report to the next.
    fileprivate func isFar(_ place: Contact.Place, from other: Contact.Place) -> Bool {
        distance(place, other) > restRadius * 6
    }

    private func distance(_ place: Contact.Place, _ other: Contact.Place) -> Double {
        let across = (place.x - other.x) * Double(displayWidth)
        let down = (place.y - other.y) * Double(displayHeight)
        return (across * across + down * down).squareRoot()
    }

    /// The distance between a panel's reports of a resting finger: 1 mm, as a fraction of the display's width.
    fileprivate var noise: Double { restRadius / 3 / Double(displayWidth) }
}
