import TapDocument
import TapDoors
import TapPhone
import Testing

extension Trait where Self == PhoneTrait {
    /// Puts a card before the phone.
    ///
    /// Several traits put several cards there, which the phone finds at once. A card that a step of a timeline brings is
    /// away until then.
    ///
    /// - Parameters:
    ///   - name: Its name, by which tests tap and remove it; that of its template, with a number from the second on,
    ///     without it. A card of the same name that a suite or a scenario states is replaced.
    ///   - isAway: Whether it is away until ``VirtualNFC/tap(_:)``.
    public static func card(
        _ card: VirtualCard, named name: String? = nil, isAway: Bool = false,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.card(card, name: name, isAway: isAway), fileID, filePath, line, column)
    }

    /// Lets something go wrong; a fault that is never injected fails the test.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - event: When; faults of the phone have a default.
    ///   - nth: At which of the events that fit it is injected, from 1; the first without it.
    ///   - times: How often it is injected, a number or a range such as `2..` or `0..1`; what the catalogue says without
    ///     it.
    public static func fault(
        _ fault: VirtualFault, when event: VirtualEvent? = nil, nth: Int? = nil, times: String? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.fault(fault, event, nth: nth, times: times), fileID, filePath, line, column)
    }

    /// Lets cards come and go by themselves.
    ///
    /// - Parameter steps: The steps as a scenario file has them under `timeline`. Cards of `.card` lie there from the
    ///   beginning unless one of the steps brings them; those of a scenario are away until one does.
    public static func timeline(
        _ steps: [Node], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.timeline(.list(steps)), fileID, filePath, line, column)
    }

    /// Takes cards, faults, timeline and expectations of a scenario file; what it expects is judged behind the test.
    ///
    /// - Parameters:
    ///   - path: The file, from the folder of the test's source file or from a folder above it, up to that of the
    ///     project. JSON can be read everywhere, YAML on Linux and macOS.
    ///   - case: The name or the number of the case, from 1, of a file with several.
    public static func scenario(
        _ path: String, case name: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.scenario(path, case: name), fileID, filePath, line, column)
    }

    /// Takes what the app declares from its Info.plist.
    ///
    /// Without it the system codes of the cards present count as declared, which the notes of a session say.
    ///
    /// - Parameter path: The file, found as that of a scenario is.
    public static func infoPlist(
        _ path: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.phone(["info_plist": .text(path)]), fileID, filePath, line, column)
    }

    /// States the FeliCa system codes that the app declares in its Info.plist, in their order.
    public static func systemCodes(
        _ codes: String..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.phone(["system_codes": .list(codes.map(Node.text))]), fileID, filePath, line, column)
    }

    /// States what is special about the phone.
    ///
    /// - Parameter keys: The keys of `phone` of a scenario file, such as `["nak": "byte"]`.
    public static func phone(
        _ keys: KeyValuePairs<String, Node>, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.phone(Node(keys)), fileID, filePath, line, column)
    }

    /// States how the phone behaves where devices differ.
    public static func policy(
        _ policy: PhonePolicy, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.policy(policy), fileID, filePath, line, column)
    }

    /// States what the time of a session is counted in; virtual time without it.
    public static func clock(
        _ clock: PhoneSettings.Clock, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.clock(clock), fileID, filePath, line, column)
    }

    /// States the seed of everything drawn by chance, such as identifiers; 1 without it.
    public static func seed(
        _ seed: UInt64, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.seed(seed), fileID, filePath, line, column)
    }

    /// States how long an app may do nothing, by the clock of the machine, before virtual time goes on.
    public static func idle(
        _ time: Duration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.idle(time), fileID, filePath, line, column)
    }

    /// Lets a session be open when the test ends, which is an issue otherwise.
    public static func leavesSessionOpen(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.leavesSessionOpen, fileID, filePath, line, column)
    }
}

extension PhoneTrait {
    /// Takes what is said and where, as the literals of a caller have it: the macro of Swift Testing for a place is
    /// only there where that library is imported, which tests of XCTest do not do.
    init(_ content: PlanPart.Content, _ fileID: String, _ filePath: String, _ line: Int, _ column: Int) {
        let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        part = PlanPart(content: content, location: location)
    }
}

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

/// What one trait says, and where it stands.
struct PlanPart: Sendable {
    enum Content: Sendable {
        /// A card; one that is away lies before the phone only when it is tapped.
        case card(VirtualCard, name: String?, isAway: Bool)
        /// A fault, when it is injected, at which of the events that fit, and how often.
        case fault(VirtualFault, VirtualEvent?, nth: Int?, times: String?)
        /// Steps of a timeline.
        case timeline(Node)
        /// Keys of `phone` of a scenario file.
        case phone(Node)
        /// A scenario file and the case of it.
        case scenario(String, case: String?)
        case seed(UInt64)
        /// What the time of a session is counted in.
        case clock(PhoneSettings.Clock)
        /// How long an app may do nothing before virtual time goes on.
        case idle(Duration)
        /// Where devices differ.
        case policy(PhonePolicy)
        /// A session may be open when the test ends.
        case leavesSessionOpen
    }

    let content: Content
    let location: SourceLocation
}

/// Runs a part of a test before a phone of its own.
///
/// The phone lives as long as the body runs; what was expected is judged then.
///
/// - Parameters:
///   - traits: What the phone is like, as for a test.
///   - body: The part of the test, which runs where the test does, such as on the main actor; it does not run where a
///     trait is wrong. It may not be called in a detached task of a test that has a phone, whose turn it would wait
///     for.
/// - Throws: What the body throws; where no test of Swift Testing is running also ``VirtualNFCError`` with what was not
///   met. In XCTest the method of the test case of this name tells it at its line.
public func withVirtualNFC(
    _ traits: PhoneTrait..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    _ body: () async throws -> Void
) async throws {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
    let findings = Lock<[Finding]>([])
    let reporter = Test.current == nil ? Reporter.collecting(into: findings) : .testing
    try await PhoneScope.run(traits.map(\.part), at: location, reporting: reporter) {
        try await body()
        return false
    }
    let found = findings.withLock { $0 }
    guard !found.isEmpty else { return }
    throw VirtualNFCError(
        found.map(\.text).joined(separator: "; ")
            + "; in XCTest call withVirtualNFC of the test case, which tells this at its line")
}

extension Reporter {
    /// Nobody, until all is over: no test that could be told is running.
    fileprivate static func collecting(into findings: Lock<[Finding]>) -> Reporter {
        Reporter(
            report: { finding in
                if !finding.isWarning { findings.withLock { $0.append(finding) } }
            },
            attach: { print($0, terminator: "") })
    }
}
