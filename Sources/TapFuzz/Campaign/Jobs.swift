/// Pieces of work, several at a time.
public struct Jobs: Sendable {
    /// One after another.
    public static let one = Jobs { 1 }

    private let count: @Sendable () -> Int

    /// - Parameter count: How many pieces are under way at a time; asked before each begins.
    public init(_ count: @escaping @Sendable () -> Int) {
        self.count = count
    }

    func atMost(_ most: Int) -> Jobs { Jobs { min(count(), most) } }

    /// Carries out pieces of work and takes their results as they come.
    ///
    /// - Parameters:
    ///   - begins: Whether the next piece is to begin.
    ///   - take: Called with one result after another.
    /// - Throws: The error of the first piece that failed; pieces that had not begun are left out.
    func perform<Value: Sendable, Failure: Error>(
        _ total: Int, while begins: () -> Bool = { true },
        _ work: @escaping @Sendable (Int) async throws(Failure) -> Value, taking take: (Int, Value) -> Void
    ) async throws(Failure) {
        var failures: [(index: Int, error: Failure)] = []
        await withTaskGroup(of: (Int, Result<Value, Failure>).self) { group in
            var (begun, running) = (0, 0)
            while true {
                while begun < total, failures.isEmpty, running < max(1, count()), begins() {
                    let index = begun
                    group.addTask {
                        do throws(Failure) {
                            return (index, .success(try await work(index)))
                        } catch {
                            return (index, .failure(error))
                        }
                    }
                    (begun, running) = (begun + 1, running + 1)
                }
                guard running > 0, let (index, result) = await group.next() else { return }
                running -= 1
                switch result {
                case .success(let value): take(index, value)
                case .failure(let error): failures.append((index, error))
                }
            }
        }
        if let first = failures.min(by: { $0.index < $1.index }) { throw first.error }
    }

    /// The results of pieces of work, in their order, without those that had not begun.
    package func results<Value: Sendable, Failure: Error>(
        of total: Int, while begins: () -> Bool = { true },
        _ work: @escaping @Sendable (Int) async throws(Failure) -> Value
    ) async throws(Failure) -> [Value] {
        var results: [Value?] = Array(repeating: nil, count: total)
        try await perform(total, while: begins, work) { results[$0] = $1 }
        return results.compactMap(\.self)
    }
}
