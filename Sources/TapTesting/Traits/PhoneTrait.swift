import Testing

/// What a test says about its phone: a card, a fault, a scenario, what the app declares.
///
/// All traits of a test and of its suites together make one phone for each run of the test, so each run of a test with
/// arguments has one of its own. The phone is that of the task; it is also that of the whole process, since code on
/// the queues of an app runs in no task. Tests with a phone therefore run one after another, also where others
/// run beside them; one that waits for its turn holds no thread.
///
/// What is wrong with a trait is told at its line, with what it says: Swift gives all traits of one `@Test` the line of
/// the test's function.
///
/// Swift Testing asks each trait for a scope, one inside the other. The first one asked begins the phone with all
/// traits of the test, which it knows; the others find the phone of their test there and add nothing.
public struct PhoneTrait: TestTrait, SuiteTrait, TestScoping {
    let part: PlanPart

    /// Traits of a suite hold for every test in it.
    public var isRecursive: Bool { true }

    /// Runs a test before its phone.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard PhoneScope.test != test else { return try await function() }
        let parts = test.traits.compactMap { ($0 as? PhoneTrait)?.part }
        try await PhoneScope.$test.withValue(test) {
            try await PhoneScope.run(parts, at: test.sourceLocation, reporting: .testing) {
                try await FailureWatch.run(test, testCase, function)
            }
        }
    }
}
