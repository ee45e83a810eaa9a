extension Task where Success == Void, Failure == Never {
    /// Waits for the task's end.
    /// - Returns: `false` if it has not ended within this time.
    func isOver(within limit: Duration) async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        Task {
            await value
            answer.yield(true)
        }
        let alarm = Task<Void, any Error> {
            try await Task<Never, Never>.sleep(for: limit)
            answer.yield(false)
        }
        defer { alarm.cancel() }
        // In a task of its own, because in a cancelled one a stream ends at once.
        return await Task<Bool, Never> { await answers.first { _ in true } ?? false }.value
    }
}
