/// A menu of films: posters with titles, pages that are swiped, languages in a corner.
///
/// Drawing and hit-testing take the same widgets. A value without a clock: events come with their time, and `wake` is due at
/// `deadline`.
public struct FilmMenu: Hashable, Sendable {
    /// The menu's content.
    public struct Content: Hashable, Sendable {
        /// "What would you like to see?"
        public var heading: String
        public var films: [Film]
        /// In their speakers' own writing: "Deutsch". Empty if there is no choice.
        public var languages: [String]
        /// The index of the current language.
        public var language: Int?
        /// With a countdown, a touch only keeps the visitor: nothing can be chosen.
        public var countdown: Countdown?
        /// Whether films without another picture are decoded for their posters, which may crash the program.
        public var decodesFilms = true

        public init(heading: String, films: [Film], languages: [String] = [], language: Int? = nil) {
            self.heading = heading
            self.films = films
            self.languages = languages
            self.language = language
        }
    }

    /// The time after which an untouched menu closes.
    public struct Countdown: Hashable, Sendable {
        /// "Touch the screen to stay"
        public var message: String
        public var secondsLeft: Int

        public init(message: String, secondsLeft: Int) {
            self.message = message
            self.secondsLeft = secondsLeft
        }
    }

    public struct Film: Hashable, Sendable {
        public var title: String
        /// The film's path or address, which its poster is made from.
        public var address: String
        /// A picture file to use in place of one of the film's frames.
        public var poster: String?
        /// Another number once one of these files has been replaced by another of its name: the poster is made anew.
        public var revision: Int

        public init(title: String, address: String, poster: String? = nil, revision: Int = 0) {
            self.title = title
            self.address = address
            self.poster = poster
            self.revision = revision
        }
    }

    public enum Output: Hashable, Sendable {
        /// A finger is on the film's poster, and may choose it.
        case aims(film: Int)
        case chose(film: Int)
        case choseLanguage(Int)
    }

    public private(set) var content: Content
    public private(set) var page = 0
    /// The screen that the menu covers.
    public let screen: Controls.Screen
    /// The layout at full height: the menu covers the display.
    public let layout: OSDLayout
    /// A finger that turned no page soon must not keep others from choosing.
    private var touch = WidgetTouch(scrollPatience: WidgetTouch.patience)
    /// The film that was chosen last; its poster looks pressed until the menu is touched, or opened, again. Drawing it released
    /// would take the vblank in which the film's first frame can be shown.
    private var chosen: Int?
    /// The available posters, by the index of their film.
    public var posters: [Int: PictureID] = [:]
    /// A message in place of the heading while it is to be read.
    public var notice: String?

    public init(_ content: Content, on screen: Controls.Screen) {
        self.content = content
        self.screen = screen
        layout = screen.layout([], panelHeight: screen.height)
    }

    /// Takes new films or languages; the page stays if it can.
    public mutating func take(_ content: Content) {
        chosen = nil
        guard content != self.content else { return }
        let begins = content.countdown != nil && self.content.countdown == nil
        if content.films != self.content.films || begins { _ = touch.cancel() }
        self.content = content
        page = min(page, pageCount - 1)
    }

    /// Releases the poster that was chosen last, because its film does not come.
    public mutating func release() { chosen = nil }

    /// When `wake` is due; `nil` if time alone changes nothing.
    public var deadline: MonotonicTime? { touch.deadline }

    // MARK: Places

    private var isPortrait: Bool { screen.height > screen.width }
    private var margin: Int { layout.margin * 3 / 2 }
    /// A poster must be three fingers wide to be recognised, and its title needs room for two words.
    private var columns: Int {
        let most = max(
            (screen.width - 2 * margin + gap) / (max(layout.targetSide * 5 / 2, layout.fontSize * 9) + gap), 1)
        return min(isPortrait ? 2 : 3, most, max(content.films.count, 1))
    }
    private var gap: Int { max(layout.fontSize * 3 / 4, 8) }
    private var titleHeight: Int { layout.fontSize * 3 / 2 }
    private var gridTop: Int { margin + head.height + gap }
    private var gridHeight: Int { max(screen.height - gridTop - margin / 2 - dotsHeight, 1) }
    private var dotsHeight: Int { layout.fontSize }
    private var wideTile: Int { (screen.width - 2 * margin - (columns - 1) * gap) / columns }

    private var rows: Int {
        // One row more is better than posters of the largest size.
        let height = wideTile * 9 / 16 * 4 / 5 + titleHeight
        return min(
            max((gridHeight + gap) / (height + gap), 1), (content.films.count + columns - 1) / max(columns, 1), 4)
    }

