import TapCards
import TapWire

/// A FeliCa card in a Flipper Zero file.
///
/// A Lite has 28 blocks, each with two status flags and sixteen bytes. A Standard card has areas, services and the publicly
/// readable blocks; the file lists its systems one after the other. The file does not state where areas end, only which
/// services an area contains: those outside its nested areas or, in some versions, all of them. `#000-#000` also stands for
/// no service.
///
/// Source: Flipper Zero firmware, lib/nfc/protocols/felica, several versions.
struct FlipperFeliCa {
    /// The blocks of a Lite, in the order of the file.
    private static let liteBlocks: [LiteBlock] =
        (0..<LiteBlock.padCount).map { LiteBlock(UInt16($0)) } + LiteBlock.known.map(\.block)
    /// The number of status flags before the data of a block.
    private static let flagCount = 2
    /// The fallback if neither the file nor its services determine the system.
    private static let unknownSystem = SystemCode.commonArea
    /// The attribute of an area that can contain areas.
    private static let parentArea = NodeAttribute(0x00)

    private let file: FlipperFile

    init(_ file: FlipperFile) {
        self.file = file
    }

    func image() throws(ImageProblem) -> CardImage {
        let idm = IDm(UInt64(octets: try identifier("Manufacture id")))
        let pmm = PMm(UInt64(octets: try identifier("Manufacture parameter")))
        if let line = file.line("UID"), try file.bytes(line, count: 8) != idm.rawValue.octets {
            throw ImageProblem(
                "`UID` differs from `Manufacture id`, the IDm", line: line.number, hint: "correct one of them")
        }
        if LiteImage.ic(of: pmm) != nil {
            return CardImage(.lite(LiteImage(idm: idm, pmm: pmm, blocks: try blocks())), .flipper)
        }
        guard file.line("Service found") != nil else {
            throw ImageProblem(
                "the file contains the IDm and PMm of a FeliCa Standard card, but not its memory", line: file.end,
                hint: "read the card with newer firmware; to use only its IDm, write `idm` and `pmm` in a scenario")
        }
        var image = FeliCaImage(idm: idm, pmm: pmm)
        try readSystems(into: &image)
        return CardImage(.felica(image), .flipper)
    }

    private func identifier(_ key: String) throws(ImageProblem) -> [UInt8] {
        guard let bytes = try file.bytes(try file.required(key), count: 8) else { throw file.missing(key) }
        return bytes
    }

    /// The blocks of a Lite, without blocks whose status flags report an error.
    private func blocks() throws(ImageProblem) -> [LiteBlock: BlockData] {
        guard let total = file.line("Blocks total") else { return [:] }
        let count = try file.number(total, atMost: Self.liteBlocks.count)
        var blocks: [LiteBlock: BlockData] = [:]
        for (number, block) in Self.liteBlocks.prefix(count).enumerated() {
            let line = try file.required("Block \(number)")
            let bytes = try file.bytes(line, count: Self.flagCount + BlockData.byteCount)
            guard let bytes, bytes[0] == 0, bytes[1] == 0 else { continue }
            blocks[block] = BlockData(bytes.dropFirst(Self.flagCount))
        }
        return blocks
    }
}

extension FlipperFeliCa {
    /// An area in the file, with the indices of its first and last service.
    private struct FoundArea {
        let code: NodeCode
        let services: ClosedRange<Int>?
    }

    /// The part of a system that was read so far.
    private struct FoundSystem {
        var code: SystemCode?
        var areas: [FoundArea] = []
        var services: [FeliCaImage.Service] = []
    }

    private func readSystems(into image: inout FeliCaImage) throws(ImageProblem) {
        var found: [FoundSystem] = []
        var counts: [Substring: FlipperFile.Line] = [:]
        for line in file.lines {
            let word = line.key.prefix { $0 != " " }
            if found.isEmpty, ["Area", "Service", "Block"].contains(word) { found.append(FoundSystem()) }
            switch word {
            case "System" where !line.key.hasSuffix("found"):
                try check(found.last, counts)
                counts = [:]
                found.append(FoundSystem(code: SystemCode(try code(line, of: line.value, "a system code"))))
            case "Public": counts["Public"] = line
            case "Area", "Service", "Block":
                if line.key.hasSuffix(" found") { counts[word] = line; break }
                try read(line, word, into: &found[found.count - 1])
            default: break
            }
        }
        try check(found.last, counts)
        if found.allSatisfy({ $0.code == nil }) { conclude(&found, &image) }
        image.systems = found.map(Self.system)
        if image.systems.contains(where: { $0.areas.contains { $0.code != .root } }) {
            image.conclusions.append(
                ImageNote(
                    .notHeld, "the file does not state where areas end",
                    hint:
                        "each area ends after its last service or nested area; to change this, write `areas` under `systems`"
                ))
        }
    }

