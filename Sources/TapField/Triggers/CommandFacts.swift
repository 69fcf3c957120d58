import TapWire

/// The contents of a command, parsed with the types that cards use.
package struct CommandFacts: Sendable {
    package let name: CommandName?
    package let frame: RFFrame
    package private(set) var system: SystemCode?
    package private(set) var idm: IDm?
    package private(set) var services: [NodeCode] = []
    /// Blocks with their service, if the element refers to a service in the list.
    package private(set) var blocks: [(service: NodeCode?, number: Int)] = []
    package private(set) var pages: ClosedRange<Int>?
    /// A Boolean value that indicates whether the command reads four pages starting at the one it names.
    package private(set) var readsFour = false
    package private(set) var password: [UInt8]?
    package private(set) var data: [UInt8]?

    package init(_ frame: RFFrame) {
        name = CommandName(of: frame)
        self.frame = frame
        if frame.technology.isFeliCa { readFeliCa() } else { readType2() }
    }

    package var bytes: [UInt8] { frame.bytes }

    private mutating func readFeliCa() {
        if let polling = try? Polling.Request(parsing: bytes) {
            system = polling.systemCode
            return
        }
        let command = name?.feliCa
        // Packets of a session carry no IDm.
        if bytes.count >= 10, command?.isSecureFrame != true { idm = IDm(UInt64(octets: bytes[2..<10])) }
        switch command?.code {
        case .readWithoutEncryption?:
            guard let request = try? ReadWithoutEncryption.Request(parsing: bytes) else { return }
            take(request.services, request.blocks)
        case .writeWithoutEncryption?:
            guard let request = try? WriteWithoutEncryption.Request(parsing: bytes) else { return }
            take(request.services, request.blocks)
            data = request.data.flatMap(\.bytes)
        default:
            if let offset = command?.nodeCountOffset {
                services = NodeListLayout.nodes(endingPacket: bytes, at: offset)
            }
        }
    }

    private mutating func take(_ services: [NodeCode], _ elements: [BlockListElement]) {
        self.services = services
        blocks = elements.map { element in
            let order = Int(element.serviceOrder)
            return (order < services.count ? services[order] : nil, Int(element.blockNumber))
        }
    }

    private mutating func readType2() {
        switch name?.opcode {
        case .read?:
            guard let request = try? ReadPages.Request(parsing: bytes) else { return }
            pages = Int(request.page)...Int(request.page)
            readsFour = true
        case .fastRead?:
            guard let request = try? FastRead.Request(parsing: bytes), request.first <= request.last else { return }
            pages = Int(request.first)...Int(request.last)
        case .write?:
            guard let request = try? WritePage.Request(parsing: bytes) else { return }
            pages = Int(request.page)...Int(request.page)
            data = request.data.bytes
        case .compatibilityWrite?:
            guard let request = try? CompatibilityWrite.Request(parsing: bytes) else { return }
            pages = Int(request.page)...Int(request.page)
        case .passwordAuthentication?:
            password = (try? PasswordAuthentication.Request(parsing: bytes))?.password.bytes
        default: break
        }
    }
}

extension CommandFacts {
    /// Describes how the command differs from an argument of a pattern; `nil` if it matches.
    ///
    /// - Parameter service: The pattern's only service, to which its blocks belong.
    package func difference(from argument: CommandArgument, service: NodeCode?) -> String? {
        switch argument {
        case .system(let code): system == code ? nil : system.map { "system \($0)" } ?? "no system"
        case .service(let code): services.contains(code) ? nil : servicesText
        case .services(let codes): services == codes ? nil : servicesText
        case .blocks(let range): Self.matches(numbers(of: service), range) ? nil : blocksText(of: service)
        case .blockList(let list): numbers(of: service) == list ? nil : blocksText(of: service)
        case .pages(let range): matches(range) ? nil : pages.map { "pages \(Self.text($0))" } ?? "no pages"
        case .password(let bytes): password == bytes ? nil : "pwd \(Self.text(password ?? []))"
        case .data(let bytes): data == bytes ? nil : "data \(Self.text(data ?? []))"
        case .idm(let other): idm == other ? nil : idm.map { "idm \($0)" } ?? "no idm"
        case .blocksOver(let count): numbers(of: service).count > count ? nil : blocksText(of: service)
        case .frame(let other): bytes == other ? nil : "hex \(Self.text(bytes))"
        }
    }