    /// The size of a poster, for a film's usual shape.
    public var posterSize: (width: Int, height: Int) {
        let most = max((gridHeight - (max(rows, 1) - 1) * gap) / max(rows, 1) - titleHeight, 16)
        let height = min(wideTile * 9 / 16, most)
        return (max(height * 16 / 9, 16), max(height, 9))
    }

    public var pageSize: Int { max(columns * max(rows, 1), 1) }
    public var pageCount: Int { max((content.films.count + pageSize - 1) / pageSize, 1) }

    /// The films whose posters are needed: those of the shown page first, then those of the page after it and of the
    /// one before.
    public var nearFilms: [Int] {
        [page, page + 1, page - 1].flatMap { page -> Range<Int> in
            guard (0..<pageCount).contains(page) else { return 0..<0 }
            return page * pageSize..<min((page + 1) * pageSize, content.films.count)
        }
    }

    private func frame(of film: Int) -> Widget.Rectangle {
        let (size, place) = (posterSize, film % pageSize)
        let (column, row) = (place % columns, place / columns)
        let width = columns * size.width + (columns - 1) * gap
        let left = (screen.width - width) / 2
        // Spare room is divided above and below.
        let height = max(rows, 1) * (size.height + titleHeight + gap) - gap
        let top = gridTop + max(gridHeight - height, 0) / 2
        return Widget.Rectangle(
            x: left + column * (size.width + gap), y: top + row * (size.height + titleHeight + gap),
            width: size.width, height: size.height)
    }

    // MARK: The heading

    /// The area above the posters.
    private struct Head {
        /// The frame of each language's button.
        var languages: [Widget.Rectangle]
        /// The frame of the heading, in the remaining space.
        var heading: Widget.Rectangle
        var height: Int
    }

    /// A few languages are beside the heading; more of them, or those on a narrow display, are in rows of their own
    /// below it.
    private var head: Head {
        let whole = screen.width - 2 * margin
        // Room for two lines of text, or a larger one.
        let headingHeight = layout.fontSize * 5 / 2
        let rowHeight = max(layout.targetSide, headingHeight)
        let widths = content.languages.map {
            let words = PanelLayout.width(of: $0, fontSize: layout.fontSize) + layout.fontSize * 15 / 8
            return min(max(words, layout.targetSide), whole)
        }
        let sum = widths.reduce(0) { $0 + $1 + gap }
        if sum * 5 <= whole * 3 {
            var left = screen.width - margin - max(sum - gap, 0)
            let places = widths.map { width in
                defer { left += width + gap }
                return Widget.Rectangle(x: left, y: margin, width: width, height: rowHeight)
            }
            let heading = Widget.Rectangle(x: margin, y: margin, width: whole - sum, height: rowHeight)
            return Head(languages: places, heading: heading, height: rowHeight)
        }
        var (left, top, places) = (margin, margin + headingHeight, [Widget.Rectangle]())
        for width in widths {
            if left > margin, left + width > screen.width - margin { (left, top) = (margin, top + layout.targetSide) }
            places.append(Widget.Rectangle(x: left, y: top, width: width, height: layout.targetSide))
            left += width + gap
        }
        return Head(
            languages: places, heading: .init(x: margin, y: margin, width: whole, height: headingHeight),
            height: top + layout.targetSide - margin)
    }

    /// The heading in the largest size that fits.
    private var heading: (text: String, fontSize: Int) {
        FittedText.fit(notice ?? content.heading, into: head.heading, fontSize: layout.fontSize)
    }

    /// The countdown in place of the heading: the seconds in large figures, and then the message.
    private func widgets(of countdown: Countdown) -> [Widget] {
        let (figures, fontSize, height) = ("\(max(countdown.secondsLeft, 0))", layout.fontSize * 2, head.height)
        // The width for two digits, so that nothing moves as 10 becomes 9.
        // They are bold, which is wider than texts are estimated.
        let width = PanelLayout.width(of: figures.count > 2 ? figures : "00", fontSize: fontSize) + fontSize / 4
        let left = margin + width + gap
        let frame = Widget.Rectangle(x: left, y: margin, width: screen.width - margin - left, height: height)
        return [
            words(
                (figures, fontSize), .secondsLeft, in: .init(x: margin, y: margin, width: width, height: height),
                isCentred: true),
            words(FittedText.fit(countdown.message, into: frame, fontSize: layout.fontSize), .heading, in: frame),
        ]
    }

    // MARK: The scene

