import TapHost
import TapField
import TapReaders
import TapWire
import TestSupport

@testable import TapTransports

/// A USB reader and programs that open it: port, sessions and reader are real, and the reader's thread performs one step at a
/// time.
///
/// The program that has claimed the interface sends CCID messages and reaps finished blocks; other programs are rejected.
///
/// Every block is reaped once. An answer has the number of its message and the content that the card gives on its own. Nothing
/// from a program that died reaches the next program, even while others have the reader open.
struct SimulatedBus {
    private static let crowd = 3
    private static let (toReader, toHost): (UInt8, UInt8) = (0x02, 0x82)

    private struct Program {
        var session: UsbfsSession
        var outgoing: ArraySlice<UInt8> = []
        /// The memory that the library sends on request, in order.
        var memory: [[UInt8]] = []
        /// The pending request.
        var asked: UsbfsRequest?
        var hasClaimed = false
        /// The message in progress, and how many of its two blocks were submitted.
        var message: [UInt8] = []
        var submitted = 0
        /// Blocks that were submitted but not reaped.
        var blocks: Set<UInt> = []
    }

    private let number: Int
    private var reader: any USBReader
    private var port: USBPort
    private var programs: [Int: Program] = [:]
    private var nextFile = 1
    private var nextAddress: UInt = 0x1000
    private var sequence: UInt8 = 0
    private var seen: Int?
    private var isPlugged = true
    private var plugChanges = 0
    /// A Boolean value that indicates whether the reader's next work is a message, not a look for cards.
    private var hasMessage = false
    /// The answer to the message that the reader works on; `nil` if only its number is known.
    private var expected: (sequence: UInt8, data: [UInt8]?)?

    init(_ number: Int) throws {
        guard let reader = SimulatedField.models[number].makeUSBReader() else {
            throw SimulationProblem("reader \(number) is not on the USB")
        }
        (self.number, self.reader) = (number, reader)
        port = USBPort(reader.device)
    }

    /// The program that has claimed the reader currently on the bus.
    private var owner: Program? { programs.first { $0.value.hasClaimed && !port.isGone($0.key) }?.value }
    private var files: [Int] { programs.keys.sorted() }

    /// Makes a program open the reader, start a request, continue sending it, or die.
    mutating func speak(_ random: inout TestRandom) throws {
        if isPlugged, programs.count < Self.crowd, random.oneIn(12) {
            programs[nextFile] = Program(session: UsbfsSession(nextFile, address: 2))
            port.open(nextFile)
            nextFile += 1
        }
        guard !programs.isEmpty else { return }
        let file = random.pick(files)
        if random.oneIn(60) { return die(file) }
        try speak(file, random.oneIn(2) ? .max : random.number(0...64))
    }

    private mutating func speak(_ file: Int, _ most: Int) throws {
        guard var program = programs[file] else { return }
        if program.outgoing.isEmpty, program.asked == nil { ask(&program) }
        let bytes = program.outgoing.prefix(most)
        program.outgoing = program.outgoing.dropFirst(bytes.count)
        guard let output = program.session.receive(bytes, &port) else {
            throw SimulationProblem("the session of program \(file) hangs up")
        }
        let isGone = try take(output, &program)
        programs[file] = program
        if isGone { die(file) }
    }

    private mutating func die(_ file: Int) {
        programs[file] = nil
        port.close(file)
    }

    /// The next request: claim, a block for the answer, a block with the message, reap.
    private mutating func ask(_ program: inout Program) {
        guard program.hasClaimed else { return say(.claim, 0, [[0, 0, 0, 0]], &program) }
        switch program.submitted {
        case 0:
            sequence &+= 1
            program.message = message()
            submit(Self.toHost, [], &program)
        case 1: submit(Self.toReader, program.message, &program)
        default: say(.reapAtOnce, 0x9000, [], &program)
        }
    }

    private func message() -> [UInt8] {
        let command: [UInt8] =
            sequence.isMultiple(of: 2) ? [0xFF, 0xCA, 0, 0, 0] : [0xFF, 0xB0, 0, 4 + sequence % 16, 16]
        let data = sequence % 5 == 0 ? [] : command
        return [data.isEmpty ? 0x65 : 0x6F] + UInt32(data.count).littleEndianBytes + [0, sequence, 0, 0, 0] + data
    }

    private mutating func submit(_ endpoint: UInt8, _ output: [UInt8], _ program: inout Program) {
        nextAddress += 0x100
        program.blocks.insert(nextAddress)
        program.submitted += 1
        let count = UInt32(output.isEmpty ? 512 : output.count)
        let block =
            [3, endpoint] + [UInt8](repeating: 0, count: 14) + UInt64(nextAddress + 0x80).littleEndianBytes
            + count.littleEndianBytes + [UInt8](repeating: 0, count: 28)
        say(.submit, nextAddress, [block, output], &program)
    }

    private func say(_ request: UsbfsRequest, _ argument: UInt, _ memory: [[UInt8]], _ program: inout Program) {
        let number = UInt(UInt8(ascii: "U")) << 8 | UInt(request.rawValue)
        program.outgoing = ArraySlice(PreloadWord.bytes(1, number, argument))
        program.memory = memory
        program.asked = request
    }
}

