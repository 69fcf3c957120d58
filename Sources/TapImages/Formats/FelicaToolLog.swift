import TapDocument

/// A log exported by felica-tool: commands to a card and its answers, in order.
///
/// Each entry has a packet in hexadecimal, starting with LEN. An export for sharing replaces bytes with XX; packets with XX
/// are skipped.
///
/// Source: ExportUtils.kt of kormax's felica-tool.
struct FelicaToolLog {
    private let root: Node
    private var communication = FeliCaCommunication()
    private var isMasked = false

    init(_ root: Node) {
        self.root = root
    }

    /// Returns whether the JSON is a list of packets.
    static func isLog(_ root: Node) -> Bool { root[0].map { $0["type"] != nil && $0["data"] != nil } ?? false }

    static func image(_ root: Node) throws(ImageProblem) -> CardImage {
        var log = FelicaToolLog(root)
        var command: [UInt8] = []
        for entry in root.items {
            guard let packet = try log.packet(entry) else { continue }
            if entry["type"]?.text == "COMMAND" {
                command = packet
            } else {
                log.communication.take(packet, answering: command)
            }
        }
        return try log.result()
    }

    private mutating func packet(_ entry: Node) throws(ImageProblem) -> [UInt8]? {
        guard let data = entry["data"] else {
            throw JSONDump.problem("`data` is missing", at: entry, hint: "export the communication again")
        }
        guard !JSONDump.isMasked(data) else {
            isMasked = true
            return nil
        }
        return try JSONDump.bytes(data, "data")
    }

    private func result() throws(ImageProblem) -> CardImage {
        guard var image = communication.image else {
            let reason = isMasked ? "; export it without masking" : ""
            throw JSONDump.problem(
                "no card answers Polling in the communication", at: root, hint: "scan the card again\(reason)")
        }
        if isMasked {
            image.conclusions.append(
                ImageNote(
                    .unread, "some packets of the communication are masked",
                    hint: "their content is missing; export without masking"))
        }
        if let lite = image.lite { return CardImage(.lite(lite), .felicaTool) }
        guard !image.systems.isEmpty else {
            throw JSONDump.problem("the communication contains no system", at: root, hint: "scan the card again")
        }
        return CardImage(.felica(image), .felicaTool)
    }
}
