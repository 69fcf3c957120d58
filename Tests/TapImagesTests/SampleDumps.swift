import TapCards
import TapWire
import TestSupport

@testable import TapImages

/// Dumps of invented cards in the formats of other tools; the texts are vector files.
enum SampleDumps {
    /// Tag T4 of the vectors with a password.
    static let tag: NTAGDefinition = {
        var tag = SampleTags.t4()
        tag.password = SampleTags.password
        tag.pack = SampleTags.pack
        return tag
    }()

    private static let proxmarkHeader: [UInt8] =
        tag.version.bytes + [0, 0, 0, 0x86] + tag.signature.bytes + [0, 0, 0, 0, 0, 0, 0, 0, 0x30, 0x3F, 0, 0xBD]
    private static let oldProxmarkHeader: [UInt8] =
        tag.version.bytes + [0, 0, 0xBD, 0xBD, 0xBD, 0xAB, 0xCD, 0] + tag.signature.bytes

    private static let texts = [
        "tag.nfc", "old.nfc", "lite.nfc", "standard.nfc", "systems.nfc", "tag.json", "standard.json", "scan.json",
        "log.json", "tag.txt", "protected.txt", "lite.txt", "standard.txt",
    ]

    /// All samples by file name.
    static let all: [(name: String, bytes: [UInt8])] =
        texts.map { ($0, Array(VectorFile.text($0).utf8)) } + [
            ("tag.bin", tag.memory), ("short.bin", Array(tag.memory.prefix(532))),
            ("signed.bin", tag.memory + Array(tag.signature.bytes)), ("pm3.bin", proxmarkHeader + tag.memory),
            ("old-pm3.bin", oldProxmarkHeader + tag.memory),
            ("tag.eml", Array(HexadecimalDump.text(proxmarkHeader + tag.memory).utf8)),
        ]

    static func bytes(_ name: String) -> [UInt8] { all.first { $0.name == name }?.bytes ?? [] }

    static func lines(_ name: String) -> [String] {
        String(decoding: bytes(name), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }
}
