import TapWire

extension Explanation {
    /// Command APDUs to readers and cards.
    static let apdus: [Explanation] = HostCommand.all.map { command in
        let digits = Hex.text(command.prefix, separator: " ")
        return Explanation(
            .apdu, digits, title: command.title, code: "command APDU \(digits)", summary: command.summary,
            layouts: [.line("command", command.layout)], notes: command.notes, source: command.source,
            aliases: [command.title])
    }

    /// Status words of responses.
    static let statusWords: [Explanation] = StatusWord.known.map { statusWord($0, nil) }

    private static func statusWord(_ entry: StatusWord.Entry, _ status: StatusWord?) -> Explanation {
        let meaning = status.map { entry.meaning(of: $0) } ?? entry.meaning
        let name = status?.description ?? entry.name
        return Explanation(
            .statusWord, name, title: "\(meaning)", code: "status word \(name)",
            summary: "A response APDU ends so: \(meaning).", notes: entry.notes,
            source: "ISO/IEC 7816-4, \"status bytes\"; PC/SC part 3; manuals of readers",
            aliases: ["SW \(name)", "0x\(name)"])
    }

    /// The status word of a text that has no explanation of its own, such as 6C10, and whether it says something exact.
    static func statusWord(_ text: String) -> (explanation: Explanation, isExact: Bool)? {
        let digits = text.lowercased().hasPrefix("0x") ? String(text.dropFirst(2)) : text
        guard let bytes = try? Hex.bytes(digits), bytes.count == StatusWord.length else { return nil }
        let status = StatusWord(bytes[0], bytes[1])
        return status.entry.map { (statusWord($0, status), $0.isExact) }
    }

    /// What functions of PC/SC return.
    ///
    /// Two codes share a name: they are listed by name and number.
    static let returnCodes: [Explanation] = PCSCReturnCode.named.map { entry in
        let digits = Hex.digits(entry.code.rawValue, width: 8)
        let isAlone = PCSCReturnCode.named.filter { $0.name == entry.name }.count == 1
        let signed = Int32(bitPattern: entry.code.rawValue)
        return Explanation(
            .returnCode, isAlone ? entry.name : "\(entry.name) \(digits)", title: entry.name,
            code: "return code of PC/SC, \(entry.code), \(signed) as a signed number",
            summary: "\(entry.advice.prefix(1).uppercased())\(entry.advice.dropFirst()).",
            source: "pcsc-lite manual, \"ErrorCodes\"; what to do next is advice of TapSim",
            aliases: [entry.name, digits, "\(entry.code)", "\(signed)", "\(entry.code.rawValue)"])
    }
}
