import TapField
import TapWire

/// A field of cards spoken to in lines of text: a frame or an event in, one line out.
///
/// FeliCa frames are LEN ‖ payload, type A frames come without CRC; with ``hasCRC`` both carry it in both directions.
/// Lines that begin with `@` are events: `@select` looks for a card and selects it, `@off` and `@on` switch the field,
/// `@cycle` switches it off and on. Silence is `-`; so is the answer to switching the field.
public struct LineExchange: Sendable {
    /// Why a line is not understood.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong and what to write, a half sentence.
        public let description: String
    }

    /// The world as the lines have left it.
    public private(set) var world: World
    private let technology: Technology
    private let hasCRC: Bool

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - world: Where the cards are.
    ///   - technology: What frames are sent as.
    ///   - hasCRC: Whether frames carry their CRC, in both directions.
    public init(_ world: World, technology: Technology, hasCRC: Bool = false) {
        self.world = world
        self.technology = technology
        self.hasCRC = hasCRC
    }

    /// Takes a line.
    ///
    /// - Returns: The line to answer with, or nothing for a blank line or a comment, which begins with `#`.
    /// - Throws: ``Problem`` for a line that is neither a frame nor an event; nothing has happened then.
    public mutating func answer(_ line: some StringProtocol) throws(Problem) -> String? {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        if first.hasPrefix("@") { return try event(String(words.joined(separator: " "))) }
        do {
            let (bytes, bitCount) = try FrameText.parse(line)
            return send(frame(bytes, bitCount))
        } catch {
            throw Problem(description: error.description)
        }
    }

    private mutating func event(_ name: String) throws(Problem) -> String {
        switch name {
        case "@off": world.switchField(on: false)
        case "@on": world.switchField(on: true)
        case "@cycle":
            world.switchField(on: false)
            world.switchField(on: true)
        case "@select": return select()
        default: throw Problem(description: "there is no event `\(name)`; there are @select, @cycle, @off, @on")
        }
        return Self.silence
    }

    private static let silence = "-"

    /// Selects a card and answers with the last frame of the selection.
    private mutating func select() -> String {
        if technology.isFeliCa {
            return send(AirFrame(technology, Polling.Request(systemCode: .any).bytes))
        }
        guard let tag = world.selectTypeA(.wupa, waiting: nil) else { return Self.silence }
        let select = Select.Request(.first, CascadePart(data: 0))
        return text(AirFrame(.typeA106, tag.sak.bytes), answering: AirFrame(.typeA106, select.bytes))
    }

    private mutating func send(_ frame: AirFrame) -> String {
        world.exchangeWithOneCard(frame, waiting: nil).map { text($0, answering: frame) } ?? Self.silence
    }

    private func frame(_ bytes: [UInt8], _ bitCount: Int) -> AirFrame {
        guard hasCRC else { return AirFrame(technology, bytes, bitCount: bitCount) }
        guard technology.isFeliCa else { return TypeAFraming.command(onAir: bytes, bitCount: bitCount) }
        let (packet, integrity) = CRC16FeliCa.checking(bytes)
        return AirFrame(technology, packet, integrity: integrity)
    }

    private func text(_ answer: AirFrame, answering command: AirFrame) -> String {
        guard hasCRC else { return FrameText.text(answer.bytes, bitCount: answer.bitCount) }
        let bytes =
            technology.isFeliCa
            ? CRC16FeliCa.appending(to: answer.bytes) : TypeAFraming.onAir(answer: answer, to: command)
        return FrameText.text(bytes, bitCount: answer.bitCount % 8 == 0 ? bytes.count * 8 : answer.bitCount)
    }
}