    private func numbers(of service: NodeCode?) -> [Int] {
        blocks.filter { service == nil || $0.service == service }.map(\.number)
    }

    /// Returns whether numbers are consecutive from the lower end of a range to its upper end, if it has one.
    private static func matches(_ numbers: [Int], _ range: IntegerRange) -> Bool {
        guard numbers.first == range.lower, numbers.last == range.upper ?? numbers.last else { return false }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 }
    }

    private func matches(_ range: IntegerRange) -> Bool {
        guard let pages, pages.lowerBound == range.lower else { return false }
        return pages.upperBound == range.upper ?? pages.upperBound
            || readsFour && range.upper == pages.lowerBound + ReadPages.pageCount - 1
    }

    private var servicesText: String {
        services.isEmpty ? "no service" : "service " + services.map(\.description).joined(separator: ", ")
    }

    private func blocksText(of service: NodeCode?) -> String {
        let numbers = numbers(of: service)
        return numbers.isEmpty ? "no blocks" : "blocks \(Self.text(numbers))"
    }

    /// Formats numbers in order, with runs as ranges: `0..11, 14`.
    package static func text(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, number == last.upperBound &+ 1 {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs.map { text($0) }.joined(separator: ", ")
    }

    private static func text(_ run: ClosedRange<Int>) -> String {
        run.lowerBound == run.upperBound ? "\(run.lowerBound)" : "\(run.lowerBound)..\(run.upperBound)"
    }

    /// The maximum number of bytes shown in a sentence.
    private static let maximumBytes = 32

    /// Formats bytes for a sentence, at most ``maximumBytes``.
    package static func text(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "none" }
        return Hex.text(bytes.prefix(maximumBytes), separator: " ") + (bytes.count > maximumBytes ? " …" : "")
    }
}

/// An argument of a command, as written in triggers and expectations.
public enum CommandArgument: Hashable, Sendable, CustomStringConvertible {
    /// The system code of a Polling.
    case system(SystemCode)
    /// A service or other node named in the command.
    case service(NodeCode)
    /// All services or nodes named in the command, in order.
    case services([NodeCode])
    /// The block numbers, from the first to the last; only those of the service, if the pattern names one.
    case blocks(IntegerRange)
    case blocksOver(Int)
    /// The block numbers in order.
    case blockList([Int])
    /// The pages; for a READ, either the page it names or the four pages it reads.
    case pages(IntegerRange)
    /// The PWD of a PWD_AUTH.
    case password([UInt8])
    case data([UInt8])
    /// The IDm of the addressed card.
    case idm(IDm)
    /// The whole command, without CRC.
    case frame([UInt8])

    public var description: String {
        switch self {
        case .system(let code): "system \(code)"
        case .service(let code): "service \(code)"
        case .services(let codes): "services " + codes.map(\.description).joined(separator: ", ")
        case .blocks(let range): "blocks \(range)"
        case .blocksOver(let count): "more than \(count) blocks"
        case .blockList(let numbers): "blocks " + CommandFacts.text(numbers)
        case .pages(let range): "pages \(range)"
        case .password(let bytes): "pwd \(Hex.text(bytes, separator: " "))"
        case .data(let bytes): "data \(CommandFacts.text(bytes))"
        case .idm(let idm): "idm \(idm)"
        case .frame(let bytes): "hex \(CommandFacts.text(bytes))"
        }
    }
}
