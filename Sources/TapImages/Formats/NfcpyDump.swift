import TapDocument
import TapWire

/// The text that nfcpy's tagtool prints for a tag with `show -v`: a description of the tag, then its memory.
///
/// Programs that call `print(tag)` and print `tag.dump()` produce the same text without the line `Memory Dump:`. The memory
/// is on separate lines or in one list in Python notation.
///
/// A line contains a number, bytes and their meaning. For a sequence of equal pages or blocks, the text has only the first
/// and the last, with a `*` in between if there are more. In the middle of a service, two equal blocks are one line.
///
/// Sources: nfcpy 1.0, examples/tagtool.py and `dump` in src/nfc/tag.
struct NfcpyDump {
    static let headings = ["Type2Tag", "Type3Tag"]

    /// The maximum number of lines before the heading, such as the typed command or remarks of a program.
    private static let mostLinesBefore = 8

    private struct Line {
        let number: Int
        let text: Substring
    }

    private let lines: [Line]

    init(_ file: SourceFile) {
        lines = ((Self.heading(of: file) ?? 1)...file.lineCount).flatMap { number in
            let text = file.text(ofLine: number).drop { $0 == " " }
            let items = text.hasPrefix("[") ? Self.items(ofList: text) : [text]
            return items.map { Line(number: number, text: $0.drop { $0 == " " }) }
        }
        .filter { !$0.text.isEmpty }
    }

    static func isDump(_ file: SourceFile) -> Bool { heading(of: file) != nil }

    /// The number of the line that describes the tag.
    private static func heading(of file: SourceFile) -> Int? {
        (1...min(file.lineCount, mostLinesBefore + 1)).first { number in
            let text = file.text(ofLine: number)
            return headings.contains { text.hasPrefix("\($0) ") }
        }
    }

    /// The texts in a list in Python notation: `['Area 0000--FFFE', "  0000: 00 …"]`.
    private static func items(ofList text: Substring) -> [Substring] {
        var items: [Substring] = []
        var rest = text
        while let start = rest.firstIndex(where: { $0 == "'" || $0 == "\"" }) {
            let quote = rest[start]
            var item = ""
            rest = rest[start...].dropFirst()
            while let character = rest.popFirst(), character != quote {
                item.append(character == "\\" ? rest.popFirst() ?? character : character)
            }
            items.append(item[...])
        }
        return items
    }

    func image() throws(ImageProblem) -> CardImage {
        guard let heading = lines.first else { throw problem("the file is empty", 1) }
        let start = lines.firstIndex { $0.text == "Memory Dump:" } ?? lines.startIndex
        let memory = lines[(start + 1)...]
        guard !memory.isEmpty else {
            throw ImageProblem(
                "the text contains no memory dump", line: heading.number,
                hint: "use `tagtool.py show -v`, or print `tag.dump()` after the tag")
        }
        guard heading.text.hasPrefix("Type3Tag") else {
            return CardImage(.tag(try tag(heading, memory)), .nfcpy)
        }
        let idm = IDm(UInt64(octets: try word("ID", ofBytes: 8, in: heading)))
        let pmm = PMm(UInt64(octets: try word("PMM", ofBytes: 8, in: heading)))
        let system = SystemCode(UInt16(octets: try word("SYS", ofBytes: 2, in: heading)))
        if LiteImage.ic(of: pmm) != nil {
            return CardImage(.lite(LiteImage(idm: idm, pmm: pmm, blocks: try lite(memory))), .nfcpy)
        }
        var image = FeliCaImage(idm: idm.ofSystem(0), pmm: pmm)
        image.systems = try systems(memory, system)
        guard !image.systems.isEmpty else {
            throw ImageProblem(
                "the text contains no memory of the card", line: memory.last?.number ?? heading.number,
                hint: "use another program: nfcpy cannot read the memory of a card that does not list its systems")
        }
        return CardImage(.felica(image), .nfcpy)
    }

    private func problem(_ message: String, _ line: Int) -> ImageProblem {
        ImageProblem(message, line: line, hint: "run `tagtool.py show -v` again")
    }

    /// The value of an item in the heading, such as `ID=01FE…`.
    private func word(_ name: String, ofBytes count: Int, in heading: Line) throws(ImageProblem) -> [UInt8] {
        let word = heading.text.split(separator: " ").first { $0.hasPrefix("\(name)=") }
        guard let bytes = word.flatMap({ try? Hex.bytes($0.dropFirst(name.count + 1)) }), bytes.count == count else {
            throw problem("the first line needs `\(name)=` and \(CountText.of(count, "byte"))", heading.number)
        }
        return bytes
    }
}

extension NfcpyDump {
    /// Rows of memory by number; a row with `nil` bytes was not read.
    private struct Rows {
        /// The number of rows that are numbered without gaps; later numbers may jump.
        let denseCount: Int
        private(set) var values: [Int: [UInt8]?] = [:]
        private var last: (number: Int, bytes: [UInt8]?)?
        private var hasStar = false

        init(dense denseCount: Int) {
            self.denseCount = denseCount
        }

        mutating func addStar() { hasStar = true }

        /// Adds a row, and the rows before it that the text omits because they equal the previous row.
        ///
        /// - Returns: `false` if rows are missing that the text cannot omit.
        mutating func add(_ number: Int, _ bytes: [UInt8]?) -> Bool {
            defer { (last, hasStar) = ((number, bytes), false) }
            let next = (last?.number ?? -1) + 1
            guard number >= next else { return false }
            if next < denseCount, number > next {
                guard let last, hasStar || number == next + 1 else { return false }
                for skipped in next..<min(number, denseCount) { values[skipped] = last.bytes }
            }
            values[number] = bytes
            return true
        }
    }

