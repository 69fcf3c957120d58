#if canImport(XCTest)
    import Foundation
    import TapDoors
    import TapPhone
    import Testing
    import XCTest

    /// A phone for tests of XCTest; what is wrong fails the test at the line of the trait or of the scenario.
    extension XCTestCase {
        /// Runs a part of a test before a phone of its own.
        ///
        /// ```swift
        /// func testBalance() async throws {
        ///     try await withVirtualNFC(.card(.suica(balance: 3120))) {
        ///         reader.start()
        ///         let end = try await VirtualNFC.sessionEnd()
        ///         XCTAssertNil(end.errorMessage)
        ///     }
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - traits: What the phone is like, as for a test of Swift Testing.
        ///   - body: The part of the test, which runs where the test does, such as on the main actor; it does not run
        ///     where a trait is wrong.
        public nonisolated func withVirtualNFC(
            _ traits: PhoneTrait..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
            _ body: () async throws -> Void
        ) async throws {
            let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
            let reporter = Reporter.xctest(of: self)
            try await PhoneScope.run(traits.map(\.part), at: location, reporting: reporter) {
                let before = reporter.failureCount()
                try await body()
                return reporter.failureCount() > before
            }
        }

        /// Runs a part of a test that does not suspend before a phone of its own.
        ///
        /// The body may wait for expectations, or for the end of a session with ``sessionEnd(timeout:)``.
        ///
        /// - Parameters:
        ///   - traits: What the phone is like, as for a test of Swift Testing.
        ///   - body: The part of the test; it does not run where a trait is wrong.
        public nonisolated func withVirtualNFC(
            _ traits: PhoneTrait..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
            _ body: () throws -> Void
        ) throws {
            let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
            try PhoneScope.runBlocking(traits.map(\.part), at: location, reporting: .xctest(of: self), body)
        }

        /// Waits until one more session has ended and its app was told, while the run loop of the main thread goes on.
        ///
        /// - Parameter timeout: How long to wait by the clock of the machine.
        /// - Returns: What became of the session, each one once, in the order they began.
        /// - Throws: ``VirtualNFCError`` if there is no phone, or no session began or ended in time.
        public nonisolated func sessionEnd(timeout: Duration? = nil) throws -> SessionEnd {
            let phone = try VirtualNFC.phone
            let wait = PhoneWait(phone, timeout: timeout)
            let end = RunLoopWait.value { phone.settledEnd(wait) }
            guard let end = end.flatMap({ SessionEnd($0, of: phone) }) else { throw phone.missingEnd(wait) }
            return end
        }
    }
#endif
