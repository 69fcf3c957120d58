import TapWire

extension NTAGProduct {
    /// What is known of the IC, line by line, with sources.
    public var catalogue: [CatalogueLine] { memoryLines + deliveryLines + protocolLines }

    private static let dataSheet = "NTAG213/215/216 data sheet rev. 3.2"
    private static let dumps = "dump of a genuine blank NTAG216 published by the Proxmark3 project"

    private var memoryLines: [CatalogueLine] {
        let layout = layout
        return [
            certain("pages", "\(layout.pageCount), \(layout.byteCount) bytes", "memory organization"),
            certain("user memory", range(NTAGLayout.firstUserPage, layout.lastUserPage), "memory organization"),
            certain("dynamic lock page", page(layout.dynamicLockPage), "dynamic lock bytes"),
            certain("CFG0, CFG1", range(layout.cfg0Page, layout.cfg1Page), "configuration pages"),
            certain("PWD, PACK", range(layout.passwordPage, layout.packPage), "configuration pages"),
            certain("pages per dynamic lock bit", "\(layout.pagesPerLockBit)", "dynamic lock bytes"),
            certain(
                "dynamic lock bits", "\(layout.dynamicLockBitCount) and \(layout.blockLockBitCount) block-lock bits",
                "dynamic lock bytes"),
        ]
    }

    private var deliveryLines: [CatalogueLine] {
        [
            certain("capability container", "\(deliveredCapabilityContainer)", "memory content at delivery"),
            certain(
                "first user pages", deliveredUserPages.map(\.description).joined(separator: " "),
                "memory content at delivery"),
            certain("PWD, PACK at delivery", "FFFFFFFF, 0000", "configuration pages"),
            measured("internal byte of page 02", Hex.digits(NTAGDefinition.internalByte, width: 2)),
            measured("dynamic lock page at delivery", "\(NTAGDefinition.deliveredDynamicLocks)"),
            measured("CFG0, CFG1 at delivery", "\(NTAGConfiguration.delivered)"),
        ]
    }

    private var protocolLines: [CatalogueLine] {
        [
            certain("ATQA", "\(ATQA.ntag21x)", "ATQA and SAK responses"),
            certain("SAK", "\(SAK.uidNotComplete), then \(SAK.complete)", "ATQA and SAK responses"),
            certain("GET_VERSION", Hex.text(version.bytes), "GET_VERSION"),
            CatalogueLine(
                title: "programming time of a page",
                fact: .known(
                    "\(NTAGCard.programmingTime.components.attoseconds / 1_000_000_000_000_000) ms", .inferred,
                    source: "NTAG203 data sheet rev. 3.0, duration of WRITE, taken over to this family")),
            CatalogueLine(
                title: "originality signature",
                fact: .unknown("made with NXP's private key; only a recorded pair of UID and signature verifies")),
        ]
    }

    private func certain(_ title: String, _ text: String, _ section: String) -> CatalogueLine {
        CatalogueLine(
            title: title, fact: .known(text, .certain, source: "\(Self.dataSheet), \(section)"))
    }

    private func measured(_ title: String, _ text: String) -> CatalogueLine {
        CatalogueLine(title: title, fact: .known(text, .measured, source: Self.dumps))
    }

    private func page(_ page: Int) -> String { Hex.digits(page, width: 2) }

    private func range(_ first: Int, _ last: Int) -> String { "\(page(first))–\(page(last))" }
}
