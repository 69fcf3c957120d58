import TapSystem
import TapDocument
import TapField
import TapReaders
import TapWire

/// The reader at the other end of felica-rs' remote driver: one JSON object per line in each direction.
///
/// ```
/// {"type":"detect_type_f","bitrate":"212F","system_code":65535,"request_code":0,"time_slots":0}
/// {"status":"success","idm":"01…","pmm":"10…","rd":"0003"}
/// {"type":"transceive","bitrate":"212F","data":"06…","timeout_ms":100}
/// {"status":"success","response":"1D07…"}
/// {"status":"error","message":"…"}
/// ```
/// `rd` is present only if the card returned any, `data` and `response` are frames from LEN on, and `timeout_ms` is optional.
///
/// Source: felica-rs 1.0.1, `src/driver/remote.rs` and `examples/remote_server.rs`.
struct FelicaRemote: StreamReader {
    /// The maximum length of a line in bytes, with its end; after a longer line the reader hangs up.
    static let maximumLineLength = 1 << 16

    private var lines = LineBuffer(maximumLength: maximumLineLength - 1)
    private var actions: [StreamAction] = []
    private var request: Request?

    mutating func receive(_ bytes: ArraySlice<UInt8>) { lines.append(bytes) }

    mutating func next() -> StreamAction? {
        if !actions.isEmpty { return actions.removeFirst() }
        while let line = lines.next() {
            guard case .whole(let bytes) = line else { return refuseLength() }
            guard bytes.contains(where: { !Hex.isBlank($0) }) else { continue }
            do throws(Refusal) {
                request = try Request(parsing: bytes)
                return .work
            } catch {
                return .send(error.answer)
            }
        }
        return lines.isTooLong ? refuseLength() : nil
    }

    private mutating func refuseLength() -> StreamAction {
        lines = LineBuffer(maximumLength: Self.maximumLineLength - 1)
        actions = [.hangUp]
        return .send(Refusal("request line exceeds maximum length of \(Self.maximumLineLength) bytes").answer)
    }

    mutating func work(in world: inout World) {
        guard let request else { return }
        self.request = nil
        let before = world.rfCount
        let reception = world.exchangeWithOneCard(request.frame, waiting: request.patience)
        world.noteHost(since: before)
        do throws(Refusal) {
            actions.append(.send(try request.answer(to: reception)))
        } catch {
            actions.append(.send(error.answer))
        }
    }
}

extension FelicaRemote {
    /// The reason why a request gets no answer from a card.
    private struct Refusal: Error {
        let message: String

        init(_ message: String) { self.message = message }

        var answer: [UInt8] { FelicaRemote.line(["status": "error", "message": .text(message)]) }
    }

    private static func line(_ node: Node) -> [UInt8] { Array((JSONWriter.text(node) + "\n").utf8) }

    /// A parsed request line.
    private struct Request {
        private enum Kind: String, CaseIterable {
            case detect = "detect_type_f"
            case transceive
        }

        /// Far more than a request needs.
        private static let limits = DocumentLimits(
            maximumBytes: maximumLineLength, maximumDepth: 4, maximumNodes: 64)

        private let kind: Kind
        let frame: RFFrame
        let patience: Duration

        init(parsing line: ArraySlice<UInt8>) throws(Refusal) {
            var diagnostics = Diagnostics()
            let file = SourceFile(name: "request", bytes: Array(line))
            let node = JSONReader(limits: Self.limits).read(file, into: &diagnostics)
            guard let node, !diagnostics.hasErrors else {
                throw Refusal("Invalid JSON: \(diagnostics.found.first?.message ?? "no value")")
            }
            guard let kind = node["type"]?.text.flatMap(Kind.init) else {
                let kinds = Kind.allCases.map { "`\($0.rawValue)`" }
                throw Refusal("Invalid JSON: `type` has to be \(ListText.choice(kinds))")
            }
            self.kind = kind
            let technology = try Self.technology(node)
            switch kind {
            case .detect:
                let polling = Polling.Request(
                    systemCode: SystemCode(try Self.number("system_code", in: node)),
                    requestCode: Polling.RequestCode(try Self.number("request_code", in: node)),
                    timeSlot: try Self.number("time_slots", in: node))
                frame = RFFrame(technology, polling.bytes)
                patience = ReaderWait.search
            case .transceive:
                frame = RFFrame(technology, try Self.data(node))
                let isStated = node["timeout_ms"].map { $0 != .null } ?? false
                let limit: UInt16 = isStated ? try Self.number("timeout_ms", in: node) : 0
                // felica-rs leaves the timeout to the reader if it is 0 or missing.
                patience = limit == 0 ? ReaderWait.command : .milliseconds(limit)
            }
        }

        private static func number<Number: FixedWidthInteger>(
            _ key: String, in node: Node
        ) throws(Refusal) -> Number {
            guard case .scalar(let scalar)? = node[key], scalar.form == .number, let number = Number(scalar.text) else {
                throw Refusal("Invalid JSON: `\(key)` has to be a whole number up to \(Number.max)")
            }
            return number
        }

        /// The bit rate to send at; the field contains one rate for both directions, or two separated by a slash.
        private static func technology(_ node: Node) throws(Refusal) -> Technology {
            switch node["bitrate"]?.text?.split(separator: "/", maxSplits: 1).first {
            case "212F": return .felica212
            case "424F": return .felica424
            default: throw Refusal("Invalid bitrate: `bitrate` has to be `212F` or `424F`")
            }
        }

        private static func data(_ node: Node) throws(Refusal) -> [UInt8] {
            guard let text = node["data"]?.text else { throw Refusal("Invalid JSON: `data` is missing") }
            let bytes: [UInt8]
            do { bytes = try Hex.bytes(text) } catch { throw Refusal("Invalid hex data: \(error)") }
            guard (1...FrameBuffer.capacity).contains(bytes.count) else {
                throw Refusal("Invalid hex data: a frame has 1 to \(FrameBuffer.capacity) bytes, not \(bytes.count)")
            }
            return bytes
        }

        /// Returns the answer line for a card's response.
        func answer(to reception: RFFrame?) throws(Refusal) -> [UInt8] {
            guard let reception else { throw Refusal("timeout error: no card has answered") }
            guard reception.integrity == .good else { throw Refusal("transmission error: the answer is damaged") }
            guard kind == .detect else {
                return FelicaRemote.line(["status": "success", "response": .text(Hex.text(reception.bytes))])
            }
            guard let polling = try? Polling.Response(parsing: reception.bytes) else {
                throw Refusal("unexpected Felica response")
            }
            let (idm, pmm) = (polling.idm.rawValue.octets, polling.pmm.rawValue.octets)
            let data = reception.bytes.dropFirst(Self.identityLength)
            return FelicaRemote.line(
                .map([
                    "status": "success", "idm": .text(Hex.text(idm)), "pmm": .text(Hex.text(pmm)),
                    "rd": data.isEmpty ? nil : .text(Hex.text(Array(data))),
                ]))
        }

        /// LEN, code, IDm and PMm.
        private static let identityLength = 18
    }
}
