import TapDocument
import TapSystem
import TapField
import TapScenario

/// The instructions of `tapsim audit` to every field created by the programs of a test suite, passed in the environment.
public struct AuditOrder: Sendable {
    /// The lie that all cards tell, by its name; empty for none.
    public static let lieVariable = "TAPSIM_LIE"
    /// The file to which fields append what they have seen; see ``AuditDiary``.
    public static let diaryVariable = "TAPSIM_AUDIT"

    /// The reason why the environment cannot be followed, a sentence without its full stop.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The cause.
        public let message: String
        /// The suggested fix.
        public let hint: String

        public var description: String { "\(message); \(hint)" }
    }

    public let lie: Lie?
    private let diary: String?

    /// A Boolean value that indicates whether `tapsim audit` gave the instructions, so that nobody needs a warning about the
    /// lie.
    public var isOfAudit: Bool { diary != nil }

    /// Reads the instructions from the environment; `nil` if there are none.
    public init?(
        _ variable: (String) -> String? = { ProcessEnvironment[$0] }
    ) throws(Problem) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let name = value(Self.lieVariable)
        diary = value(Self.diaryVariable)
        guard name != nil || diary != nil else { return nil }
        lie = name.flatMap(FaultCatalogue.lie)
        if let name, lie == nil {
            throw Problem(
                message: "\(Self.lieVariable): there is no lie `\(name)`",
                hint: Spelling.suggestion(
                    for: name, among: FaultCatalogue.lies.map(\.name),
                    before: "`tapsim list lies` lists them; for none, unset the variable"))
        }
    }

    /// Returns the case with cards that tell the lie.
    public func applied(to scenarioCase: ScenarioCase) -> ScenarioCase {
        lie.map(scenarioCase.injecting) ?? scenarioCase
    }

    /// Returns the observer that the field needs.
    ///
    /// - Parameter other: Another observer of the field.
    public func observer(alongside other: (any TraceObserver)? = nil) -> any TraceObserver {
        let diary = diary
        return AuditWitness(lie, alongside: other) { entry in
            // If the folder is gone, the suite has ended.
            if let diary { try? FileContent.append(Array("\(entry.line)\n".utf8), to: diary) }
        }
    }
}