    private func read(
        _ line: FlipperFile.Line, _ word: Substring, into system: inout FoundSystem
    ) throws(ImageProblem) {
        let fields = line.value.split(separator: "|").map { $0.trimmed }
        func field(_ name: String) throws(ImageProblem) -> Substring {
            guard let field = fields.first(where: { $0.hasPrefix(name) }) else {
                throw ImageProblem("`\(line.key)` has no `\(name)`", line: line.number, hint: "export it again")
            }
            return field.dropFirst(name.count).trimmed
        }
        switch word {
        case "Area":
            let indices = try field("Services").split(separator: "-").map { Int($0.drop { $0 == "#" }, radix: 16) }
            guard indices.count == 2, let first = indices[0], let last = indices[1] else {
                throw ImageProblem(
                    "`\(line.key)` does not state its services", line: line.number, hint: "export it again")
            }
            let code = NodeCode(try code(line, of: try field("Code"), "an area code"))
            system.areas.append(FoundArea(code: code, services: first <= last ? first...last : nil))
        case "Service":
            system.services.append(
                FeliCaImage.Service(NodeCode(try code(line, of: try field("Code"), "a service code"))))
        default:
            let service = NodeCode(try code(line, of: try field("Service code"), "a service code"))
            guard let place = system.services.firstIndex(where: { $0.code == service }) else {
                throw ImageProblem(
                    "`\(line.key)` belongs to service \(service), which the file does not list", line: line.number,
                    hint: "export it again")
            }
            guard let number = Int(try field("Block index"), radix: 16), 0...0xFFFF ~= number,
                let data = try? Hex.bytes(try field("Data:")), data.count == BlockData.byteCount
            else {
                throw ImageProblem(
                    "`\(line.key)` needs its number and 16 bytes of data", line: line.number, hint: "export it again")
            }
            system.services[place].blocks[number] = BlockData(data)
        }
    }

    /// Reports a file with fewer or more lines than it states.
    private func check(_ system: FoundSystem?, _ counts: [Substring: FlipperFile.Line]) throws(ImageProblem) {
        guard let system else { return }
        let found = [
            "Area": system.areas.count, "Service": system.services.count,
            "Public": system.services.reduce(0) { $0 + $1.blocks.count },
        ]
        for (word, line) in counts.sorted(by: { $0.value.number < $1.value.number }) {
            let stated = try file.number(line, atMost: 0xFFFF)
            guard let count = found[String(word)], stated != count else { continue }
            throw ImageProblem(
                "`\(line.key)` is \(stated), but the file has \(count)", line: line.number,
                hint: "the file is incomplete; export it again")
        }
        if counts["Public"] == nil, counts["Service"] != nil, file.line("Blocks total") == nil {
            throw file.missing("Public blocks read")
        }
    }

    private func code(
        _ line: FlipperFile.Line, of text: Substring, _ noun: String
    ) throws(ImageProblem) -> UInt16 {
        guard text.count == 4, let code = UInt16(text, radix: 16) else {
            throw ImageProblem(
                "`\(line.key)` needs \(noun) of four hexadecimal digits", line: line.number, hint: "export it again")
        }
        return code
    }

    /// Determines the only system of a file from its services.
    private func conclude(_ found: inout [FoundSystem], _ image: inout FeliCaImage) {
        guard let services = found.first?.services.map(\.code) else { return }
        let likely = FeliCaImage.likelySystem(of: services)
        found[0].code = likely ?? Self.unknownSystem
        let reason = likely == nil ? "no service is known" : "its services are known in this system"
        image.conclusions.append(
            ImageNote(
                .unread, "the file does not state the system code",
                hint:
                    "\(found[0].code ?? Self.unknownSystem) is used, since \(reason); to change it, import the dump "
                    + "and edit the scenario"
            ))
    }

    private static func system(_ found: FoundSystem) -> FeliCaImage.System {
        var system = FeliCaImage.System(code: found.code ?? unknownSystem)
        system.services = found.services
        system.areas = zip(found.areas, ends(of: found)).compactMap { FeliCaImage.Area(code: $0.code, end: $1) }
        return system
    }

    /// The ends of the areas of a system, estimated from their services.
    private static func ends(of found: FoundSystem) -> [NodeCode] {
        let order = found.areas.indices.sorted { found.areas[$0].code.rawValue < found.areas[$1].code.rawValue }
        var ends = found.areas.map(\.code)
        // Process the last area first, so that nested areas have their ends before the enclosing area.
        for (place, index) in order.enumerated().reversed() {
            let area = found.areas[index]
            guard area.code != .root else { ends[index] = .lastService; continue }
            let later = order[(place + 1)...]
            let own = services(of: area, in: found)
            var end = NodeCode((own.map(\.number).max() ?? area.code.number) << 6 | 0x3F)
            // An area that can contain areas and has no service contains at least the next area.
            if own.isEmpty, area.code.attribute == parentArea, let next = later.first { end = ends[next] }
            for inside in later where found.areas[inside].code.rawValue <= end.rawValue {
                end = NodeCode(max(end.rawValue, ends[inside].rawValue))
            }
            ends[index] = end
        }
        return ends
    }

