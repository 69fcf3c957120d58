import TapCards
import TapDescribe
import TapDocument
import TapScenario
import TapWire

/// A card in words: what it is, the access rights, and its contents.
package struct CardSheet: Sendable {
    package struct Section: OutputModel, Sendable {
        package let title: String
        package fileprivate(set) var rows: [Row]

        package static let output = OutputTable<Self>(
            "sheet-section", "A section about a card",
            .always("title", "Its title", \.title), .always("rows", "Its rows", \.rows))
    }

    package struct Row: OutputModel, Sendable {
        package let name: String
        package let text: String

        package static let output = OutputTable<Self>(
            "sheet-row", "A row about a card",
            .always("name", "Its name", \.name), .always("text", "Its text", \.text))
    }

    package let sections: [Section]

    package init(_ card: CardDefinition, stations: StationNames = StationNames()) {
        switch card {
        case .ntag(let template): sections = Self.sections(NTAGCard(template), card)
        case .felica(let template, let ic): sections = Self.sections(FeliCaCard(template), card, ic, stations)
        case .lite(let template, let ic): sections = Self.sections(FeliCaLiteCard(template), card, ic, stations)
        }
    }

    package func lines(_ style: TerminalStyle) -> [String] {
        sections.flatMap { section in
            [style.bold(section.title)]
                + TextTable.lines(section.rows.map { ["  \($0.name)", PrintableText.visible($0.text)] })
        }
    }

    private static func records(_ card: CardDefinition) -> [Row] {
        guard let message = NDEFMessage(on: card) else { return [] }
        return NDEFDescription.records(message).map { Row(name: $0.name, text: $0.meaning) }
    }

    private static func rows(_ details: [FrameDescription.Detail]) -> [Row] {
        details.map { Row(name: $0.name, text: $0.meaning) }
    }
}

// NTAG21x.

extension CardSheet {
    private static func sections(_ tag: NTAGCard, _ card: CardDefinition) -> [Section] {
        let definition = tag.template.definition
        let layout = definition.product.layout
        func page(_ number: Int) -> [Row] {
            rows(
                PageMeaning(tag[page: number], at: UInt8(truncatingIfNeeded: number), on: [definition.product]).details)
        }
        let locked = (0..<layout.pageCount).filter(tag.isLocked)
        let used = definition.userMemory.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let ndef = records(card)
        return [
            Section(
                title: definition.product.rawValue,
                rows: [
                    Row(name: "UID", text: Hex.text(definition.uid.bytes, separator: " ")),
                    Row(name: "version", text: version(definition)),
                    Row(name: "signature", text: signature(definition)),
                    Row(name: "NFC counter", text: "\(definition.counter)"),
                    Row(name: "user memory", text: "\(layout.userByteCount) bytes, used up to byte \(used)"),
                ] + page(0).filter { $0.name == "BCC0" }),
            Section(title: "capability container", rows: page(NTAGLayout.capabilityContainerPage)),
            Section(
                title: "locks",
                rows: [Row(name: "locked pages", text: ranges(locked))]
                    + page(NTAGLayout.staticLockPage).filter { $0.name == "locks frozen" }
                    + page(layout.dynamicLockPage).map { Row(name: "dynamic lock bytes", text: $0.text) }),
            Section(
                title: "password",
                rows: [Row(name: "PWD", text: password(definition))]
                    + page(layout.cfg0Page).filter { $0.name == "AUTH0" } + page(layout.cfg1Page)
                    + [
                        Row(
                            name: "wrong passwords",
                            text: "\(definition.failedAuthentications) since the last correct one")
                    ]),
            Section(title: "mirror", rows: page(layout.cfg0Page).filter { $0.name != "AUTH0" }),
            Section(title: "NDEF", rows: ndef.isEmpty ? [Row(name: "records", text: "none")] : ndef),
        ].filter { !$0.rows.isEmpty }
    }

    private static func version(_ tag: NTAGDefinition) -> String {
        let hex = Hex.text(tag.version.bytes, separator: " ")
        return tag.version == tag.product.version ? "\(hex), of the IC" : "\(hex), not that of the IC"
    }

    private static func signature(_ tag: NTAGDefinition) -> String {
        tag.signature == .zero ? "none: zeros" : Hex.text(tag.signature.bytes)
    }

    private static func password(_ tag: NTAGDefinition) -> String {
        guard tag.isPasswordKnown else { return "unknown: PWD_AUTH is refused with any password" }
        return "\(Hex.text(tag.password.bytes, separator: " ")), PACK \(Hex.digits(tag.pack, width: 4))"
    }

    private static func ranges(_ pages: [Int]) -> String {
        pages.isEmpty ? "none" : RangeText.of(pages) { Hex.digits($0, width: 2) }
    }
}

// FeliCa.

extension CardSheet {
    private static func sections(
        _ card: some FeliCaEngine, _ definition: CardDefinition, _ ic: String, _ stations: StationNames
    ) -> [Section] {
        let identity = Section(
            title: ic,
            rows: [Row(name: "IDm", text: "\(card.idm)"), Row(name: "PMm", text: "\(card.pmm)")])
        let ndef = records(definition)
        return [identity] + card.systemCodes.compactMap { section($0, card, definition, stations) }
            + (ndef.isEmpty ? [] : [Section(title: "NDEF", rows: ndef)])
    }

    private static func section(
        _ system: SystemCode, _ card: some FeliCaEngine, _ definition: CardDefinition, _ stations: StationNames
    ) -> Section? {
        let services = card.services.filter { $0.system == system }.map(\.service)
        // A system that shows the blocks of another, such as 12FC on a FeliCa Lite, is listed with that one.
        let isOther = card.services.contains {
            $0.system != system && !card.blockNumbers(of: $0.service, in: system).isEmpty
        }
        guard !services.isEmpty || !isOther else { return nil }
        let name = system.entry.map { ", \($0.name)" } ?? ""
        var section = Section(title: "system \(system)\(name)", rows: areas(of: system, definition))
        for (index, service) in services.enumerated() {
            let numbers = card.blockNumbers(of: service, in: system)
            let known = ApplicationService.known(service, in: system).map {
                ", \($0.service.title) of \($0.application)"
            }
            section.rows.append(
                Row(
                    name: "service \(service)",
                    text: "\(service.attribute.text), \(CountText.of(numbers.count, "block"))\(known ?? "")"))
            // Services that share blocks show the same ones.
            guard !services[(index + 1)...].contains(where: { $0.store == service.store }) else { continue }
            var last: BlockData?
            for number in numbers {
                guard let block = card.block(number, of: service, in: system) else { continue }
                defer { last = block }
                let meaning = BlockMeaning.of(
                    block, in: service, number: UInt16(truncatingIfNeeded: number), after: number > 0 ? last : nil)
                guard let meaning, !meaning.details.isEmpty else { continue }
                let words = stations.named(meaning.details).map { "\($0.name) \($0.meaning)" }.joined(separator: "; ")
                section.rows.append(Row(name: "  block \(Hex.digits(number, width: 2))", text: words))
            }
        }
        return section
    }

    private static func areas(of system: SystemCode, _ card: CardDefinition) -> [Row] {
        guard case .felica(let template, _) = card,
            let definition = template.definition.systems.first(where: { $0.code == system })
        else { return [] }
        return definition.areas.map { Row(name: "area \($0.code)", text: "to \($0.end)") }
    }
}
