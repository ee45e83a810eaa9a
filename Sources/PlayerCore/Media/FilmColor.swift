/// The coefficients between YCbCr and RGB.
public enum ColorMatrix: String, Hashable, Sendable {
    case bt601, bt709, bt2020
}

/// How a film's YCbCr is meant.
public struct FilmColor: Hashable, Sendable {
    public var matrix: ColorMatrix
    /// Black and white are 0 and 255, not 16 and 235.
    public var isFullRange: Bool

    public init(matrix: ColorMatrix, isFullRange: Bool = false) {
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
