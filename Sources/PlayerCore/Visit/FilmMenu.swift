/// A menu of films: posters with titles, pages that are swiped, languages in a corner.
///
/// Drawing and hit-testing take the same widgets. A value without a clock: events come with their time, and `wake` is due at
/// `deadline`.
public struct FilmMenu: Hashable, Sendable {
    /// What it offers.
    public struct Content: Hashable, Sendable {
        /// "What would you like to see?"
        public var heading: String
        public var films: [Film]
        /// As their speakers write them: "Deutsch". Empty: there is no choice.
        public var languages: [String]
        /// The one that holds.
        public var language: Int?

        public init(heading: String, films: [Film], languages: [String] = [], language: Int? = nil) {
            self.heading = heading
            self.films = films
            self.languages = languages
            self.language = language
        }
    }

    public struct Film: Hashable, Sendable {
        public var title: String
        /// Its path or address: what its poster is made of.
        public var address: String
        /// A picture file in place of one of the film's own.
        public var poster: String?

        public init(title: String, address: String, poster: String? = nil) {
            self.title = title
            self.address = address
            self.poster = poster
        }
    }

    public enum Output: Hashable, Sendable {
        /// A finger is on it, and may choose it.
        case aims(film: Int)
        case chose(film: Int)
        case choseLanguage(Int)
    }

    public private(set) var content: Content
    public private(set) var page = 0
    /// What it lies on.
    public let screen: Controls.Screen
    /// Full height: the menu covers the display.
    public let layout: OSDLayout
    private var touch = WidgetTouch()
    /// The posters that are there, by their films' places.
    public var posters: [Int: PictureID] = [:]

    public init(_ content: Content, on screen: Controls.Screen) {
        self.content = content
        self.screen = screen
        layout = screen.layout([], panelHeight: screen.height)
    }

    /// Takes other films or languages; the page stays where it can.
    public mutating func take(_ content: Content) {
        guard content != self.content else { return }
        if content.films != self.content.films { _ = touch.cancel() }
        self.content = content
        page = min(page, pageCount - 1)
    }

    /// When `wake` is due; `nil`: time alone changes nothing.
    public var deadline: MonotonicTime? { touch.deadline }

    // MARK: Places

    private var isPortrait: Bool { screen.height > screen.width }
    private var margin: Int { layout.margin * 3 / 2 }
    /// A poster needs three finger widths to be recognised, and its title two words' room.
    private var columns: Int {
        let most = max(
            (screen.width - 2 * margin + gap) / (max(layout.targetSide * 5 / 2, layout.fontSize * 9) + gap), 1)
        return min(isPortrait ? 2 : 3, most, max(content.films.count, 1))
    }
    private var gap: Int { max(layout.fontSize * 3 / 4, 8) }
    private var headHeight: Int { max(layout.targetSide, layout.fontSize * 2) }
    private var titleHeight: Int { layout.fontSize * 3 / 2 }
    private var gridTop: Int { margin + headHeight + gap }
    private var gridHeight: Int { max(screen.height - gridTop - margin / 2 - dotsHeight, 1) }
    private var dotsHeight: Int { layout.fontSize }
    private var wideTile: Int { (screen.width - 2 * margin - (columns - 1) * gap) / columns }

    private var rows: Int {
        let height = wideTile * 9 / 16 + titleHeight
        return min(
            max((gridHeight + gap) / (height + gap), 1), (content.films.count + columns - 1) / max(columns, 1), 4)
    }

    /// A poster's size, of a film's usual shape.
    public var posterSize: (width: Int, height: Int) {
        let most = max((gridHeight - (max(rows, 1) - 1) * gap) / max(rows, 1) - titleHeight, 16)
        let height = min(wideTile * 9 / 16, most)
        return (max(height * 16 / 9, 16), max(height, 9))
    }

    public var pageSize: Int { max(columns * max(rows, 1), 1) }
    public var pageCount: Int { max((content.films.count + pageSize - 1) / pageSize, 1) }

