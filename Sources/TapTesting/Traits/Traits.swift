import TapDocument
import TapSystem
import TapPhone
import Testing

extension Trait where Self == PhoneTrait {
    /// Puts a card on the phone.
    ///
    /// Several traits put several cards there at once. A card that a timeline step brings is away until then.
    ///
    /// - Parameters:
    ///   - name: The name for tapping and removing. Default: the name of the card's template, numbered from the second card
    ///     on. The card replaces a card of the same name from a suite or a scenario.
    ///   - isAway: A Boolean value that indicates whether the card is away until ``VirtualNFC/tap(_:)``.
    public static func card(
        _ card: VirtualCard, named name: String? = nil, isAway: Bool = false,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.card(card, name: name, isAway: isAway), fileID, filePath, line, column)
    }

    /// Injects a fault; the test fails if the fault is never injected.
    ///
    /// - Parameters:
    ///   - event: The event at which to inject it; faults of the phone have a default.
    ///   - nth: The matching event at which to inject it, counted from 1. Default: the first.
    ///   - times: The number of times, as a number or a range such as `2..` or `0..1`. Default: from the catalogue.
    public static func fault(
        _ fault: VirtualFault, when event: VirtualEvent? = nil, nth: Int? = nil, times: String? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.fault(fault, event, nth: nth, times: times), fileID, filePath, line, column)
    }

    /// Lets cards arrive and leave.
    ///
    /// - Parameter steps: The steps, as under `timeline` in a scenario file. Cards of `.card` are present from the start
    ///   unless a step brings them; cards of a scenario are away until a step does.
    public static func timeline(
        _ steps: [Node], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.timeline(.list(steps)), fileID, filePath, line, column)
    }

    /// Uses the cards, faults, timeline and expectations of a scenario file; expectations are judged after the test.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the folder of the test's source file or a folder above it, within the project. JSON
    ///     can be read everywhere, YAML on Linux and macOS.
    ///   - case: The name or the number of the case, from 1, if the file has several.
    public static func scenario(
        _ path: String, case name: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.scenario(path, case: name), fileID, filePath, line, column)
    }

    /// Uses the app's declarations from its Info.plist, which is found like a scenario.
    ///
    /// Without an Info.plist the system codes of the cards present count as declared, with a note.
    public static func infoPlist(
        _ path: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.phone(["info_plist": .text(path)]), fileID, filePath, line, column)
    }

    /// Sets the FeliCa system codes that the app declares in its Info.plist, in order.
    public static func systemCodes(
        _ codes: String..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.phone(["system_codes": .list(codes.map(Node.text))]), fileID, filePath, line, column)
    }

    /// Sets keys of `phone` in a scenario file, such as `["nak": "byte"]`.
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

    /// Sets the clock of sessions.
    ///
    /// Default: virtual time.
    public static func clock(
        _ clock: PhoneSettings.Clock, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.clock(clock), fileID, filePath, line, column)
    }

    /// Sets the seed of all random values, such as identifiers.
    ///
    /// Default: 1.
    public static func seed(
        _ seed: UInt64, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.seed(seed), fileID, filePath, line, column)
    }

    /// Sets the idle time of an app, in real time, before virtual time jumps.
    public static func idle(
        _ time: Duration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.idle(time), fileID, filePath, line, column)
    }

    /// Allows a session to stay open when the test ends.
    public static func leavesSessionOpen(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> PhoneTrait {
        PhoneTrait(.leavesSessionOpen, fileID, filePath, line, column)
    }
}

extension PhoneTrait {
    /// Creates a trait.
    ///
    /// The location is passed as the caller's literals, since XCTest does not have Swift Testing's macro for it.
    init(_ content: PlanPart.Content, _ fileID: String, _ filePath: String, _ line: Int, _ column: Int) {
        let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        part = PlanPart(content: content, location: location)
    }
}

/// A setting of a test's phone: a card, a fault, a scenario, the app's declarations.
///
/// All traits of a test and its suites form one phone for each run, also for each set of arguments. It is the phone of the
/// task and, since code on an app's queues runs in no task, of the whole process. So tests with a phone run one after
/// another; a waiting test blocks no thread.
///
/// A trait's errors are reported at its line, with its text: Swift gives all traits of one `@Test` the line of the test's
/// function.
///
/// Swift Testing asks each trait for a scope, nested inside the previous one. The first creates the phone with all traits of
/// the test; the others find that phone and add nothing.
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

/// The content of one trait, and its location.
struct PlanPart: Sendable {
    enum Content: Sendable {
        /// A card; if it is away, it appears only when it is tapped.
        case card(VirtualCard, name: String?, isAway: Bool)
        /// A fault, its event, the number of the matching event, and the number of times.
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

/// Runs a part of a test with a phone, then judges the expectations.
///
/// - Parameters:
///   - traits: Traits as for a test.
///   - fileID: The module and file of the call, where issues are reported.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - body: Runs where the test does, for example on the main actor, but not if a trait is wrong. Do not call this in a
///     detached task of a test with a phone: it would wait for that test's turn.
/// - Throws: The errors of the body; outside Swift Testing also ``VirtualNFCError`` with the unmet expectations. In XCTest,
///   the method of the test case with this name reports them at its line.
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
    /// Reports to the running test; outside Swift Testing, throws the findings.
    ///
    /// - Parameter name: The corresponding method of an XCTest test case.
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
                + "; in XCTest call \(name) of the test case, which reports this at its line")
    }

    /// Returns a reporter that collects findings until the end, since no running test could report them.
    fileprivate static func collecting(into findings: Lock<[Finding]>) -> Reporter {
        Reporter(
            report: { finding in
                if !finding.isWarning { findings.withLock { $0.append(finding) } }
            },
            attach: { print($0, terminator: "") })
    }
}
