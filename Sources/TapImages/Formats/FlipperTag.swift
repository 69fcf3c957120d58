import TapWire

/// An NTAG21x in a file of Flipper Zero.
///
/// Source: Flipper Zero firmware, lib/nfc/protocols/mf_ultralight, and "NFC Flipper File Formats" in its documentation.
struct FlipperTag {
    private let file: FlipperFile
    private let product: NTAGProduct
    /// The counter of an NTAG21x is the last of the three that a file has.
    private static let counter = "Counter \(ReadCounter.nfcCounter)"

    init(_ file: FlipperFile, _ product: NTAGProduct) {
        self.file = file
        self.product = product
    }

    func image() throws(ImageProblem) -> TagImage {
        var image = TagImage(product, pages: try pages())
        image.conclusions = identityNotes(image)
        image.version = try file.bytes("Mifare version", count: GetVersion.Response.length)
            .flatMap { GetVersion.Response(dumped: $0) }
        image.signature = try file.bytes("Signature", count: OriginalitySignature.byteCount)
            .flatMap { OriginalitySignature(dumped: $0) }
        image.counter = try file.number(Self.counter, atMost: Int(ReadCounter.maximumValue)).map(UInt32.init)
        image.leftOut = file.lines.filter(isLeftOut).map { PrintableText.line("\($0.key): \($0.value)") }
        image.failedAuthentications = try file.number("Failed authentication attempts", atMost: 0xFF).map(UInt8.init)
        if let version = image.version, let other = NTAGProduct(version), other != product {
            throw ImageProblem(
                "`Mifare version` is that of an \(other.rawValue), and the file says \(product.rawValue)",
                line: file.line("Mifare version")?.number, hint: "export it again")
        }
        return image
    }

    /// Whether a line is about something that an NTAG21x does not have: other counters, what a torn one leaves, a SAK that
    /// is not 00, another ATQA.
    private func isLeftOut(_ line: FlipperFile.Line) -> Bool {
        if line.key == "ATQA" { return line.value != (file.version == 2 ? "44 00" : "00 44") }
        if line.key.hasPrefix("Tearing ") { return !["00", "BD"].contains(line.value.uppercased()) }
        let isCounter = line.key.hasPrefix("Counter ") && line.key != Self.counter
        return isCounter && line.value != "0" || line.key == "SAK" && line.value != "00"
    }

    /// The pages; those behind `Pages read` that are zero were not read.
    private func pages() throws(ImageProblem) -> [PageData?] {
        let count = product.layout.pageCount
        let total = try file.required("Pages total")
        guard try file.number(total, atMost: 0xFFFF) == count else {
            throw ImageProblem(
                "`Pages total` is \(total.value), and an \(product.rawValue) has \(count) pages", line: total.number,
                hint: "export it again")
        }
        let readCount = try file.number("Pages read", atMost: count) ?? count
        var pages: [PageData?] = []
        for line in file.lines where line.key.hasPrefix("Page ") {
            guard line.key == "Page \(pages.count)", pages.count < count else {
                throw ImageProblem(
                    "`\(PrintableText.line(line.key))` stands where "
                        + (pages.count < count ? "`Page \(pages.count)` belongs" : "all pages have been"),
                    line: line.number, hint: "export it again")
            }
            let page = try file.bytes(line, count: PageData.byteCount).map { PageData($0) }
            pages.append(page == .zero && pages.count >= readCount ? nil : page)
        }
        guard pages.count == count else { throw file.missing("Page \(pages.count)") }
        return pages
    }

    /// A note if the line of the UID is not what pages 0 and 1 say.
    ///
    /// Collections made by scripts have the first seven bytes of the memory there, BCC0 among them, or the UID of the tag
    /// that a file was made from.
    private func identityNotes(_ image: TagImage) -> [ImageNote] {
        guard let line = file.line("UID"), let uid = image.uid, (try? Hex.bytes(line.value)) != uid.bytes else {
            return []
        }
        return [
            ImageNote(
                .leftOut,
                "the dump says `UID: \(PrintableText.line(line.value))`, and pages 0 and 1 have \(Hex.text(uid.bytes, separator: " "))",
                hint: "the tag has the UID of its pages; write `uid` beside `image` for another one")
        ]
    }
}

extension FlipperTag {
    /// The file, of version 4, without the remarks that the firmware writes for people.
    static func text(_ tag: TagImage.Whole) -> String {
        func hex(_ bytes: some Collection<UInt8>) -> String { Hex.text(bytes, separator: " ") }
        var lines = [
            FlipperFile.heading, "Version: 4", "Device type: NTAG/Ultralight", "UID: \(hex(tag.uid.bytes))",
            "ATQA: 00 44", "SAK: 00", "Data format version: 2", "NTAG/Ultralight type: \(tag.product.rawValue)",
            "Signature: \(hex(tag.signature.bytes))", "Mifare version: \(hex(tag.version.bytes))",
        ]
        for number in 0...ReadCounter.nfcCounter {
            lines.append("Counter \(number): \(number == ReadCounter.nfcCounter ? tag.counter : 0)")
            lines.append("Tearing \(number): 00")
        }
        let count = tag.product.layout.pageCount
        lines += ["Pages total: \(count)", "Pages read: \(tag.readCount)"]
        lines += (0..<count).map { number in
            let start = number * PageData.byteCount
            return "Page \(number): \(hex(tag.memory[start..<start + PageData.byteCount]))"
        }
        lines.append("Failed authentication attempts: \(tag.image.failedAuthentications ?? 0)")
        return lines.map { $0 + "\n" }.joined()
    }
}
