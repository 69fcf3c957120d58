extension Publisher {
    /// Passes on only the values that meet a condition.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Stepwise<Self, Output, Failure> {
        stepwise { { isIncluded($0) ? .value($0) : .skip } }
    }

    /// Drops values that equal the previous value, as decided by a closure.
    public func removeDuplicates(
        by areEqual: @escaping (Output, Output) -> Bool
    ) -> Publishers.Stepwise<Self, Output, Failure> {
        stepwise {
            var last: Output?
            return { value in
                if let last, areEqual(last, value) { return .skip }
                last = value
                return .value(value)
            }
        }
    }

    /// Drops the first values.
    public func dropFirst(_ count: Int = 1) -> Publishers.Stepwise<Self, Output, Failure> {
        stepwise {
            var left = count
            return { value in
                guard left > 0 else { return .value(value) }
                left -= 1
                return .skip
            }
        }
    }

    /// Ends with the first value.
    public func first() -> Publishers.Stepwise<Self, Output, Failure> {
        stepwise { { .last($0) } }
    }

    /// Ends with the first value that meets a condition.
    public func first(where isWanted: @escaping (Output) -> Bool) -> Publishers.Stepwise<Self, Output, Failure> {
        stepwise { { isWanted($0) ? .last($0) : .skip } }
    }
}

extension Publisher where Output: Equatable {
    /// Drops values that equal the previous value.
    public func removeDuplicates() -> Publishers.Stepwise<Self, Output, Failure> {
        removeDuplicates(by: ==)
    }
}
