import TapDocument
import TapSystem
import TapField
import TapScenario
import TapWire

/// What `tapsim audit` asks of every field that the programs of a test suite make, by their environment.
public struct AuditOrder: Sendable {
    /// The lie that all cards tell, by its name; empty for none.
    public static let lieVariable = "TAPSIM_LIE"
    /// The file to which fields add what they have seen; see ``AuditDiary``.
    public static let diaryVariable = "TAPSIM_AUDIT"

    /// Why the environment cannot be followed, a sentence without its full stop.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    public let lie: Lie?
    private let diary: String?

    /// Whether `tapsim audit` has ordered it, so that nobody has to be told of the lie.
    public var isOfAudit: Bool { diary != nil }

    /// What the environment asks for; `nil` if it asks for nothing.
    public init?(
        _ variable: (String) -> String? = { ProcessEnvironment[$0] }
    ) throws(Problem) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let name = value(Self.lieVariable)
        diary = value(Self.diaryVariable)
        guard name != nil || diary != nil else { return nil }
        lie = name.flatMap(FaultCatalogue.lie)
        if let name, lie == nil {
            let guess = Spelling.question(for: name, among: FaultCatalogue.lies.map(\.name))
            throw Problem(description: "\(Self.lieVariable): there is no lie `\(name)`; unset it\(guess)")
        }
    }

    /// The case with cards that tell the lie.
    public func applied(to scenarioCase: ScenarioCase) -> ScenarioCase {
        lie.map(scenarioCase.telling) ?? scenarioCase
    }

    /// What has to observe the field.
    ///
    /// - Parameter other: Who observes it besides.
    public func observer(beside other: (any TraceObserver)? = nil) -> any TraceObserver {
        let diary = diary
        return AuditWitness(lie, beside: other) { entry in
            // A suite whose folder is gone has ended.
            if let diary { try? FileContent.append(Array("\(entry.line)\n".utf8), to: diary) }
        }
    }
}
