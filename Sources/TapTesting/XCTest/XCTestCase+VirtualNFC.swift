#if canImport(XCTest)
    import Foundation
    import TapSystem
    import TapFuzz
    import TapJudge
    import TapPhone
    import Testing
    import XCTest

    /// A phone for XCTest tests; failures are reported at the line of the trait or of the scenario.
    extension XCTestCase {
        /// Runs a part of a test with a phone.
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
        ///   - traits: As for a test of Swift Testing.
        ///   - body: Runs where the test does, for example on the main actor, but not if a trait is wrong.
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

        /// Runs a part of a test that does not suspend with a phone.
        ///
        /// - Parameters:
        ///   - traits: As for a test of Swift Testing.
        ///   - body: May wait for expectations or ``sessionEnd(timeout:)``; it does not run if a trait is wrong.
        public nonisolated func withVirtualNFC(
            _ traits: PhoneTrait..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
            _ body: () throws -> Void
        ) throws {
            let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
            try PhoneScope.runBlocking(traits.map(\.part), at: location, reporting: .xctest(of: self), body)
        }

        /// Fuzzes a client that reads over a link, like
        /// ``TapTesting/fuzzTagLink(_:only:except:known:guidedRuns:patience:fileID:filePath:line:_:)``, and fails at this
        /// line.
        @discardableResult
        public nonisolated func fuzzTagLink<Value>(
            _ traits: PhoneTrait..., only: [String] = [], except: [String] = [], known: KnownCauses = [],
            guidedRuns: Int = 0, patience: Duration = Fuzzing.patience, fileID: String = #fileID,
            filePath: String = #filePath, line: Int = #line,
            _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
        ) async throws -> FuzzReport? {
            let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
            let choice = FuzzScope.Choice(only: only, except: except, known: known, guidedRuns: guidedRuns)
            return try await FuzzScope.overLink(
                traits, choice, patience, at: location, reporting: .xctest(of: self), client)
        }

        /// Fuzzes code that reads with Core NFC, like
        /// ``TapTesting/fuzzVirtualNFC(_:only:except:known:guidedRuns:patience:fileID:filePath:line:_:)``, and fails at this
        /// line.
        @discardableResult
        public nonisolated func fuzzVirtualNFC<Value>(
            _ traits: PhoneTrait..., only: [String] = [], except: [String] = [], known: KnownCauses = [],
            guidedRuns: Int = 0, patience: Duration = Fuzzing.patience, fileID: String = #fileID,
            filePath: String = #filePath, line: Int = #line, _ client: @escaping @Sendable () async throws -> Value
        ) async throws -> FuzzReport? {
            let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
            let choice = FuzzScope.Choice(only: only, except: except, known: known, guidedRuns: guidedRuns)
            return try await FuzzScope.overPhone(
                traits, choice, patience, at: location, reporting: .xctest(of: self), client)
        }

        /// Waits for the next session that has ended and whose app was informed, in the order in which they began, while the
        /// main run loop keeps running.
        ///
        /// - Parameter timeout: The timeout in real time.
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
