#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    /// Waits for a call that answers through a handler with values and an error.
    ///
    /// - Parameters:
    ///   - call: Makes the call; it gets what the handler passes values and error to, once.
    /// - Throws: The error, whatever values come with it.
    nonisolated(nonsending) func answer<Values>(
        _ call: (_ reply: @escaping @Sendable (Values, (any Error)?) -> Void) -> Void
    ) async throws -> Values {
        try await withCheckedThrowingContinuation { continuation in
            call { values, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: values)
                }
            }
        }
    }

    /// The outcome of a call as a `Result`: the error if there is one, the values otherwise.
    func outcome<Values>(_ values: @autoclosure () -> Values, _ error: (any Error)?) -> Result<Values, any Error> {
        if let error { .failure(error) } else { .success(values()) }
    }

    /// Waits for a call that answers through a handler with a `Result`.
    nonisolated(nonsending) func answer<Values>(
        _ call: (_ reply: @escaping @Sendable (Result<Values, any Error>) -> Void) -> Void
    ) async throws -> Values {
        try await withCheckedThrowingContinuation { continuation in
            call { continuation.resume(with: $0) }
        }
    }
#endif
