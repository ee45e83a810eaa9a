/// What stands on the screen of one of CEA-608's four channels.
///
/// Only texts are kept, neither places nor colours: the player draws captions as it draws all subtitles.
struct CaptionChannel: Sendable {
    enum Mode: Hashable {
        /// Text is written where nobody sees it, then shown at once.
        case popOn
        /// Text is written on the screen.
        case paintOn
        /// Text is written on the screen's last line; the lines above it rise.
        case rollUp(lines: Int)
        /// What is sent is no caption.
        case text
    }

    /// `nil` before the stream says it. What is written before that is left out: its beginning is missing.
    private(set) var mode: Mode?
    private var displayed = CaptionPage()
    private var hidden = CaptionPage()
    private var row = CaptionPage.lastRow
    private var column = 0
    /// The displayed text may be another one.
    private var isChanged = false
    /// A word is being written on the screen, with this frame's pairs too.
    private var isWriting = false
    /// The text that was last reported.
    private var reported: String?

    /// Pairs of another frame follow.
    mutating func beginFrame() { isWriting = false }

    /// The displayed text, where it is another one. A word that is being written is waited for.
    mutating func takeChange() -> String? {
        guard isChanged, !isWriting else { return nil }
        isChanged = false
        let text = displayed.text
        guard text != reported else { return nil }
        reported = text
        return text
    }

    // MARK: Characters

    mutating func write(_ character: Character) {
        switch mode {
        case .popOn: hidden.set(character, row, column)
        case .paintOn, .rollUp:
            displayed.set(character, row, column)
            (isChanged, isWriting) = (true, character != " ")
        case .text, nil: return
        }
        column = min(column + 1, CaptionPage.columns)
    }

    /// One of an extended set takes the place of the character before it, which is for receivers that do not know the set.
    mutating func overwrite(_ character: Character) {
        column = max(column - 1, 0)
        write(character)
    }

    mutating func eraseCharacter() {
        column = max(column - 1, 0)
        erase(columns: column..<column + 1)
    }

    mutating func eraseRestOfRow() { erase(columns: column..<CaptionPage.columns) }

    private mutating func erase(columns: Range<Int>) {
        switch mode {
        case .popOn: for column in columns { hidden.set(" ", row, column) }
        case .paintOn, .rollUp:
            for column in columns { displayed.set(" ", row, column) }
            (isChanged, isWriting) = (true, false)
        case .text, nil: break
        }
    }

    // MARK: Commands

    /// A preamble: where the text that follows stands. Of text that rolls up the line does not matter.
    mutating func move(toRow newRow: Int, column newColumn: Int) {
        if case .rollUp = mode {} else { row = newRow }
        (column, isWriting) = (newColumn, false)
    }

    mutating func tab(_ columns: Int) { (column, isWriting) = (min(column + columns, CaptionPage.columns - 1), false) }

    mutating func setMode(_ new: Mode) {
        defer { mode = new }
        isWriting = false
        guard case .rollUp(let lines) = new else { return }
        if case .rollUp = mode {
            displayed.keep(lines)
        } else {
            (displayed, hidden) = (CaptionPage(), CaptionPage())
            (row, column) = (CaptionPage.lastRow, 0)
        }
        isChanged = true
    }

    mutating func beginLine() {
        guard case .rollUp(let lines) = mode else { return }
        displayed.rollUp(lines)
        (column, isChanged, isWriting) = (0, true, false)
    }

    mutating func eraseDisplayed() { (displayed, isChanged, isWriting) = (CaptionPage(), true, false) }

    mutating func eraseHidden() { hidden = CaptionPage() }

    /// Shows what was written.
    mutating func flip() {
        setMode(.popOn)
        swap(&displayed, &hidden)
        isChanged = true
    }
}

/// The 15 rows of 32 characters that a receiver has.
struct CaptionPage: Sendable {
    static let columns = 32
    static let lastRow = 14
    private static let blank = [Character](repeating: " ", count: columns)

    private var rows = [[Character]](repeating: blank, count: lastRow + 1)

    /// What is written beyond a row's end takes the place of its last character.
    mutating func set(_ character: Character, _ row: Int, _ column: Int) {
        rows[row][min(column, Self.columns - 1)] = character
    }

    /// The last lines rise by one.
    mutating func rollUp(_ lines: Int) {
        rows.remove(at: Self.lastRow + 1 - lines)
        rows.append(Self.blank)
    }

    /// Only the last lines stay.
    mutating func keep(_ lines: Int) {
        for row in 0..<(Self.lastRow + 1 - lines) { rows[row] = Self.blank }
    }

    /// The lines, without empty ones, and with one blank for several.
    var text: String {
        rows.map { $0.split(separator: " ").map { String($0) }.joined(separator: " ") }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
