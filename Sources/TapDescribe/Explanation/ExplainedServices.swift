import TapWire

extension Explanation {
    /// The services of known applications.
    static let services: [Explanation] = KnownApplication.all.flatMap { application in
        application.services.map { service(of: application, $0) }
    }

    private static func service(of application: KnownApplication, _ service: ApplicationService) -> Explanation {
        let blocks = CountText.of(service.blockCount, "block")
        let parts = recordParts(of: service)
        let others = application.services.filter { $0.code.number == service.code.number && $0.code != service.code }
        let shared = others.map { "Shares its blocks with \($0.code), \($0.code.attribute.text)." }
        return Explanation(
            .service, "\(service.code)", title: "\(service.title) of \(application.name)", code: codeText(service.code),
            summary: "A \(service.code.attribute.text), in system \(service.system); \(blocks) on the cards observed.",
            layouts: parts.isEmpty ? [] : [Layout(title: "block", line: "", parts: parts)],
            notes: [readText(service)] + shared, source: "observation of cards, as public decoders agree on it",
            aliases: ["service \(service.code)", "\(application.name) \(service.title)"])
    }

    /// A service, or an area, that no known application has.
    static func unknownNode(_ code: NodeCode) -> Explanation {
        let kind = code.attribute.kind
        return Explanation(
            .service, "\(code)", title: kind == .area ? "area" : "service of no known application",
            code: codeText(code), summary: "By its attribute: \(code.attribute.text), number \(code.number).",
            notes: kind == .area ? [] : ["Services whose codes have one number share their blocks."],
            source: "FeliCa Card User's Manual, excerpted edition, \"area code and service code\"", aliases: [])
    }

    private static func codeText(_ code: NodeCode) -> String {
        "\(code.attribute.kind == .area ? "area" : "service") code \(code), on the wire \(wire(code.rawValue))"
    }

    private static func readText(_ service: ApplicationService) -> String {
        service.code.attribute.isAuthenticationFree
            ? "Read it with Read Without Encryption, after Polling \(service.system)."
            : "It needs authentication: Read Without Encryption gets status flag 2 A5."
    }

    /// The names of what the record in a block holds, as a description of a sample block has them.
    private static func recordParts(of service: ApplicationService) -> [FrameDescription.Detail] {
        let ones = BlockData([UInt8](repeating: 1, count: BlockData.byteCount))
        var sample = ones
        if service.system == .ndef {
            var block = AttributeInformationBlock(ones)
            block.updateChecksum()
            sample = block.stored
        }
        for number: UInt16 in 0...1 {
            let place = BlockPlace(BlockListElement(blockNumber: number), service: service.code)
            if let meaning = BlockMeaning.of(sample, at: place, after: number == 0 ? nil : ones) {
                let record = FrameDescription.Detail(name: "record", meaning: meaning.name)
                return [record] + meaning.details.map { .init(name: $0.name, meaning: "") }
            }
        }
        return []
    }
}
