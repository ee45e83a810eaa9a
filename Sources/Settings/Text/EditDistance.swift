/// The number of letters by which two words differ: inserted, omitted, replaced, or swapped with their neighbours.
enum EditDistance {
    static func between(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in 1...first.count {
            var line = [row]
            for column in 1...second.count {
                let exchange = last[column - 1] + (first[row - 1] == second[column - 1] ? 0 : 1)
                var cost = min(last[column] + 1, line[column - 1] + 1, exchange)
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                line.append(cost)
            }
            (beforeLast, last) = (last, line)
        }
        return last[second.count]
    }
}
