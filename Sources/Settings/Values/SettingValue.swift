internal import TOMLKit

/// The value behind a `=`.
enum SettingValue: Hashable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case list([SettingValue])
    /// A date or a time, which no setting accepts.
    case other(String)

    init(_ value: any TOMLValueConvertible) {
        self =
            switch value.type {
            case .string: .text(value.string ?? "")
            case .int: .integer(value.int ?? 0)
            case .double: .number(value.double ?? 0)
            case .bool: .flag(value.bool ?? false)
            case .array: .list(value.array.map { $0.map { SettingValue($0) } } ?? [])
            case .date, .time, .dateTime: .other("a date or a time")
            case .table: .other("a table")
            }
    }

    /// The type in words.
    var kind: String {
        switch self {
        case .text: "a text"
        case .integer, .number: "a number"
        case .flag(let flag): "\(flag)"
        case .list: "a list"
        case .other(let kind): kind
        }
    }
}
