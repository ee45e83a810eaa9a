import PlayerCore

/// What waits for a reader that is busy.
///
/// Nothing that starts or ends a touch is ever dropped. Of a finger's motions since the last such event only the newest
/// waits, and of a panel's frames too: so a reader that was away finds the finger where it is now, and what waits stays
/// small however long it was away (touches come and go at a hand's speed).
struct TouchBacklog {
    private var waiting: [TouchNews] = []

    var count: Int { waiting.count }

    mutating func append(_ news: TouchNews) {
        let replaceable = waiting.reversed().prefix { $0.isContinuous }.count
        let tail = waiting.count - replaceable
        if let old = waiting[tail...].firstIndex(where: { $0.isReplaced(by: news) }) { waiting.remove(at: old) }
        waiting.append(news)
    }

    mutating func takeFirst() -> TouchNews? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

extension TouchNews {
    fileprivate var isContinuous: Bool {
        switch self {
        case .event(.motion), .event(.frame): true
        default: false
        }
    }

    fileprivate func isReplaced(by newer: TouchNews) -> Bool {
        switch (self, newer) {
        case (.event(.motion(let old)), .event(.motion(let new))): old.panel == new.panel && old.slot == new.slot
        case (.event(.frame(let old, _)), .event(.frame(let new, _))): old == new
        default: false
        }
    }
}
