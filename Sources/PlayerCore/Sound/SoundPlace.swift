/// One of the places where sound comes out at the same time.
public enum SoundPlace: Hashable, Sendable, CaseIterable {
    /// The film follows this place's clock.
    case first
    case second
}

/// A value for each place.
public struct SoundPlaces<Value> {
    public var first: Value
    public var second: Value

    public init(first: Value, second: Value) {
        self.first = first
        self.second = second
    }

    public subscript(place: SoundPlace) -> Value {
        get {
            switch place {
            case .first: first
            case .second: second
            }
        }
        set {
            switch place {
            case .first: first = newValue
            case .second: second = newValue
            }
        }
    }
}

extension SoundPlaces: Sendable where Value: Sendable {}
extension SoundPlaces: Equatable where Value: Equatable {}
extension SoundPlaces: Hashable where Value: Hashable {}
