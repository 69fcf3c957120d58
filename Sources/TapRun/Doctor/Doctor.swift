import TapScenario

/// Says whether programs on this machine can reach virtual cards by PC/SC, and why not.
public struct Doctor: Sendable {
    /// What was found, in the order in which it matters.
    public let findings: [Finding]
    /// The library by which the client reaches readers without PC/SC, if one is named that does.
    private let otherLibrary: String?

    /// Looks at the machine and, if one is named, at a client.
    ///
    /// - Parameter client: The program and its arguments; it is not run.
    public init(client: [String]? = nil) {
        let library = LibraryFacts()
        let looked = client.map { ClientFindings($0, library) }
        otherLibrary = looked?.otherLibrary
        let pcsc = Self.platform + Self.library(library) + [PrivateServiceProbe.finding]
        findings =
            (otherLibrary == nil ? pcsc : pcsc.map(\.asNote)) + Self.places + [Self.terminals] + Self.system
            + (looked?.all ?? [])
    }

    /// Whether nothing stands in the way of PC/SC, or of the library that the client uses instead.
    public var works: Bool { !findings.contains { $0.weight == .trouble } }

    /// What it comes to, a sentence.
    public var summary: String {
        guard !works else { return "\(otherLibrary ?? "PC/SC") clients reach virtual cards here" }
        return findings.contains { $0.weight == .trouble && $0.topic != "client" }
            ? "PC/SC clients cannot reach virtual cards here; clients of nfcpy and libnfc and those in the same process can"
            : "\(otherLibrary ?? "PC/SC") clients reach virtual cards here, but not this one as it is"
    }

    /// All of it as a program reads it.
    public var node: Node {
        ["works": .boolean(works), "findings": .list(findings.map(\.node))]
    }
}
