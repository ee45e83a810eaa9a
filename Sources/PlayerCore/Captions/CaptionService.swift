/// The displayed text of one of CEA-708's services.
struct CaptionService: Sendable {
    private var windows = [CaptionWindow?](repeating: nil, count: 8)
    /// The window that is written to. Text before it is known is ignored, because its beginning is missing.
    private var current: Int?
    /// Bytes that wait for the rest of their command, or for the end of a delay.
    private var input: [UInt8] = []
    private var delayEnd: MediaTime?
    /// Whether the displayed text may have changed.
    private var isChanged = false
    /// Whether this frame's bytes continue a word on the screen.
    private var isWriting = false
    /// The last reported text.
    private var reported = ""

    /// With this much input, a delay ends: a receiver has no more memory.
    private static let mostInput = 128
    /// Characters: the screen of a receiver has 15 rows of 42, and hostile windows many times more.
    private static let mostText = 15 * 42

    /// Starts a frame: its bytes follow.
    mutating func beginFrame() { isWriting = false }

    /// The displayed text if it has changed; `nil` also until the current word is complete.
    mutating func takeChange() -> String? {
        guard isChanged, !isWriting else { return nil }
        isChanged = false
        let text = text
        guard text != reported else { return nil }
        reported = text
        return text
    }

    /// The texts of the visible windows, from the top to the bottom of the screen.
    private var text: String {
        let all = windows.compactMap { $0 }.filter(\.isVisible)
            .sorted {
                ($0.definition.vertical, $0.definition.horizontal) < ($1.definition.vertical, $1.definition.horizontal)
            }
            .map(\.text).filter { !$0.isEmpty }.joined(separator: "\n")
        return String(all.suffix(Self.mostText))
    }

    /// Forgets everything, after a loss and at the command Reset.
    mutating func reset() {
        (windows, current) = ([CaptionWindow?](repeating: nil, count: 8), nil)
        (input, delayEnd, isChanged, isWriting) = ([], nil, true, false)
    }

    // MARK: Commands

    /// Executes a block's commands.
    mutating func take(_ block: ArraySlice<UInt8>, at time: MediaTime) {
        input += block
        execute(at: time)
    }

    /// Executes the commands that wait for the end of a delay, or are complete now.
    mutating func execute(at time: MediaTime) {
        while isDue(at: time), let length = Self.length(input), length <= input.count {
            let command = Array(input.prefix(length))
            input.removeFirst(length)
            obey(command, at: time)
        }
    }

    /// Whether no delay is in force. DelayCancel and Reset end one as soon as they arrive.
    private mutating func isDue(at time: MediaTime) -> Bool {
        guard let end = delayEnd else { return true }
        guard time >= end || input.count >= Self.mostInput || endsDelay else { return false }
        delayEnd = nil
        return true
    }

    /// Whether DelayCancel or Reset waits.
    private var endsDelay: Bool {
        var rest = input[...]
        while let length = Self.length(Array(rest.prefix(3))), length <= rest.count {
            if rest.first == 0x8E || rest.first == 0x8F { return true }
            rest = rest.dropFirst(length)
        }
        return false
    }

    /// The length of the first command; `nil` if too few bytes say so.
    private static func length(_ input: [UInt8]) -> Int? {
        guard let code = input.first else { return nil }
        switch code {
        case 0x10: return extendedLength(input)
        case 0x11...0x17: return 2
        case 0x18...0x1F: return 3
        case 0x88...0x8D: return 2
        case 0x90, 0x92: return 3
        case 0x91: return 4
        case 0x97: return 5
        case 0x98...0x9F: return 7
        default: return 1
        }
    }

    /// The length of a command or character of an extended set, with the byte before it.
    private static func extendedLength(_ input: [UInt8]) -> Int? {
        guard input.count > 1 else { return nil }
        switch input[1] {
        case 0x08...0x0F: return 3
        case 0x10...0x17: return 4
        case 0x18...0x1F: return 5
        case 0x80...0x87: return 6
        case 0x88...0x8F: return 7
        // Its third byte has the number of those that follow it.
        case 0x90...0x9F: return input.count > 2 ? 3 + Int(input[2] & 0x1F) : nil
        default: return 2
        }
    }

    /// - Parameter command: of its right length.
    private mutating func obey(_ command: [UInt8], at time: MediaTime) {
        (isChanged, isWriting) = (true, false)
        let code = command[0]
        switch code {
        case 0x20...0x7F, 0xA0...0xFF: write(CaptionCharacters.latin(code))
        case 0x10:
            if (0x20...0x7F).contains(command[1]) || command[1] >= 0xA0 {
                write(CaptionCharacters.extended(command[1]))
            }
        case 0x18: write(CaptionCharacters.wide(command[1], command[2]))
        case 0x08: change { $0.eraseCharacter() }
        case 0x0C:
            change {
                $0.erase()
                $0.movePen(toRow: 0, column: 0)
            }
        case 0x0D: change { $0.beginRow() }
        case 0x0E: change { $0.eraseRow() }
        case 0x80...0x87: current = Int(code & 7)
        case 0x88: change(command[1]) { $0?.erase() }
        case 0x89: change(command[1]) { $0?.isVisible = true }
        case 0x8A: change(command[1]) { $0?.isVisible = false }
        case 0x8B: change(command[1]) { $0?.isVisible.toggle() }
        case 0x8C: change(command[1]) { $0 = nil }
        // In tenths of a second.
        case 0x8D: delayEnd = time + .milliseconds(100 * Int64(command[1]))
        case 0x8F:
            let rest = input
            reset()
            input = rest
        case 0x92: change { $0.movePen(toRow: Int(command[1] & 0x0F), column: Int(command[2] & 0x3F)) }
        case 0x98...0x9F: define(Int(code & 7), CaptionWindowDefinition(Array(command.dropFirst())))
        // Looks and reserved codes; 0x03 ends a text, which every command does here.
        default: break
        }
    }

    private mutating func define(_ number: Int, _ definition: CaptionWindowDefinition) {
        current = number
        guard windows[number] == nil else { return change { $0.redefine(definition) } }
        windows[number] = CaptionWindow(definition)
    }

    private mutating func write(_ character: Character?) {
        guard let character else { return }
        change { $0.write(character) }
        isWriting = character != " " && current.flatMap { windows[$0] }?.isVisible == true
    }

    /// Changes the current window.
    private mutating func change(_ change: (inout CaptionWindow) -> Void) {
        guard let current, var window = windows[current] else { return }
        // Its rows are not copied then.
        windows[current] = nil
        change(&window)
        windows[current] = window
    }

    /// Changes the windows whose bits are set.
    private mutating func change(_ bits: UInt8, _ change: (inout CaptionWindow?) -> Void) {
        for number in windows.indices where bits >> number & 1 != 0 { change(&windows[number]) }
    }
}
