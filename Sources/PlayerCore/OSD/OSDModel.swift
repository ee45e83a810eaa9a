/// The content of the on-screen display: a value. A model equal to the last one needs no drawing.
public struct OSDModel: Hashable, Sendable {
    /// Whether the bar and its texts are on the screen. When hidden, and without subtitles, it costs nothing: no
    /// drawing, and its plane is off.
    public var isVisible: Bool
    /// The subtitles' lines; "" for none.
    public var subtitle = ""
    /// `nil` for live media, which have no seek bar, and while the duration is unknown.
    public var bar: Bar?
    /// `HH:mm:ss / HH:mm:ss`: see `timeText(position:duration:)`.
    public var timeText: String
    public var title: String
    /// "Buffering 40%", or an error in plain words; shown in place of the title.
    public var message: String?
    /// Whether the live mark is drawn before the title.
    public var isLive: Bool
    /// The viewer's intent, not the pipeline's state: a drag does not change it.
    public var isPaused: Bool
    /// The buttons and the panel above the bar, from the lowest to the topmost.
    public var widgets: [Widget] = []
    /// The picture above the bar's thumb, over all else. It moves with the thumb, and the widgets do not.
    public var preview: Widget?

    /// The seek bar: fractions 0...1 of the duration.
    public struct Bar: Hashable, Sendable {
        public var thumb: Double
        /// The end of the part that is loaded ahead of the thumb; `nil` if unknown, or if all is loaded.
        public var buffered: Double?
        /// Whether a finger holds the thumb: it is drawn larger.
        public var isHeld: Bool
        /// The starts of chapters.
        public var marks: [Double]

        public init(thumb: Double, buffered: Double? = nil, isHeld: Bool = false, marks: [Double] = []) {
            self.thumb = thumb
            self.buffered = buffered
            self.isHeld = isHeld
            self.marks = marks
        }
    }

    public init(
        isVisible: Bool = false, bar: Bar? = nil, timeText: String = "", title: String = "", message: String? = nil,
        isLive: Bool = false, isPaused: Bool = false
    ) {
        self.isVisible = isVisible
        self.bar = bar
        self.timeText = timeText
        self.title = title
        self.message = message
        self.isLive = isLive
        self.isPaused = isPaused
    }
}

extension OSDModel {
    /// Whether anything is on the screen at all.
    public var isShown: Bool { isVisible || !subtitle.isEmpty }

    /// The text beside the bar: `HH:mm:ss / HH:mm:ss`, cut to whole seconds, ` -- ` for an unknown part. The position
    /// is the thumb's, not the pipeline's.
    public static func timeText(position: MediaTime?, duration: MediaTime?) -> String {
        let unknown = " -- "
        return "\(position?.description ?? unknown) / \(duration?.description ?? unknown)"
    }

    /// The text beside the bar that counts down: `-HH:mm:ss`. It is cut as `timeText` is, so that both change at the
    /// same moment.
    public static func remainingText(position: MediaTime?, duration: MediaTime?) -> String {
        guard let position, let duration else { return timeText(position: position, duration: duration) }
        let second: Int64 = 1_000_000_000
        let rest = max(duration.nanoseconds / second - position.nanoseconds / second, 0)
        return "-\(MediaTime(nanoseconds: rest * second))"
    }

    /// This model without differences that are invisible on the display: two models that look the same become equal.
    ///
    /// The bar's fractions are rounded to an eighth of a pixel. Steps of that size are hardly visible at the thumb's
    /// antialiased edge, and a two hours' film moves it by a hundredth of a pixel between two reports of the position.
    /// Marks are on whole pixels, and none is at the bar's ends. A hidden display has no other properties, and pausing
    /// is not drawn.
    public func normalized(for layout: OSDLayout) -> OSDModel {
        guard isVisible else {
            var model = OSDModel()
            model.subtitle = subtitle
            return model
        }
        var model = self
        model.isPaused = false
        if message != nil { model.title = "" }
        if isLive { model.bar = nil }
        if model.bar == nil { model.preview = nil }
        let steps = Double(layout.track.width) * 8
        func rounded(_ fraction: Double) -> Double {
            // NaN counts as 0.
            fraction >= 0 ? (min(fraction, 1) * steps).rounded() / steps : 0
        }
        if var bar = model.bar {
            bar.thumb = rounded(bar.thumb)
            bar.buffered = bar.buffered.map(rounded)
            let width = Double(layout.track.width)
            var marks: [Double] = []
            for mark in bar.marks where mark > 0 && mark < 1 {
                let place = (mark * width).rounded() / width
                if place > 0, place < 1, place != marks.last { marks.append(place) }
            }
            bar.marks = marks
            model.bar = bar
        }
        return model
    }
}
