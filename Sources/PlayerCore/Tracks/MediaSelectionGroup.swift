/// The audio or subtitle tracks of an open film, and the selected one.
public struct MediaSelectionGroup: Hashable, Sendable {
    /// The kind of the options.
    public var characteristic: MediaCharacteristic
    /// The film's own tracks in their order, then the subtitles of files beside it and closed captions.
    public var options: [MediaOption]
    /// The audible or visible track; `nil` for none.
    public var selectedOption: MediaOption?

    /// A group; no option is selected by default.
    public init(
        _ characteristic: MediaCharacteristic, options: [MediaOption] = [], selectedOption: MediaOption? = nil
    ) {
        self.characteristic = characteristic
        self.options = options
        self.selectedOption = selectedOption
    }
}
