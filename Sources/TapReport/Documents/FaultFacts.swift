public import TapField
public import TapScenario
import TapWire

/// What is told of a fault, wherever it is told: in lists, explanations and the documentation.
public struct FaultFacts: Sendable {
    /// One thing that can be set.
    public struct Parameter: Sendable {
        public let name: String
        public let values: String
        /// What it is where nothing is written, or nothing if that has a meaning of its own.
        public let standard: String?
        /// What it is for.
        public let summary: String

        /// Values, standard and purpose in one line.
        public var text: String {
            "\(summary) It is \(values)\(standard.map { "; \($0) without it" } ?? "")."
        }
    }

    public let name: String
    /// What happens.
    public let summary: String
    /// The real failure it stands for.
    public let models: String
    /// Where it strikes and in which exchanges.
    public let place: String
    /// What can be set.
    public let parameters: [Parameter]
    /// How a scenario states it.
    public let example: String

    /// Collects what is known of a kind.
    public init(_ kind: FaultKind) {
        name = kind.name
        summary = kind.summary
        models = kind.models
        place = kind.placeText
        example = "faults: [{when: \(kind.exampleCommand), do: \(kind.name)}]"
        parameters = kind.parameters.map {
            Parameter(name: $0.name, values: $0.valuesText, standard: $0.standardText, summary: $0.summary)
        }
    }

    /// The facts of every fault, family by family.
    public static var all: [FaultFacts] { FaultCatalogue.all.map(FaultFacts.init) }

    /// The family, the part of the name before the dot.
    public var family: String { String(name.prefix { $0 != "." }) }

    /// The facts as a program reads them.
    public var node: Node {
        [
            "name": .text(name), "family": .text(family), "summary": .text(summary), "models": .text(models),
            "strikes": .text(place),
            "parameters": .list(
                parameters.map { parameter in
                    .map([
                        "name": .text(parameter.name), "values": .text(parameter.values),
                        "default": parameter.standard.map(Node.text), "summary": .text(parameter.summary),
                    ])
                }),
        ]
    }
}
