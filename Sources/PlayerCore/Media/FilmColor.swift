/// The coefficients between YCbCr and RGB.
public enum ColorMatrix: String, Hashable, Sendable {
    case bt601, bt709, bt2020
}

/// The encoding of a film's YCbCr.
public struct FilmColor: Hashable, Sendable {
    public var matrix: ColorMatrix
    /// Whether black and white are 0 and 255 instead of 16 and 235.
    public var isFullRange: Bool

    public init(matrix: ColorMatrix, isFullRange: Bool = false) {
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