    /// The texts on the shown page and those beside it, with their font sizes.
    public var texts: [(text: String, fontSize: Int, isBold: Bool)] {
        let heading = heading
        return heading.text.split(separator: "\n").map { (String($0), heading.fontSize, true) }
            + nearFilms.map { (content.films[$0].title, layout.fontSize, true) }
            + content.languages.flatMap { [($0, layout.fontSize, false), ($0, layout.fontSize, true)] }
    }

    public var scene: WidgetScene {
        let all = Widget.Rectangle(x: 0, y: 0, width: screen.width, height: screen.height)
        let gesture = content.countdown == nil ? Widget.Gesture.scroll(.horizontal) : .swallow
        var widgets = [Widget(.panel, frame: all, gesture: gesture, face: .backdrop)]
        if let countdown = content.countdown {
            widgets += self.widgets(of: countdown)
        } else {
            for (place, frame) in head.languages.enumerated() {
                widgets.append(
                    Widget(
                        .option(place), frame: frame,
                        face: .chip(content.languages[place], fontSize: layout.fontSize),
                        state: content.language == place ? .chosen : .normal))
            }
            widgets.append(words(heading, .heading, in: head.heading))
        }
        let first = page * pageSize
        for film in first..<min(first + pageSize, content.films.count) {
            let frame = frame(of: film)
            let target = Widget.Rectangle(
                x: frame.x, y: frame.y, width: frame.width, height: frame.height + titleHeight)
            widgets.append(
                Widget(
                    .picture(film), frame: frame, target: target, gesture: gesture,
                    face: .picture(posters[film], caption: "", fontSize: layout.fontSize, isMarked: false)))
            widgets.append(
                Widget(
                    .title(film),
                    frame: .init(x: frame.x, y: frame.y + frame.height, width: frame.width, height: titleHeight),
                    target: .init(x: 0, y: 0, width: 0, height: 0), gesture: .swallow,
                    face: .text(content.films[film].title, fontSize: layout.fontSize, isCentred: false)))
        }
        if pageCount > 1 {
            widgets.append(
                Widget(
                    .pages,
                    frame: .init(
                        x: 0, y: screen.height - margin / 2 - dotsHeight, width: screen.width, height: dotsHeight),
                    target: .init(x: 0, y: 0, width: 0, height: 0), gesture: .swallow,
                    face: .dots(count: pageCount, chosen: page)))
        }
        let pressed = touch.pressed ?? chosen.map { .picture($0) }
        return WidgetScene(widgets).pressing(pressed == .panel ? nil : pressed)
    }

    /// A text that takes no touches.
    private func words(
        _ words: (text: String, fontSize: Int), _ id: WidgetID, in frame: Widget.Rectangle, isCentred: Bool = false
    ) -> Widget {
        Widget(
            id, frame: frame, target: .init(x: 0, y: 0, width: 0, height: 0), gesture: .swallow,
            face: .text(words.text, fontSize: words.fontSize, isCentred: isCentred))
    }

    // MARK: Fingers

    /// Handles a finger. Unknown fingers change nothing.
    public mutating func handle(_ event: TouchEvent) -> [Output] {
        switch event {
        case .down(let finger):
            let place = (x: finger.x * Double(screen.width), y: finger.y * Double(screen.height))
            guard touch.isFree, let widget = scene.widget(atX: place.x, y: place.y) else { return [] }
            chosen = nil
            return follow(touch.press(finger, on: widget, layout: layout))
        case .motion(let finger): return follow(touch.move(finger, layout: layout))
        case .up(let finger): return follow(touch.lift(finger, layout: layout))
        case .cancel(let finger): return touch.isHeld(by: finger) ? follow(touch.cancel()) : []
        case .panelRemoved(let panel): return follow(touch.cancel(on: panel.id))
        case .frame, .panelAdded: return []
        }
    }

    /// Handles the passing of time: a contact that rests anywhere for long is no visitor's finger.
    public mutating func wake(at time: MonotonicTime) -> [Output] { follow(touch.wake(at: time, layout: layout)) }

    private mutating func follow(_ outputs: [WidgetTouch.Output]) -> [Output] {
        outputs.compactMap { output in
            switch output {
            case .pressed(.picture(let film)): return .aims(film: film)
            case .activated(.picture(let film)):
                chosen = film
                return .chose(film: film)
            case .activated(.option(let place)): return .choseLanguage(place)
            case .scrollEnded(_, let distance):
                turn(distance)
                return nil
            default: return nil
            }
        }
    }

    /// Turns the page after a swipe of an eighth of the display.
    private mutating func turn(_ distance: Double) {
        guard abs(distance) * 8 >= Double(screen.width) else { return }
        page = min(max(page + (distance < 0 ? 1 : -1), 0), pageCount - 1)
    }
}
