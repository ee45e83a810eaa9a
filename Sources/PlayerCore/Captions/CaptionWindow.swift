/// One of the eight windows of a CEA-708 service: rows of text, and a pen.
///
/// Colours, the alignment and other directions than from left to right are dropped, as are the limits of a row: the player
/// draws captions like all subtitles.
struct CaptionWindow: Sendable {
    /// A bound of the memory. The widest windows of the standard have 42 columns.
    static let mostColumns = 64

    private(set) var definition: CaptionWindowDefinition
    var isVisible: Bool
    private var rows: [[Character]]
    private var row = 0
    private var column = 0

    init(_ definition: CaptionWindowDefinition) {
        self.definition = definition
        isVisible = definition.isVisible
        rows = [[Character]](repeating: [], count: definition.rows)
    }

    var text: String { rows.captionText }

    /// Changes the size and place. The text stays. A repeated definition, which is for receivers that start in the middle,
    /// changes nothing.
    mutating func redefine(_ new: CaptionWindowDefinition) {
        guard new != definition else { return }
        rows = (0..<new.rows).map { $0 < rows.count ? rows[$0] : [] }
        (definition, isVisible, row) = (new, new.isVisible, min(row, new.rows - 1))
    }

    mutating func write(_ character: Character) {
        set(character)
        column = min(column + 1, Self.mostColumns - 1)
    }

    private mutating func set(_ character: Character) {
        let missing = column + 1 - rows[row].count
        if missing > 0 { rows[row] += [Character](repeating: " ", count: missing) }
        rows[row][column] = character
    }

    mutating func movePen(toRow newRow: Int, column newColumn: Int) {
        (row, column) = (min(newRow, rows.count - 1), min(newColumn, Self.mostColumns - 1))
    }

    mutating func eraseCharacter() {
        column = max(column - 1, 0)
        set(" ")
    }

    mutating func eraseRow() { (rows[row], column) = ([], 0) }

    /// Begins the next row. At the last one, the text moves up.
    mutating func beginRow() {
        column = 0
        guard row == rows.count - 1 else { return row += 1 }
        rows.removeFirst()
        rows.append([])
    }

    /// Erases the text. The pen stays.
    mutating func erase() { rows = [[Character]](repeating: [], count: rows.count) }
}

/// The parameters of CEA-708's command DefineWindow.
struct CaptionWindowDefinition: Hashable, Sendable {
    var isVisible: Bool
    /// From the top of the screen.
    var vertical: Int
    /// From the left of the screen.
    var horizontal: Int
    var rows: Int
    /// The command's bytes, for those that are not read.
    private let bytes: [UInt8]

    /// - Parameter bytes: the command's six parameters.
    init(_ bytes: [UInt8]) {
        isVisible = bytes[0] & 0x20 != 0
        vertical = Int(bytes[1] & 0x7F)
        horizontal = Int(bytes[2])
        rows = Int(bytes[3] & 0x0F) + 1
        self.bytes = bytes
    }
}
