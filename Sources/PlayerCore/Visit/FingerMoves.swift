/// Decides which reports of a finger that is down are moves, and which are the noise of dirt or of a resting finger.
///
/// Dirt trembles, and panels report single places far away from it. Such a report is doubted, as `Contact` does: the
/// finger has moved once the next report is from elsewhere, too. A report from the old place ends the doubt.
///
/// A value without a clock: its owner passes the time.
public struct FingerMoves: Hashable, Sendable {
    /// The shortest interval between two moves.
    static let pace = Duration.seconds(1)

    /// Where the finger touched, or where its last move led.
    private var place: Finger
    private var movedAt: MonotonicTime?
    /// Whether the last report was from elsewhere.
    private var isDoubted = false

    public init(_ finger: Finger) { place = finger }

    /// Handles a report of the finger.
    /// - Parameter layout: says how far a resting finger trembles.
    /// - Returns: whether it is a move, at most once per second.
    public mutating func take(_ finger: Finger, on layout: OSDLayout, at now: MonotonicTime) -> Bool {
        let wasDoubted = isDoubted
        isDoubted = !layout.isResting(finger, at: place)
        guard isDoubted, wasDoubted, movedAt.map({ now - $0 >= Self.pace }) ?? true else { return false }
        (place, movedAt, isDoubted) = (finger, now, false)
        return true
    }
}