/// Answers to programs.
extension SimulatedBus {
    /// Executes the order of a session and returns whether the program closes the reader because the reader is gone.
    private mutating func take(_ output: [UInt8], _ program: inout Program) throws -> Bool {
        var rest = output[...]
        var written: [UInt: [UInt8]] = [:]
        while rest.count >= PreloadWord.messageLength {
            let words = PreloadWord.words(Array(rest.prefix(PreloadWord.messageLength)))
            rest = rest.dropFirst(PreloadWord.messageLength)
            if words[0] == 5, !program.memory.isEmpty {
                program.outgoing = ArraySlice(program.memory.removeFirst())
            } else if words[0] == 6 {
                written[words[1]] = Array(rest.prefix(Int(words[2])))
                rest = rest.dropFirst(Int(words[2]))
            } else if words[0] == 3 {
                guard let request = program.asked else { throw SimulationProblem("what was not asked for is answered") }
                program.asked = nil
                // ENODEV: the reader was unplugged.
                if words[2] == 19 { return true }
                try take(request, errno: words[2], written, &program)
            }
        }
        return false
    }

    private mutating func take(
        _ request: UsbfsRequest, errno: UInt, _ written: [UInt: [UInt8]], _ program: inout Program
    ) throws {
        switch request {
        case .claim:
            guard (owner == nil) == (errno == 0) else { throw SimulationProblem("a claim ends with \(errno)") }
            program.hasClaimed = errno == 0
        case .submit: if errno != 0 { throw SimulationProblem("a block is refused with \(errno)") }
        default:
            guard errno == 0 else { return }
            guard let name = written[0x9000].map({ UInt($0.number(8, at: 0)) }), program.blocks.remove(name) != nil
            else {
                throw SimulationProblem("a block is reaped that was not submitted")
            }
            if let data = written[name + 0x80] { try hear(data, program) }
            guard program.blocks.isEmpty else { return }
            program.submitted = 0
        }
    }

    /// Compares an answer with the expected answer.
    private func hear(_ data: [UInt8], _ program: Program) throws {
        guard data.count >= 10 else { throw SimulationProblem("\(Hex.text(data)) is no CCID message") }
        guard data[6] == program.message[6] else {
            throw SimulationProblem("\(Hex.text(data)) answers another message")
        }
        guard let expected, expected.sequence == data[6], let bytes = expected.data else { return }
        guard data[10...] == bytes[...] else {
            throw SimulationProblem("to \(Hex.text(program.message)) comes \(Hex.text(data)), not \(Hex.text(bytes))")
        }
    }
}

/// The reader.
extension SimulatedBus {
    /// Performs the next step of the reader's thread.
    mutating func step(_ field: inout SimulatedField) throws {
        if let action = reader.next() { return take(action, &field) }
        if let job = port.takeJob() {
            switch job {
            case .begin: reader = SimulatedField.models[number].makeUSBReader() ?? reader
            case .look: reader.rescan()
            case .transfer(let bytes, let endpoint):
                reader.receive(bytes, at: endpoint)
                hasMessage = true
            }
            return
        }
        let count = field.host.perform(plansAhead: false, at: number) { $0.presenceCount }
        if port.isOpen, count != seen { reader.rescan() }
        seen = count
    }

    private mutating func take(_ action: USBAction, _ field: inout SimulatedField) {
        switch action {
        case .send(let bytes, let endpoint): port.send(bytes, on: endpoint)
        case .drop(let endpoint): port.drop(endpoint)
        case .work:
            if hasMessage { expected = expectation(&field) }
            hasMessage = false
            let isThere = field.host.perform(plansAhead: false, at: number) { world in
                seen = world.presenceCount
                guard world.isPlugged(reader: number), world.plugChanges(ofReader: number) == plugChanges else {
                    return false
                }
                reader.work(in: &world)
                return true
            }
            if !isThere { reader = SimulatedField.models[number].makeUSBReader() ?? reader }
        case .rest, .wait: break
        }
    }

    /// Returns the expected result of the message from the program that has claimed the reader.
    private func expectation(_ field: inout SimulatedField) -> (sequence: UInt8, data: [UInt8]?)? {
        guard let message = owner?.message, message.count > 10 else { return nil }
        return (message[6], field.card(at: number).flatMap { field.answer(of: $0, toAPDU: Array(message[10...])) })
    }

    /// Removes the reader from the bus or adds it, depending on the world.
    mutating func follow(_ field: SimulatedField) {
        let (wanted, changes) = field.host.perform(plansAhead: false) { world in
            (world.isPlugged(reader: number), world.plugChanges(ofReader: number))
        }
        if isPlugged, !wanted || changes != plugChanges { port.unplug() }
        if wanted, !isPlugged || changes != plugChanges { port.plug() }
        (isPlugged, plugChanges) = (wanted, changes)
    }

    /// Lets everybody continue until the program that has claimed the reader gets its answer.
    mutating func settle(_ field: inout SimulatedField) throws {
        follow(field)
        for _ in 0..<200 {
            for file in files { try speak(file, .max) }
            try step(&field)
        }
        // The program that holds the reader dies, and another takes over.
        for file in files where programs[file]?.hasClaimed == true { die(file) }
        for _ in 0..<200 {
            for file in files { try speak(file, .max) }
            try step(&field)
        }
        if !programs.isEmpty, owner == nil {
            throw SimulationProblem("nobody gets the reader of one that died")
        }
        for file in files { die(file) }
        for _ in 0..<64 { try step(&field) }
        if port.hasJobs || port.hasFinished || port.isOpen { throw SimulationProblem("the port is left open") }
    }
}
