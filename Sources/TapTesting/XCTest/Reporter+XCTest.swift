#if canImport(XCTest)
    import Testing
    import XCTest

    extension Reporter {
        /// XCTest, for a test case.
        ///
        /// Warnings are not told, as XCTest has none.
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

    /// A test case on its way between threads: its methods for recording may be called on any.
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
                // XCTest of Linux keeps no attachments; what a failing test prints is shown with it.
                print(text, terminator: "")
            #endif
        }
    }
#endif
