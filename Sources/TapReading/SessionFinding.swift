import TapCards
import TapClient
import TapDocument
import TapScenario
import TapWire

/// The result of the built-in client `session`.
struct SessionFinding: ClientFinding {
    let system: FeliCaSystem
    let issue: FeliCaIssueData
    let services: [(code: NodeCode, blocks: [BlockData])]

    var node: Node {
        .map([
            (key: "idm", value: .text(system.idm.description)), (key: "system", value: .text(system.code.description)),
            (key: "issue_id", value: .text(Hex.text(issue.id.octets))),
            (key: "issue_parameter", value: .text(Hex.text(issue.parameter.octets))),
            (
                key: "services",
                value: .map(
                    services.map { service in
                        (
                            key: service.code.description,
                            value: .list(service.blocks.map { .text($0.description) })
                        )
                    })
            ),
        ])
    }

    var lines: [String] {
        ["IDm \(system.idm)   IDi \(Hex.text(issue.id.octets))   PMi \(Hex.text(issue.parameter.octets))"]
            + services.flatMap { service in
                ["service \(service.code)   \(CountText.of(service.blocks.count, "block"))"]
                    + service.blocks.enumerated().map { "  \(Hex.digits($0.offset, width: 2))  \($0.element)" }
            }
    }
}

extension SessionPlan {
    private var credentials: FeliCaCredentials {
        let nodes = { (nodes: [SessionPlan.Node]) in
            nodes.map { FeliCaCredentials.Node($0.code, key: $0.key.isEmpty ? nil : $0.key) }
        }
        return FeliCaCredentials(
            cipher, systemKey: systemKey, areas: nodes(areas), services: nodes(services))
    }

    /// Authenticates, writes, and reads every service to its last block.
    ///
    /// - Parameter random: The generator for the challenge, if the plan states none.
    func run<Link: TagLink>(
        _ reader: inout CardReader<Link>, _ random: SeededGenerator
    ) async throws(ClientError) -> SessionFinding {
        let system = try await reader.activate(system: system)
        let credentials = credentials
        var random = random
        let drawn = random.next().octets + random.next().octets
        let issue = try await reader.authenticate(
            credentials, challenge: challenge ?? Array(drawn.prefix(credentials.challengeLength)))
        for writing in writings {
            let isCyclic = writing.service.attribute.kind == .cyclic
            try await reader.writeSecurely(
                writing.blocks.enumerated().map { number, data in
                    let number = isCyclic ? 0 : UInt16(truncatingIfNeeded: number)
                    return BlockWrite(BlockAddress(writing.service, number), data)
                })
        }
        var services: [(code: NodeCode, blocks: [BlockData])] = []
        for service in credentials.services where service.code.attribute.isService {
            services.append((service.code, try await reader.readSecurely(service: service.code)))
        }
        return SessionFinding(system: system, issue: issue, services: services)
    }
}