    private func frame(of film: Int) -> Widget.Rectangle {
        let (size, place) = (posterSize, film % pageSize)
        let (column, row) = (place % columns, place / columns)
        let width = columns * size.width + (columns - 1) * gap
        let left = (screen.width - width) / 2
        // What leaves room stands in the middle of it.
        let height = max(rows, 1) * (size.height + titleHeight + gap) - gap
        let top = gridTop + max(gridHeight - height, 0) / 2
        return Widget.Rectangle(
            x: left + column * (size.width + gap), y: top + row * (size.height + titleHeight + gap),
            width: size.width, height: size.height)
    }

    // MARK: The scene

    /// What is to be read on it, with the size of its letters.
    public var texts: [(text: String, fontSize: Int, isBold: Bool)] {
        [(content.heading, layout.fontSize * 5 / 4, true)] + content.films.map { ($0.title, layout.fontSize, true) }
            + content.languages.flatMap { [($0, layout.fontSize, false), ($0, layout.fontSize, true)] }
    }

    public var scene: WidgetScene {
        let all = Widget.Rectangle(x: 0, y: 0, width: screen.width, height: screen.height)
        var widgets = [Widget(.panel, frame: all, gesture: .scroll(.horizontal), face: .backdrop)]
        var right = screen.width - margin
        for (place, language) in content.languages.enumerated().reversed() {
            let width = max(layout.fontSize * (language.count + 3) * 5 / 8, layout.targetSide)
            // They never reach over the half of it, where the heading is.
            guard right - width >= screen.width / 2 else { break }
            let frame = Widget.Rectangle(x: right - width, y: margin, width: width, height: headHeight)
            widgets.append(
                Widget(
                    .option(place), frame: frame, face: .chip(language, fontSize: layout.fontSize),
                    state: content.language == place ? .chosen : .normal))
            right -= width + gap
        }
        widgets.append(
            Widget(
                .heading, frame: .init(x: margin, y: margin, width: max(right - margin, 1), height: headHeight),
                target: .init(x: 0, y: 0, width: 0, height: 0), gesture: .swallow,
                face: .text(content.heading, fontSize: layout.fontSize * 5 / 4, isCentred: false)))
        let first = page * pageSize
        for film in first..<min(first + pageSize, content.films.count) {
            let frame = frame(of: film)
            let target = Widget.Rectangle(
                x: frame.x, y: frame.y, width: frame.width, height: frame.height + titleHeight)
            widgets.append(
                Widget(
                    .picture(film), frame: frame, target: target, gesture: .scroll(.horizontal),
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
        return WidgetScene(widgets).pressing(touch.pressed == .panel ? nil : touch.pressed)
    }

    // MARK: Fingers

    /// What comes of a finger. Those that are unknown change nothing.
    public mutating func handle(_ event: TouchEvent) -> [Output] {
        switch event {
        case .down(let finger):
            let place = (x: finger.x * Double(screen.width), y: finger.y * Double(screen.height))
            guard touch.isFree, let widget = scene.widget(atX: place.x, y: place.y) else { return [] }
            return follow(touch.press(finger, on: widget, layout: layout))
        case .motion(let finger): return follow(touch.move(finger, layout: layout))
        case .up(let finger): return follow(touch.lift(finger, layout: layout))
        case .cancel(let finger): return touch.isHeld(by: finger) ? follow(touch.cancel()) : []
        case .panelRemoved(let panel): return follow(touch.cancel(on: panel.id))
        case .frame, .panelAdded: return []
        }
    }

    /// Takes the time: what lies on a poster for long is no visitor's finger.
    public mutating func wake(at time: MonotonicTime) -> [Output] { follow(touch.wake(at: time, layout: layout)) }

    private mutating func follow(_ outputs: [WidgetTouch.Output]) -> [Output] {
        outputs.compactMap { output in
            switch output {
            case .pressed(.picture(let film)): return .aims(film: film)
            case .activated(.picture(let film)): return .chose(film: film)
            case .activated(.option(let place)): return .choseLanguage(place)
            case .scrollEnded(_, let distance):
                turn(distance)
                return nil
            default: return nil
            }
        }
    }

    /// A swipe of an eighth of the display turns the page.
    private mutating func turn(_ distance: Double) {
        guard abs(distance) * 8 >= Double(screen.width) else { return }
        page = min(max(page + (distance < 0 ? 1 : -1), 0), pageCount - 1)
    }
}
