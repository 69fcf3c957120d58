import TapDoors

/// Independent pieces of work, several at a time.
enum Workers {
    /// Carries out `count` pieces of work and gives their results in order.
    ///
    /// - Parameters:
    ///   - count: How many there are.
    ///   - jobs: How many are under way at a time.
    ///   - done: Told of each piece that is done, in no certain order.
    ///   - work: One piece, by its number from 0.
    /// - Throws: The error of the piece that failed first; pieces that had not begun are left out then.
    static func results<Value: Sendable>(
        of count: Int, jobs: Int, done: @escaping @Sendable (Value) -> Void = { _ in },
        _ work: @escaping @Sendable (Int) async throws(RunError) -> Value
    ) async throws(RunError) -> [Value] {
        var results: [Value?] = Array(repeating: nil, count: count)
        let next = Lock(0)
        let found = await withTaskGroup(of: [(Int, Result<Value, RunError>)].self) { group in
            for _ in 0..<min(max(1, jobs), count) {
                group.addTask { await perform(count, next, done, work) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for (index, result) in found.sorted(by: { $0.0 < $1.0 }) { results[index] = try result.get() }
        return results.compactMap(\.self)
    }

    /// Takes one piece after another until none is left or one fails.
    private static func perform<Value: Sendable>(
        _ count: Int, _ next: Lock<Int>, _ done: @Sendable (Value) -> Void,
        _ work: @Sendable (Int) async throws(RunError) -> Value
    ) async -> [(Int, Result<Value, RunError>)] {
        var results: [(Int, Result<Value, RunError>)] = []
        while true {
            let index = next.withLock { next in
                defer { next += 1 }
                return next
            }
            guard index < count else { return results }
            do {
                let value = try await work(index)
                done(value)
                results.append((index, .success(value)))
            } catch {
                next.withLock { $0 = count }
                return results + [(index, .failure(error))]
            }
        }
    }
}
