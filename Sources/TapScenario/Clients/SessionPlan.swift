import TapCrypto
import TapDocument
import TapWire

/// The plan of the built-in client `session`: the keys it authenticates with, and the blocks it writes.
public struct SessionPlan: Hashable, Sendable {
    public struct Node: Hashable, Sendable {
        public var code: NodeCode
        /// The key, or empty for a service that needs no authentication.
        public var key: [UInt8]
    }

    public struct Writing: Hashable, Sendable {
        public var service: NodeCode
        /// The blocks from block 0 on; for a cyclic service, each is written as block 0.
        public var blocks: [BlockData]
    }

    public var system = SystemCode.any
    public var cipher = FeliCaCipher.des
    public var systemKey: [UInt8] = Array(repeating: 0, count: 8)
    /// The areas for DES, from the root area inward.
    public var areas = [Node(code: .root, key: Array(repeating: 0, count: 8))]
    public var services: [Node] = []
    /// The reader's challenge, or `nil` to draw it from the seed of the case.
    public var challenge: [UInt8]?
    public var writings: [Writing] = []

    public init() {}
}

extension SessionPlan {
    static let services = "services"

    static let table = FieldTable(
        "a map of session client options", SessionPlan(),
        [
            .init(
                "system", \.system,
                FieldForm.code("a system code").converted({ SystemCode($0) }, back: \.rawValue),
                "The system to authenticate with.", synonyms: ["system_code"]),
            .init("cipher", \.cipher, .word, "The cipher of the keys, DES or AES."),
            .init(
                "system_key", \.systemKey, .hex(8...8), "DES: the key of the system. Default: zeros.",
                hasDefault: false, isWritten: { $0.cipher == .des }),
            .init(
                "areas", \.areas, nodes(of: "an area code", .hex(8...8)),
                "DES: areas by code with their keys, from the root area inward. Default: the root area with a key of zeros.",
                hasDefault: false, isWritten: { $0.cipher == .des }),
            .init(
                services, \.services, nodes(of: "a service code", .hex(0...0, 8...8, 16...16)),
                "Services by code with their keys, or `\"\"` for services without authentication.", isRequired: true,
                synonyms: ["nodes", "keys"]),
            .init(
                "challenge", \.challenge, .hex(8...8, 16...16),
                "The reader's challenge, 8 bytes for DES and 16 for AES. If omitted, it is drawn from the seed."),
            .init(
                "write", \.writings, writings,
                "Services by code with the blocks to write, starting at block 0, before everything is read.",
                hasDefault: false, isWritten: { !$0.writings.isEmpty }),
        ])

    private static func nodes(of noun: String, _ key: FieldForm<[UInt8]>) -> FieldForm<[Node]> {
        FieldForm(
            .map(of: CodeRule(noun), to: key.shape),
            read: { $0.named.map { Node(code: NodeCode($0.name.code), key: key.read($0.value)) } },
            node: { .map($0.map { (key: $0.code.description, value: key.node($0.key)) }) })
    }

    private static let writings = FieldForm<[Writing]>(
        .map(of: CodeRule("a service code"), to: .list(of: .hex(16))),
        read: {
            $0.named.map { entry in
                Writing(
                    service: NodeCode(entry.name.code), blocks: entry.value.items.map { BlockData($0.bytes) })
            }
        },
        node: {
            .map(
                $0.map { writing in
                    (key: writing.service.description, value: .list(writing.blocks.map { .hex($0.bytes) }))
                })
        })

    /// The reason why the keys do not fit the cipher, as a clause, or `nil` if they do.
    var problem: String? {
        let length = cipher.keyLength
        if services.allSatisfy(\.key.isEmpty) { return "no service has a key" }
        if let odd = services.first(where: { !$0.key.isEmpty && $0.key.count != length }) {
            return "service \(odd.code) has a key of \(odd.key.count) bytes"
        }
        if let challenge, challenge.count != length { return "the challenge has \(challenge.count) bytes" }
        return nil
    }
}
