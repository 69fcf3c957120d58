#if canImport(XCTest)
    import Testing
    import XCTest

    extension Reporter {
        /// Returns a reporter for XCTest; warnings are dropped, since XCTest has none.
        static func xctest(of testCase: XCTestCase) -> Reporter {
            let holder = TestCaseHolder(testCase)
            return Reporter(
                report: { finding in
                    if !finding.isWarning { holder.fail(finding) }
                },
                attach: { holder.attach($0) },
                failureCount: { holder.failureCount })
        }
    }

    /// Carries a test case between threads; its recording methods may be called on any thread.
    private final class TestCaseHolder: @unchecked Sendable {
        private let testCase: XCTestCase

        init(_ testCase: XCTestCase) {
            self.testCase = testCase
        }

        var failureCount: Int { testCase.testRun?.totalFailureCount ?? 0 }

        func fail(_ finding: Finding) {
            #if canImport(Darwin)
                let place = XCTSourceCodeLocation(
                    filePath: finding.location.filePath, lineNumber: finding.location.line)
                let context = XCTSourceCodeContext(location: place)
                testCase.record(
                    XCTIssue(type: .assertionFailure, compactDescription: finding.text, sourceCodeContext: context))
            #else
                testCase.recordFailure(
                    withDescription: finding.text, inFile: finding.location.filePath, atLine: finding.location.line,
                    expected: true)
            #endif
        }

        func attach(_ text: String) {
            #if canImport(Darwin)
                let attachment = XCTAttachment(string: text)
                attachment.name = Reporter.traceName
                testCase.add(attachment)
            #else
                // XCTest on Linux has no attachments; printed text is shown with a failing test.
                print(text, terminator: "")
            #endif
        }
    }
#endif