    /// The codes of the services that the file assigns to an area.
    private static func services(of area: FoundArea, in found: FoundSystem) -> [NodeCode] {
        let isFirstAlone = area.services == 0...0
        let isOfAnother = found.areas.contains {
            $0.code.rawValue > area.code.rawValue && $0.services?.contains(0) ?? false
        }
        if isFirstAlone, isOfAnother { return [] }
        let range = (area.services.map(Range.init) ?? 0..<0).clamped(to: found.services.indices)
        return found.services[range].map(\.code).filter { $0.number >= area.code.number }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension FlipperFeliCa {
    /// A file of version 4, without the comments and the tree that the firmware writes for people.
    static func text(_ image: CardImage) throws(ImageProblem) -> String {
        switch image.content {
        case .lite(let card):
            let blocks = liteBlocks.enumerated().map { number, block in
                let data = card.blocks[block]
                let isRead = data != nil
                return "Block \(number): \(hex((isRead ? [0, 0] : [0xFF, 0xA8]) + (data ?? .zero).bytes))"
            }
            // A damaged dump may contain blocks that such a card does not have.
            let readCount = liteBlocks.count { card.blocks[$0] != nil }
            let counts = ["Blocks total: \(blocks.count)", "Blocks read: \(readCount)"]
            return text(head(card.idm, card.pmm, card.ic?.name) + counts + blocks)
        case .felica(let card):
            return text(head(card.idm, card.pmm, card.ic?.name) + lines(of: card))
        case .tag: return ""
        }
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private static func hex(_ bytes: [UInt8]) -> String { Hex.text(bytes, separator: " ") }

    private static func head(_ idm: IDm, _ pmm: PMm, _ ic: String?) -> [String] {
        let idm = hex(idm.rawValue.octets)
        return [
            FlipperFile.heading, "Version: 4", "Device type: FeliCa", "UID: \(idm)", "Data format version: 2",
            "Manufacture id: \(idm)", "Manufacture parameter: \(hex(pmm.rawValue.octets))", "IC Type: \(ic ?? "")", "",
        ]
    }

    private static func lines(of card: FeliCaImage) -> [String] {
        var lines = ["System found: \(card.systems.count)"]
        for (number, system) in card.systems.enumerated() {
            lines += ["", "System \(Hex.digits(number, width: 2)): \(system.code)", ""]
            let services = system.services.sorted { $0.code.rawValue < $1.code.rawValue }
            lines += areas(of: system, services)
            lines += ["", "Service found: \(services.count)"]
            lines += services.enumerated().map { number, service in
                "Service \(Hex.digits(number, width: 3)): | Code \(service.code) "
                    + "| Attrib. \(service.code.attribute) \(words(service.code.attribute))"
            }
            lines += [""] + blocks(of: system, services)
        }
        return lines
    }

    private static func areas(of system: FeliCaImage.System, _ services: [FeliCaImage.Service]) -> [String] {
        let areas = system.areas.sorted { $0.code.rawValue < $1.code.rawValue }
        return ["Area found: \(areas.count)"]
            + areas.enumerated().map { number, area in
                let inside = services.indices.filter {
                    (area.code.rawValue...max(area.code.rawValue, area.end.rawValue)).contains(
                        services[$0].code.rawValue)
                }
                // The last index of an area without services precedes its first index.
                let (first, last) = (inside.first ?? 1, inside.last ?? 0)
                return "Area \(Hex.digits(number, width: 3)): | Code \(area.code) "
                    + "| Services #\(Hex.digits(first, width: 3))-#\(Hex.digits(last, width: 3)) |"
            }
    }

    /// The publicly readable blocks, each listed once under the first service that can read it.
    private static func blocks(of system: FeliCaImage.System, _ services: [FeliCaImage.Service]) -> [String] {
        var lines: [String] = []
        for store in system.stores.sorted(by: { $0.services[0].rawValue < $1.services[0].rawValue }) {
            guard let service = store.readable else { continue }
            for (number, data) in store.blocks.sorted(by: { $0.key < $1.key }) {
                lines.append(
                    "Block \(Hex.digits(lines.count, width: 4)): | Service code \(service) "
                        + "| Block index \(Hex.digits(number, width: 2)) | Data: \(hex(data.bytes)) |")
            }
        }
        return ["Public blocks read: \(lines.count)"] + lines
    }

    private static func words(_ attribute: NodeAttribute) -> String {
        let access = attribute.isAuthenticationFree ? "Public " : "Private"
        let kind =
            switch attribute.kind {
            case .purse: "Purse "
            case .cyclic: "Cyclic"
            default: "Random"
            }
        let use =
            switch (attribute.kind, attribute.access) {
            case (.purse, .readWrite): "Direct    "
            case (_, .cashbackDecrement): "Cashback  "
            case (_, .decrement): "Decrement "
            case (_, .readOnly): "Read Only "
            case (_, .readWrite): "Read/Write"
            }
        return "| \(access) | \(kind) | \(use) |"
    }
}
