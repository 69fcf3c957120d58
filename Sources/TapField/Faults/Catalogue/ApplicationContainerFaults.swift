import TapWire

extension FaultCatalogue {
    /// Capability containers of Type 2 tags and attribute information blocks of Type 3 tags that are wrong.
    static let appContainers: [FaultKind] = [
        FaultKind(
            "app.cc_magic",
            "The card does not say that it holds NDEF: no E1 on a Type 2 tag, a wrong sum on a Type 3 tag.",
            models: "A tag was never formatted, or a bit of the container was set that nothing can clear.",
            [FaultParameter("magic", .bytes(1...1), .bytes([0x00]), "The first byte of the container.")],
            effect: .container(
                type2: { container, arguments in container.magic = arguments.bytes("magic")?.first ?? 0 },
                type3: { block, _ in block.checksum = block.expectedChecksum &+ 1 })),
        FaultKind(
            "app.cc_version", "The card has a mapping version that readers do not know.",
            models: "A tag of a later specification, whose layout an old reader must not guess.",
            [FaultParameter("version", .bytes(1...1), .bytes([0x20]), "The version, major and minor: 20 is 2.0.")],
            effect: .container(
                type2: { container, arguments in container.version = arguments.mappingVersion },
                type3: { block, arguments in
                    block.version = arguments.mappingVersion
                    block.updateChecksum()
                })),
        FaultKind(
            "app.cc_size", "The card announces another size than it has.",
            models: "A clone or a writer copies the container of a larger product.",
            [
                FaultParameter(
                    "size", .integer(0...255), .integer(255),
                    "Units of eight bytes on a Type 2 tag, blocks on a Type 3 tag.")
            ],
            effect: .container(
                type2: { container, arguments in container.size = UInt8(arguments.integer("size") ?? 0) },
                type3: { block, arguments in
                    block.blockCount = UInt16(arguments.integer("size") ?? 0)
                    block.updateChecksum()
                })),
        FaultKind(
            "app.cc_read_only", "The card says that nobody may write it.",
            models: "A tag was locked before it was handed out.",
            effect: .container(
                type2: { container, _ in container.writeAccess = .none },
                type3: { block, _ in
                    block.accessFlag = .readOnly
                    block.updateChecksum()
                })),
    ]
}

extension FaultArguments {
    fileprivate var mappingVersion: MappingVersion { MappingVersion(bytes("version")?.first ?? 0) }
}
