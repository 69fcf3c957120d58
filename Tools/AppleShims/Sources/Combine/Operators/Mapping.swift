extension Publisher {
    /// Transforms each value.
    public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Stepwise<Self, Result, Failure> {
        stepwise { { .value(transform($0)) } }
    }

    /// Passes on one property of each value.
    public func map<Result>(_ keyPath: KeyPath<Output, Result>) -> Publishers.Stepwise<Self, Result, Failure> {
        stepwise { { .value($0[keyPath: keyPath]) } }
    }

    /// Transforms each value; an error ends the publisher.
    public func tryMap<Result>(
        _ transform: @escaping (Output) throws -> Result
    ) -> Publishers.Stepwise<Self, Result, any Error> {
        Publishers.Stepwise(
            upstream: self,
            rule: {
                { value in
                    do { return .value(try transform(value)) } catch { return .end(.failure(error)) }
                }
            },
            end: { .end($0.mapFailure { $0 as any Error }) })
    }

    /// Transforms each value, and drops the values without a result.
    public func compactMap<Result>(
        _ transform: @escaping (Output) -> Result?
    ) -> Publishers.Stepwise<Self, Result, Failure> {
        stepwise { { transform($0).map { .value($0) } ?? .skip } }
    }

    /// Accumulates a result from value to value.
    public func scan<Result>(
        _ first: Result, _ next: @escaping (Result, Output) -> Result
    ) -> Publishers.Stepwise<Self, Result, Failure> {
        stepwise {
            var carried = first
            return { value in
                carried = next(carried, value)
                return .value(carried)
            }
        }
    }

    /// Transforms the error.
    public func mapError<Other: Error>(
        _ transform: @escaping (Failure) -> Other
    ) -> Publishers.Stepwise<Self, Output, Other> {
        Publishers.Stepwise(upstream: self, rule: { { .value($0) } }, end: { .end($0.mapFailure(transform)) })
    }

    /// Ends with a value instead of failing.
    public func replaceError(with value: Output) -> Publishers.Stepwise<Self, Output, Never> {
        Publishers.Stepwise(
            upstream: self, rule: { { .value($0) } },
            end: { completion in
                guard case .failure = completion else { return .end(.finished) }
                return .last(value)
            })
    }

    /// Replaces nil with a value.
    public func replaceNil<Result>(with value: Result) -> Publishers.Stepwise<Self, Result, Failure>
    where Output == Result? {
        map { $0 ?? value }
    }

    func stepwise<Result>(
        _ rule: @escaping () -> (Output) -> Step<Result, Failure>
    ) -> Publishers.Stepwise<Self, Result, Failure> {
        Publishers.Stepwise(upstream: self, rule: rule, end: { .end($0) })
    }
}

extension Publisher where Failure == Never {
    /// Sets the error type of a publisher that does not fail.
    public func setFailureType<Other: Error>(to failure: Other.Type) -> Publishers.Stepwise<Self, Output, Other> {
        Publishers.Stepwise(upstream: self, rule: { { .value($0) } }, end: { _ in .end(.finished) })
    }
}

extension Subscribers.Completion {
    func mapFailure<Other: Error>(_ transform: (Failure) -> Other) -> Subscribers.Completion<Other> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(transform(error))
        }
    }
}
