import TapWire

/// What all cards made from one definition share and never change.
public final class NTAGTemplate: Hashable, Sendable {
    /// What the template was made from.
    public let definition: NTAGDefinition
    /// Where what lies in memory.
    let layout: NTAGLayout
    let quirks: NTAGQuirks
    /// The memory as a reader sees it: PWD and PACK read as zero, so a card keeps them elsewhere.
    let pages: [PageData]
    let password: PageData
    let packPage: PageData
    /// The two cascade levels of the UID, with the check bytes that the memory holds.
    let firstPart: CascadePart
    let secondPart: CascadePart

    /// Prepares a definition.
    public init(_ definition: NTAGDefinition) {
        self.definition = definition
        layout = definition.product.layout
        quirks = definition.quirks
        password = definition[page: layout.passwordPage]
        packPage = definition[page: layout.packPage]
        var open = definition
        open[page: layout.passwordPage] = .zero
        open[page: layout.packPage] = .zero
        pages = (0..<layout.pageCount).map { open[page: $0] }
        let (page0, page1, page2) = (open[page: 0], open[page: 1], open[page: 2])
        firstPart = CascadePart(
            data: PageData(UID.cascadeTag, page0[0], page0[1], page0[2]).littleEndian, bcc: page0[3])
        secondPart = CascadePart(data: page1.littleEndian, bcc: page2[0])
    }

    /// Whether two templates were made from equal definitions.
    public static func == (left: NTAGTemplate, right: NTAGTemplate) -> Bool {
        left === right || left.definition == right.definition
    }

    /// Hashes the UID, which tells most tags apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(definition.uid)
    }
}

extension PageData {
    /// The page as a number, byte 0 lowest.
    fileprivate var littleEndian: UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}
