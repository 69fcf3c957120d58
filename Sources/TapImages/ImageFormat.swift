import TapCards
import TapDocument
import TapWire

/// A dump format, named as for `--format`.
package enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case flipper
    case bin
    case mfd
    case proxmarkBinary = "pm3-bin"
    case proxmarkJSON = "pm3-json"
    case eml
    case nfcpy
    case felicaTool = "felica-tool"

    /// The name of the format for people.
    package var title: String {
        switch self {
        case .flipper: ".nfc of Flipper Zero"
        case .bin: "raw memory"
        case .mfd: ".mfd of libnfc"
        case .proxmarkBinary: ".bin of Proxmark3"
        case .proxmarkJSON: ".json of Proxmark3"
        case .eml: ".eml of Proxmark3"
        case .nfcpy: "output of nfcpy's tagtool"
        case .felicaTool: "an export of felica-tool"
        }
    }

    /// A Boolean value that indicates whether the format can be written; the others are only read.
    package var isWritten: Bool { self != .nfcpy && self != .felicaTool }

    package static let written = allCases.filter(\.isWritten)

    /// All readable formats, for a message about a file in another format.
    static var readFormats: String {
        "expected raw memory of an NTAG21x (.bin, .mfd, .eml), .nfc of Flipper Zero, .bin or .json of Proxmark3, output of "
            + "nfcpy's `tagtool.py show -v`, or an export of felica-tool"
    }
}

extension CardImage {
    /// Returns whether a file is meant as a dump, by its extension or its content; reading it reports any errors.
    package static func isDump(_ file: SourceFile) -> Bool {
        let name = file.name.lowercased()
        if [".nfc", ".bin", ".mfd", ".eml"].contains(where: name.hasSuffix) { return true }
        if [".yaml", ".yml"].contains(where: name.hasSuffix) { return false }
        return isKnown(file) || !file.bytes.isEmpty && !isText(file)
    }

    /// Returns whether a file identifies its format, so that errors may quote it; hexadecimal text could be anything.
    package static func isKnown(_ file: SourceFile) -> Bool {
        if file.bytes.starts(with: FlipperFile.heading.utf8) || NfcpyDump.isDump(file) { return true }
        return JSONDump.isMeant(file) && JSONDump.isDump(file)
    }

    private static func isText(_ file: SourceFile) -> Bool {
        file.brokenOffset == nil && file.bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    }

    /// Reads a dump whose format is detected from its content.
    package init(reading file: SourceFile) throws(ImageProblem) {
        guard file.bytes.count <= Self.maximumBytes else {
            throw ImageProblem("the dump is too large", hint: "at most \(Self.maximumBytes) bytes are allowed")
        }
        guard Self.isText(file), !file.bytes.isEmpty else {
            self = try MemoryDump.image(file.bytes)
            return
        }
        if JSONDump.isMeant(file) {
            self = try JSONDump.image(file)
        } else if file.bytes.starts(with: FlipperFile.heading.utf8) {
            self = try FlipperFile(file).image()
        } else if NfcpyDump.isDump(file) {
            self = try NfcpyDump(file).image()
        } else {
            self = try HexadecimalDump.image(file)
        }
    }

    package func bytes(_ format: ImageFormat) throws(ImageProblem) -> [UInt8] {
        switch (format, content) {
        case (.flipper, .tag(let tag)): return Array(FlipperTag.text(try tag.whole(tellsGaps: true)).utf8)
        case (.proxmarkJSON, .tag(let tag)): return Array(ProxmarkTag.json(try tag.whole(tellsGaps: false)).utf8)
        case (.bin, .tag(let tag)), (.mfd, .tag(let tag)): return try MemoryDump.checked(tag).memory
        case (.proxmarkBinary, .tag(let tag)): return ProxmarkTag.bytes(try MemoryDump.checked(tag))
        case (.eml, .tag(let tag)):
            return Array(HexadecimalDump.text(ProxmarkTag.bytes(try MemoryDump.checked(tag))).utf8)
        case (.flipper, .lite), (.flipper, .felica): return Array(try FlipperFeliCa.text(self).utf8)
        case (.proxmarkJSON, .felica(let card)): return Array(ProxmarkFeliCa.json(card).utf8)
        default:
            throw ImageProblem(
                "\(format.title) cannot contain \(family.rawValue)",
                hint: "use \(ListText.choice(formats.map(\.rawValue)))")
        }
    }

    /// The writable formats that can store such a card.
    package var formats: [ImageFormat] {
        switch content {
        case .tag: [.flipper, .bin, .mfd, .proxmarkBinary, .proxmarkJSON, .eml]
        case .lite: [.flipper]
        case .felica: [.flipper, .proxmarkJSON]
        }
    }
}
