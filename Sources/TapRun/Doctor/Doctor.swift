import TapScenario

/// Says whether programs on this machine can reach virtual cards by PC/SC, and why not.
public struct Doctor: Sendable {
    /// What was found, in the order in which it matters.
    public let findings: [Finding]

    /// Looks at the machine and, if one is named, at a client.
    ///
    /// - Parameter client: The program and its arguments; it is not run.
    public init(client: [String]? = nil) {
        let library = LibraryFacts()
        findings =
            Self.platform + Self.library(library) + [PrivateServiceProbe.finding] + Self.places + [Self.terminals]
            + Self.system
            + (client.map { ClientFindings($0, library).all } ?? [])
    }

    /// Whether nothing stands in the way of PC/SC.
    public var works: Bool { !findings.contains { $0.weight == .trouble } }

    /// What it comes to, a sentence.
    public var summary: String {
        guard !works else { return "PC/SC clients reach virtual cards here" }
        return findings.contains { $0.weight == .trouble && $0.topic != "client" }
            ? "PC/SC clients cannot reach virtual cards here; clients of nfcpy and libnfc and those in the same process can"
            : "PC/SC clients reach virtual cards here, but not this one as it is"
    }

    /// All of it as a program reads it.
    public var node: Node {
        ["works": .boolean(works), "findings": .list(findings.map(\.node))]
    }
}