    /// Reads a line with a number and bytes, or with a star.
    private func read(_ line: Line, into rows: inout Rows, radix: Int, count: Int) throws(ImageProblem) {
        guard line.text.first != "*" else { return rows.addStar() }
        guard let colon = line.text.firstIndex(of: ":"),
            let number = Int(line.text[..<colon], radix: radix), 0...FeliCaImage.maximumBlocks ~= number
        else { throw problem("the line has no row number", line.number) }
        let words = line.text[line.text.index(after: colon)...].split(separator: " ").prefix(count)
        let isUnread = words.allSatisfy { $0 == "??" }
        let bytes = try? Hex.bytes(words.joined())
        guard words.count == count, isUnread || bytes?.count == count else {
            throw problem("the line needs \(count) bytes", line.number)
        }
        guard rows.add(number, isUnread ? nil : bytes) else {
            throw problem("rows are missing before `\(line.text[..<colon])`", line.number)
        }
    }

    private func tag(_ heading: Line, _ memory: ArraySlice<Line>) throws(ImageProblem) -> TagImage {
        guard let product = NTAGProduct.allCases.first(where: { heading.text.contains($0.rawValue) }) else {
            throw ImageProblem(
                "the text describes a tag that is not an NTAG21x", line: heading.number,
                hint: "supported types are NTAG213, NTAG215, NTAG216 and FeliCa")
        }
        let count = product.layout.pageCount
        var rows = Rows(dense: count)
        for line in memory { try read(line, into: &rows, radix: 16, count: PageData.byteCount) }
        guard rows.values.count == count else {
            throw problem(
                "the memory has \(rows.values.count) pages, but an \(product.rawValue) has \(count)",
                memory.last?.number ?? heading.number)
        }
        return TagImage(product, pages: (0..<count).map { (rows.values[$0] ?? nil).map { PageData($0) } })
    }

    private func lite(_ memory: ArraySlice<Line>) throws(ImageProblem) -> [LiteBlock: BlockData] {
        var rows = Rows(dense: LiteBlock.padCount)
        for line in memory { try read(line, into: &rows, radix: 10, count: BlockData.byteCount) }
        var blocks: [LiteBlock: BlockData] = [:]
        for (number, bytes) in rows.values {
            guard let bytes, let number = UInt16(exactly: number) else { continue }
            blocks[LiteBlock(number)] = BlockData(bytes)
        }
        return blocks
    }
}

extension NfcpyDump {
    /// The systems with areas and services; without any, the memory belongs to the service for reading a Type 3 Tag.
    private func systems(
        _ memory: ArraySlice<Line>, _ polled: SystemCode
    ) throws(ImageProblem) -> [FeliCaImage.System] {
        var found = FoundSystems()
        for line in memory {
            let words = line.text.split(separator: " ")
            let isRow = line.text.first == "*" || words[0].hasSuffix(":")
            guard isRow || found.endService() else { throw problem("the card has too many blocks", line.number) }
            if words[0] == "System", words.count > 1 {
                found.systems.append(FeliCaImage.System(code: SystemCode(try code(words[1], line))))
            } else if words[0] == "Area", words.count == 2, !found.systems.isEmpty {
                let codes = words[1].split(separator: "-")
                guard codes.count == 2 else { throw problem("the area needs its first and last code", line.number) }
                let (code, end) = (NodeCode(try code(codes[0], line)), NodeCode(try code(codes[1], line)))
                guard let area = FeliCaImage.Area(code: code, end: end) else {
                    throw problem("area \(code) cannot end at \(end)", line.number)
                }
                found.add(area)
            } else if words.count > 1, words[1] == "Service", !found.systems.isEmpty {
                for word in words {
                    let digits = word.drop { $0 == "(" }.prefix { $0 != ")" }
                    guard digits.hasPrefix("0x") else { continue }
                    found.add(FeliCaImage.Service(NodeCode(try code(digits.dropFirst(2), line))))
                }
            } else if isRow {
                if found.systems.isEmpty {
                    found.systems = [FeliCaImage.System(code: polled)]
                    found.add(FeliCaImage.Service(Type3Services.read))
                }
                guard found.hasService else { throw problem("the row belongs to no service", line.number) }
                try read(line, into: &found.rows, radix: 16, count: BlockData.byteCount)
            } else {
                throw problem("the line is not a system, an area, a service or a row of memory", line.number)
            }
        }
        guard found.endService() else { throw problem("the card has too many blocks", memory.last?.number ?? 1) }
        return found.systems
    }

    /// The systems read so far; rows belong to the last service.
    private struct FoundSystems {
        var systems: [FeliCaImage.System] = []
        var rows = Rows(dense: .max)
        private var blocksLeft = FeliCaImage.maximumBlocks

        var hasService: Bool { systems.last?.services.isEmpty == false }

        mutating func add(_ area: FeliCaImage.Area) { systems[systems.count - 1].areas.append(area) }

        mutating func add(_ service: FeliCaImage.Service) { systems[systems.count - 1].services.append(service) }

        /// Assigns the rows to the last service; returns `false` if there are too many.
        mutating func endService() -> Bool {
            defer { rows = Rows(dense: .max) }
            blocksLeft -= rows.values.count
            guard blocksLeft >= 0 else { return false }
            guard !rows.values.isEmpty, let last = systems.last?.services.indices.last else { return true }
            systems[systems.count - 1].services[last].blocks = rows.values.compactMapValues {
                $0.map { BlockData($0) }
            }
            return true
        }
    }

    private func code(_ text: Substring, _ line: Line) throws(ImageProblem) -> UInt16 {
        guard text.count == 4, let code = UInt16(text, radix: 16) else {
            throw problem("`\(PrintableText.line(text))` is not a code of four hexadecimal digits", line.number)
        }
        return code
    }
}
