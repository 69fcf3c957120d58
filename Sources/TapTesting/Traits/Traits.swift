import TapDocument
import TapSystem
import TapPhone
import Testing

extension Trait where Self == PhoneTrait {
    /// Puts a card before the phone; several traits put several there at once; a card that a step of a timeline brings
    /// is away until then.
    ///
    /// - Parameters:
    ///   - name: The name for tapping and removing; by default that of its template, numbered from the second on. It
    ///     replaces a card of the same name of a suite or a scenario.
    ///   - isAway: Whether it is away until ``VirtualNFC/tap(_:)``.
    public static func card(
        _ card: VirtualCard, named name: String? = nil, isAway: Bool = false,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.card(card, name: name, isAway: isAway), fileID, filePath, line, column)
    }

    /// Injects a fault; one that is never injected fails the test.
    ///
    /// - Parameters:
    ///   - event: When; faults of the phone have a default.
    ///   - nth: At which matching event it is injected, from 1; by default the first.
    ///   - times: A number or a range such as `2..` or `0..1`; by default as the catalogue says.
    public static func fault(
        _ fault: VirtualFault, when event: VirtualEvent? = nil, nth: Int? = nil, times: String? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.fault(fault, event, nth: nth, times: times), fileID, filePath, line, column)
    }

    /// Lets cards come and go.
    ///
    /// - Parameter steps: As under `timeline` in a scenario file. Cards of `.card` are present from the start unless a
    ///   step brings them; those of a scenario are away until one does.
    public static func timeline(
        _ steps: [Node], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.timeline(.list(steps)), fileID, filePath, line, column)
    }

    /// Takes cards, faults, timeline and expectations of a scenario file; these are judged after the test.
    ///
    /// - Parameters:
    ///   - path: From the folder of the test's source file or one above it, within the project. JSON can be read
    ///     everywhere, YAML on Linux and macOS.
    ///   - case: The name or the number of the case, from 1, of a file with several.
    public static func scenario(
        _ path: String, case name: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.scenario(path, case: name), fileID, filePath, line, column)
    }

    /// Takes the declarations of the app from its Info.plist, found like a scenario; without it the system codes of the
    /// cards present count as declared, with a note.
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

    /// Sets keys of `phone` of a scenario file, such as `["nak": "byte"]`.
    public static func phone(
        _ keys: KeyValuePairs<String, Node>, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.phone(Node(keys)), fileID, filePath, line, column)
    }

    public static func policy(
        _ policy: PhonePolicy, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.policy(policy), fileID, filePath, line, column)
    }

    /// Sets the clock of sessions; by default virtual time.
    public static func clock(
        _ clock: PhoneSettings.Clock, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.clock(clock), fileID, filePath, line, column)
    }

    /// Sets the seed of all random values, such as identifiers; by default 1.
    public static func seed(
        _ seed: UInt64, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.seed(seed), fileID, filePath, line, column)
    }

    /// Sets how long an app may idle, by the clock of the machine, before virtual time jumps.
    public static func idle(
        _ time: Duration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.idle(time), fileID, filePath, line, column)
    }

    /// Allows a session to be open when the test ends.
    public static func leavesSessionOpen(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.leavesSessionOpen, fileID, filePath, line, column)
    }
}

extension PhoneTrait {
    /// The place comes as the caller's literals: Swift Testing's macro for it is missing in XCTest.
    init(_ content: PlanPart.Content, _ fileID: String, _ filePath: String, _ line: Int, _ column: Int) {
        let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        part = PlanPart(content: content, location: location)
    }
}

/// What a test says about its phone: a card, a fault, a scenario, what the app declares.
///
/// All traits of a test and its suites make one phone for each run, also for each set of arguments. It is the phone of
/// the task and, since code on the queues of an app runs in no task, of the whole process. Tests with a phone therefore
/// run one after another; a waiting test holds no thread.
///
/// Errors of a trait are reported at its line, with its text: Swift gives all traits of one `@Test` the line of the
/// test's function.
///
/// Swift Testing asks each trait for a scope, one inside the other. The first begins the phone with all traits of the
/// test; the others find that phone and add nothing to it.
public struct PhoneTrait: TestTrait, SuiteTrait, TestScoping {
    let part: PlanPart

    public var isRecursive: Bool { true }

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

/// What one trait says, and its place.
struct PlanPart: Sendable {
    enum Content: Sendable {
        /// A card that is away appears only when it is tapped.
        case card(VirtualCard, name: String?, isAway: Bool)
        /// The fault, its event, which matching one, and how often.
        case fault(VirtualFault, VirtualEvent?, nth: Int?, times: String?)
        case timeline(Node)
        case phone(Node)
        case scenario(String, case: String?)
        case seed(UInt64)
        case clock(PhoneSettings.Clock)
        case idle(Duration)
        case policy(PhonePolicy)
        case leavesSessionOpen
    }

    let content: Content
    let location: SourceLocation
}

/// Runs a part of a test before a phone, then judges the expectations.
///
/// - Parameters:
///   - traits: As for a test.
///   - body: Runs where the test does, such as on the main actor, but not where a trait is wrong. Do not call this in a
///     detached task of a test with a phone: it would wait for that test's turn.
/// - Throws: What the body throws; outside Swift Testing also ``VirtualNFCError`` with the unmet expectations. In
///   XCTest the method of the test case of this name reports them at its line.
public func withVirtualNFC(
    _ traits: PhoneTrait..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    _ body: () async throws -> Void
) async throws {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
    try await Reporter.throwing(of: "withVirtualNFC") { reporter in
        try await PhoneScope.run(traits.map(\.part), at: location, reporting: reporter) {
            try await body()
            return false
        }
    }
}

extension Reporter {
    /// Reports to the test that is running; outside of Swift Testing throws what is found.
    ///
    /// - Parameter name: The function that a test case of XCTest has for the same.
    static func throwing<Value>(
        of name: String, _ body: (Reporter) async throws -> Value
    ) async throws -> Value {
        guard Test.current == nil else { return try await body(.testing) }
        let findings = Lock<[Finding]>([])
        let value = try await body(.collecting(into: findings))
        let found = findings.withLock { $0 }
        guard !found.isEmpty else { return value }
        throw VirtualNFCError(
            found.map(\.text).joined(separator: "; ")
                + "; in XCTest call \(name) of the test case, which tells this at its line")
    }

    /// Collects findings until the end, since no test is running that could report them.
    fileprivate static func collecting(into findings: Lock<[Finding]>) -> Reporter {
        Reporter(
            report: { finding in
                if !finding.isWarning { findings.withLock { $0.append(finding) } }
            },
            attach: { print($0, terminator: "") })
    }
}
