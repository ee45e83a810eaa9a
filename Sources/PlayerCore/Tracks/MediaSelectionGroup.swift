/// The sounds, or the subtitles, of a film that is open, and which of them is chosen.
public struct MediaSelectionGroup: Hashable, Sendable {
    /// Of which kind its options are.
    public var characteristic: MediaCharacteristic
    /// The film's own in their order, then subtitles of files beside it.
    public var options: [MediaOption]
    /// What is heard, or read; `nil`: none.
    public var selectedOption: MediaOption?

    /// None is chosen unless it says so.
    public init(
        _ characteristic: MediaCharacteristic, options: [MediaOption] = [], selectedOption: MediaOption? = nil
    ) {
        self.characteristic = characteristic
        self.options = options
        self.selectedOption = selectedOption
    }
}
