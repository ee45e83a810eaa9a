/// The displayed text of one of CEA-608's four channels.
///
/// Positions on the screen and colours are dropped: the player draws captions like all subtitles.
struct CaptionChannel: Sendable {
    enum Mode: Hashable {
        /// Text is written to hidden memory, then shown at once.
        case popOn
        /// Text is written to the screen.
        case paintOn
        /// Text is written to the screen's last line; the lines above it move up.
        case rollUp(lines: Int)
        /// The characters are a text service, no captions.
        case text
    }

    /// `nil` before the stream's first mode command. Characters before it are ignored, because their beginning is missing.
    private(set) var mode: Mode?
    private var displayed = CaptionPage()
    private var hidden = CaptionPage()
    private var row = CaptionPage.lastRow
    private var column = 0
    /// Whether a character was written, to the hidden memory, too.
    private(set) var hasText = false
    /// Whether the displayed text may have changed.
    private var isChanged = false
    /// Whether this frame's pairs continue a word on the screen.
    private var isWriting = false
    /// The last reported text.
    private var reported: String?

    /// Starts a frame: its pairs follow.
    mutating func beginFrame() { isWriting = false }

    /// The displayed text if it has changed; `nil` also until the current word is complete.
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
        if character != " " { hasText = true }
        column = min(column + 1, CaptionPage.columns)
    }

    /// Writes a character of an extended set. It replaces the character before it, which is for receivers without the set.
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

    /// Handles a preamble, which gives the position of the following text. Roll-up text ignores the row.
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

    /// Shows the hidden text.
    mutating func flip() {
        setMode(.popOn)
        swap(&displayed, &hidden)
        isChanged = true
    }
}

/// A receiver's page: 15 rows of 32 characters.
struct CaptionPage: Sendable {
    static let columns = 32
    static let lastRow = 14
    private static let blank = [Character](repeating: " ", count: columns)

    private var rows = [[Character]](repeating: blank, count: lastRow + 1)

    /// Writes a character. Characters beyond a row's end replace its last one.
    mutating func set(_ character: Character, _ row: Int, _ column: Int) {
        rows[row][min(column, Self.columns - 1)] = character
    }

    /// Moves the last lines up by one.
    mutating func rollUp(_ lines: Int) {
        rows.remove(at: Self.lastRow + 1 - lines)
        rows.append(Self.blank)
    }

    /// Erases all but the last lines.
    mutating func keep(_ lines: Int) {
        for row in 0..<(Self.lastRow + 1 - lines) { rows[row] = Self.blank }
    }

    var text: String { rows.captionText }
}

extension [[Character]] {
    /// The non-empty lines, with single blanks.
    var captionText: String {
        map { $0.split(separator: " ").map { String($0) }.joined(separator: " ") }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
