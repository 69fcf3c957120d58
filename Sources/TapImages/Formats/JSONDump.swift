import TapDocument
import TapWire

/// The JSON of a dump, and its errors.
enum JSONDump {
    private static let limits = DocumentLimits(
        maximumBytes: CardImage.maximumBytes, maximumDepth: 16, maximumNodes: 100_000)

    /// Returns whether a JSON file has keys of a dump and is not a scenario.
    static func isDump(_ file: SourceFile) -> Bool {
        var diagnostics = Diagnostics()
        guard let root = JSONReader(limits: limits).read(file, into: &diagnostics), root["format"] == nil else {
            return false
        }
        return FelicaToolLog.isLog(root) || ["blocks", "systems", "FileType"].contains { root[$0] != nil }
    }

    /// Returns whether a text is meant as JSON: a map or a list.
    static func isMeant(_ file: SourceFile) -> Bool {
        let first = file.bytes.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    static func image(_ file: SourceFile) throws(ImageProblem) -> CardImage {
        var diagnostics = Diagnostics()
        let root = JSONReader(limits: limits).read(file, into: &diagnostics)
        guard let root, !diagnostics.hasErrors else {
            throw ImageProblem(
                "the dump is not valid JSON", line: diagnostics.found.first?.place.range?.line, hint: "export it again")
        }
        if FelicaToolLog.isLog(root) { return try FelicaToolLog.image(root) }
        if root["blocks"] != nil || root["FileType"]?.text == ProxmarkTag.fileType {
            return try ProxmarkTag.image(root)
        }
        if FelicaToolScan.isScan(root) { return try FelicaToolScan(root).image() }
        if root["systems"] != nil { return try ProxmarkFeliCa(root).image() }
        throw problem("the file is not a card dump", at: root, hint: ImageFormat.readFormats)
    }

    static func problem(_ message: String, at node: Node, hint: String) -> ImageProblem {
        ImageProblem(message, line: node.head?.line, hint: hint)
    }

    /// The bytes of a text in hexadecimal, with a fixed length.
    static func bytes(_ node: Node, _ name: String, count: Int) throws(ImageProblem) -> [UInt8] {
        guard let text = node.text, let bytes = try? Hex.bytes(text), bytes.count == count else {
            throw problem(
                "`\(name)` needs \(CountText.of(count, "byte")) in hexadecimal", at: node,
                hint: "read the card again")
        }
        return bytes
    }

    /// The bytes of a text in hexadecimal, with any length.
    static func bytes(_ node: Node, _ name: String) throws(ImageProblem) -> [UInt8] {
        guard let text = node.text, let bytes = try? Hex.bytes(text), bytes.count <= 0xFF else {
            throw problem("`\(name)` needs bytes in hexadecimal", at: node, hint: "read the card again")
        }
        return bytes
    }

    /// The blocks by their hexadecimal numbers, without masked blocks, which count as not read.
    static func blocks(_ node: Node?) throws(ImageProblem) -> [Int: BlockData] {
        var blocks: [Int: BlockData] = [:]
        for entry in node?.entries ?? [] where !isMasked(entry.value) {
            let number = Int(UInt16(octets: try bytes(.scalar(entry.key), "a block number", count: 2)))
            blocks[number] = BlockData(try bytes(entry.value, "block \(entry.key.text)", count: BlockData.byteCount))
        }
        return blocks
    }

    static func area(_ area: FeliCaImage.Area?, _ node: Node) throws(ImageProblem) -> FeliCaImage.Area {
        guard let area else {
            throw problem(
                "invalid end of the area", at: node,
                hint: "the root area ends at FFFE, other areas end after their code")
        }
        return area
    }

    /// Returns whether bytes are masked with XX.
    static func isMasked(_ node: Node) -> Bool { node.text?.contains("X") ?? false }
}
