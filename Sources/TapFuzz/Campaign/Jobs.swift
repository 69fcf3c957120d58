/// A scheduler for parallel jobs.
public struct Jobs: Sendable {
    /// A scheduler that runs one job after another.
    public static let one = Jobs { 1 }

    private let count: @Sendable () -> Int

    /// - Parameter count: Returns the number of parallel jobs; called before each job begins.
    public init(_ count: @escaping @Sendable () -> Int) {
        self.count = count
    }

    func atMost(_ most: Int) -> Jobs { Jobs { min(count(), most) } }

    /// Performs jobs and passes on their results as they arrive.
    ///
    /// - Parameters:
    ///   - begins: Returns whether the next job should begin.
    ///   - take: A closure that receives the results one at a time.
    /// - Throws: The error of the first job that failed; jobs that had not begun are skipped.
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

    /// Returns the results of jobs in order, without jobs that had not begun.
    package func results<Value: Sendable, Failure: Error>(
        of total: Int, while begins: () -> Bool = { true },
        _ work: @escaping @Sendable (Int) async throws(Failure) -> Value
    ) async throws(Failure) -> [Value] {
        var results: [Value?] = Array(repeating: nil, count: total)
        try await perform(total, while: begins, work) { results[$0] = $1 }
        return results.compactMap(\.self)
    }
}
