import TapWire

/// What a command to a selected tag and its answer are made of, behind the opcode.
struct Type2Layout: Sendable {
    let opcode: Type2Opcode
    let command: [LayoutPart]
    /// The answer where it is not an acknowledgement; nothing where it never is more than that.
    let answer: [LayoutPart]?

    /// The layout of a command.
    static func of(_ opcode: Type2Opcode) -> Type2Layout? { all.first { $0.opcode == opcode } }

    /// The commands of NTAG21x and of relatives that readers try.
    static let all: [Type2Layout] = [
        Type2Layout(opcode: .getVersion, command: [], answer: version),
        Type2Layout(opcode: .read, command: [.field(page("page"))], answer: [.pages]),
        Type2Layout(
            opcode: .fastRead, command: [.field(page("first page", "pages")), .field(page("last page", "to"))],
            answer: [.pages]),
        Type2Layout(
            opcode: .write,
            command: [.field(page("page")), .writtenPage],
            answer: nil),
        Type2Layout(opcode: .compatibilityWrite, command: [.field(page("page"))], answer: nil),
        Type2Layout(
            opcode: .readCounter,
            command: [
                .field(.byte("counter", meaning: { $0 == ReadCounter.nfcCounter ? "NFC counter" : "no counter" }))
            ],
            answer: [
                .field(
                    FieldKind(
                        "counter", 3, form: "LE", meaning: { "\(littleEndian($0))" },
                        words: { "counter \(littleEndian($0))" }))
            ]),
        Type2Layout(
            opcode: .passwordAuthentication, command: [.field(FieldKind("PWD", 4, meaning: { _ in "the password" }))],
            answer: [
                .field(
                    FieldKind("PACK", 2, meaning: { _ in "password acknowledge" }, words: { "PACK \(Hex.text($0))" }))
            ]),
        Type2Layout(
            opcode: .readSignature,
            command: [.field(.byte("address", meaning: { $0 == 0 ? "the only one" : "not defined" }))],
            answer: [
                .field(FieldKind("r", 16, form: "BE", words: { _ in "signature" })),
                .field(FieldKind("s", 16, form: "BE")),
            ]),
        Type2Layout(opcode: .halt, command: [.field(.reserved(1))], answer: nil),
    ]

    private static func page(_ name: String, _ words: String = "page") -> FieldKind {
        .byte(name, meaning: { "page \(Hex.digits($0, width: 2))" }, words: { "\(words) \(Hex.digits($0, width: 2))" })
    }

    private static let version: [LayoutPart] = [
        .field(.byte("header", meaning: { _ in "fixed" })),
        .field(.byte("vendor", meaning: { $0 == 0x04 ? "NXP" : "another maker" })),
        .field(.byte("product type", meaning: { $0 == 0x04 ? "NTAG" : "another product" })),
        .field(
            .byte(
                "product subtype",
                meaning: { $0 == 0x01 ? "17 pF" : $0 == 0x02 ? "50 pF" : $0 == 0x04 ? "F type" : "not defined" })),
        .field(.byte("major version")), .field(.byte("minor version")),
        .field(.byte("storage size", meaning: { storage($0) })),
        .field(.byte("protocol", meaning: { $0 == 0x03 ? "ISO/IEC 14443-3" : "another protocol" })),
    ]

    private static func storage(_ byte: UInt8) -> String {
        guard let range = GetVersion.Response(UInt64(byte) << 8).storageBytes else { return "more than 4 GiB" }
        return range.count == 1 ? "\(range.lowerBound) bytes" : "\(range.lowerBound) to \(range.upperBound) bytes"
    }

    private static func littleEndian(_ bytes: [UInt8]) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
