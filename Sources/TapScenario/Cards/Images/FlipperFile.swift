import TapCards
import TapWire

/// A `.nfc` file of Flipper Zero: lines `key: value`, `#` before comments.
///
/// Source: "NFC Flipper File Formats" in the documentation of the Flipper Zero firmware.
struct FlipperFile {
    /// What every such file begins with.
    static let heading = "Filetype: Flipper NFC device"

    private var values: [(key: Substring, value: String)] = []

    init(_ file: SourceFile) {
        for line in String(decoding: file.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        where !line.hasPrefix("#") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values.append((parts[0], String(parts[1].drop { $0 == " " })))
        }
    }

    func image() throws(TagImage.Problem) -> TagImage {
        let kind = value("NTAG/Ultralight type") ?? value("Device type") ?? ""
        guard let product = NTAGProduct.allCases.first(where: { kind.hasPrefix($0.rawValue) }) else {
            throw TagImage.Problem(
                message: "the dump is of a card called `\(kind)`",
                hint: "dumps of NTAG213, NTAG215 and NTAG216 are read; describe others under `systems`")
        }
        let pages = values.filter { $0.key.hasPrefix("Page ") }.map { (String($0.key.dropFirst(5)), $0.value) }
        var image = TagImage(
            try TagImage.contiguous(pages.map { (number: $0.0, bytes: $0.1) }), version: bytes("Mifare version"),
            signature: bytes("Signature"))
        image.product = product
        image.counter = value("Counter 2").flatMap(UInt32.init)
        image.failedAuthentications = value("Failed authentication attempts").flatMap(UInt8.init)
        return image
    }

    private func value(_ key: String) -> String? { values.first { $0.key == key }?.value }

    private func bytes(_ key: String) -> [UInt8]? { value(key).flatMap { try? Hex.bytes($0) } }
}
