import TapCards
import TapDocument
import TapWire

/// What a dump of an NTAG21x tells: its pages, and what lies outside its memory as far as the dump has it.
struct TagImage: Hashable {
    /// Most bytes of a dump; the text of the largest tag takes a tenth of it.
    static let maximumBytes = 1 << 16

    /// The IC, if the dump names it or is as long as its memory.
    var product: NTAGProduct?
    /// The pages from page 0 on.
    var memory: [UInt8]
    var version: GetVersion.Response?
    var signature: OriginalitySignature?
    var counter: UInt32?
    var failedAuthentications: UInt8?

    /// Takes the memory of a tag, whose length tells the IC unless a version does.
    init(_ memory: [UInt8], version: [UInt8]? = nil, signature: [UInt8]? = nil) {
        self.memory = memory
        if let version, version.count == GetVersion.Response.length, version.contains(where: { $0 != 0 }) {
            self.version = GetVersion.Response(UInt64(octets: version))
        }
        self.signature = signature.flatMap { try? OriginalitySignature(parsing: $0) }
        product =
            self.version.flatMap(NTAGProduct.init)
            ?? NTAGProduct.allCases.first { $0.layout.byteCount == memory.count }
    }

    /// Why a file is no dump of a tag.
    struct Problem: Error, Hashable {
        /// What is wrong, half a sentence.
        let message: String
        let hint: String
    }

    /// The tag of an IC that has these pages, those the dump does not have as at delivery.
    ///
    /// Readers read PWD as zeros, so a dump with these does not tell the password, as one that ends before it.
    func tag(_ product: NTAGProduct) throws(NTAGDefinitionError) -> NTAGDefinition {
        var tag = try NTAGDefinition(product, image: memory)
        tag.isPasswordKnown = hasPassword(product) && tag.password != .zero
        if let version { tag.version = version }
        if let signature { tag.signature = signature }
        if let counter { tag.counter = counter }
        if let failedAuthentications { tag.failedAuthentications = failedAuthentications }
        return tag
    }

    /// Whether the page of PWD is among those of the dump.
    func hasPassword(_ product: NTAGProduct) -> Bool {
        memory.count > product.layout.passwordPage * PageData.byteCount
    }
}

extension TagImage {
    /// Reads a dump in any format that is known, told apart by its content.
    ///
    /// Formats: the memory as it is, alone or behind the 56 bytes that Proxmark3 puts before it; the pages in
    /// hexadecimal, with `#` before comments; the `.nfc` files of Flipper Zero; the JSON of Proxmark3.
    ///
    /// Sources: "NFC Flipper File Formats" in the documentation of the Flipper Zero firmware; "mfu" dumps in the notes
    /// on file formats and `mfu_dump_t` of the Proxmark3 client.
    init(reading file: SourceFile) throws(Problem) {
        guard file.bytes.count <= Self.maximumBytes else {
            throw Problem(message: "the dump is too large", hint: "a dump has at most \(Self.maximumBytes) bytes")
        }
        let text = file.brokenOffset == nil && file.bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
        let image: TagImage
        if !text {
            image = Self.binary(file.bytes)
        } else if file.bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            image = try Self.proxmark(file)
        } else if file.bytes.starts(with: FlipperFile.heading.utf8) {
            image = try FlipperFile(file).image()
        } else {
            image = try Self.hexadecimal(String(decoding: file.bytes, as: UTF8.self))
        }
        guard !image.memory.isEmpty, image.memory.count % PageData.byteCount == 0 else {
            throw Problem(
                message: "the dump has \(CountText.of(image.memory.count, "byte"))", hint: "a page has four bytes")
        }
        self = image
    }

    /// Bytes before the memory in binary dumps of Proxmark3: version, three bytes around the reading of the tag, the
    /// number of pages, signature, three counters with their tearing flags.
    private static let proxmarkHeaderCount = 56

    private static func binary(_ bytes: [UInt8]) -> TagImage {
        let lengths = NTAGProduct.allCases.map(\.layout.byteCount)
        guard lengths.contains(bytes.count - proxmarkHeaderCount) else { return TagImage(bytes) }
        var image = TagImage(
            Array(bytes.dropFirst(proxmarkHeaderCount)), version: Array(bytes[0..<8]),
            signature: Array(bytes[12..<44]))
        // The NFC counter is the last of the three.
        image.counter = littleEndian(bytes[52..<55])
        return image
    }

    private static func hexadecimal(_ text: String) throws(Problem) -> TagImage {
        var memory: [UInt8] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let digits = line.prefix { $0 != "#" }
            do throws(Hex.Problem) {
                memory += try Hex.bytes(digits)
            } catch {
                throw Problem(
                    message: "line \(index + 1) of the dump is not hexadecimal: \(error)",
                    hint: "a dump is binary, hexadecimal, a .nfc file of Flipper Zero or JSON of Proxmark3")
            }
        }
        return TagImage(memory)
    }

    private static func proxmark(_ file: SourceFile) throws(Problem) -> TagImage {
        var diagnostics = Diagnostics()
        guard let node = JSONReader().read(file, into: &diagnostics), !diagnostics.hasErrors else {
            throw Problem(message: "the dump is not JSON", hint: diagnostics.found.first?.message ?? "export it again")
        }
        guard case .map(let blocks)? = node["blocks"] else {
            throw Problem(message: "the dump has no `blocks`", hint: "JSON of Proxmark3 has the pages under `blocks`")
        }
        let card = node["Card"]
        let bytes = { (key: String) in card?[key]?.text.flatMap { try? Hex.bytes($0) } }
        let pages = try contiguous(blocks.entries.map { ($0.key.text, $0.value.text) })
        var image = TagImage(pages, version: bytes("Version"), signature: bytes("Signature"))
        image.counter = bytes("Counter2").flatMap { $0.count == 3 ? littleEndian($0[...]) : nil }
        return image
    }

    /// The memory that pages by number make; they begin at 0 and leave none out.
    static func contiguous(_ pages: [(number: String, bytes: String?)]) throws(Problem) -> [UInt8] {
        var byNumber: [Int: [UInt8]] = [:]
        for (name, text) in pages {
            guard let number = Int(name), let text, let bytes = try? Hex.bytes(text),
                bytes.count == PageData.byteCount
            else {
                throw Problem(message: "page `\(name)` of the dump has no four bytes", hint: "read the tag once more")
            }
            byNumber[number] = bytes
        }
        var memory: [UInt8] = []
        for number in 0..<byNumber.count {
            guard let page = byNumber[number] else {
                throw Problem(message: "page \(number) is missing in the dump", hint: "read the tag once more")
            }
            memory += page
        }
        return memory
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

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
