import TapHost
import TapField
import TapReaders
import TapWire
import TestSupport

@testable import TapTransports

/// A reader on the USB and programs that open it: real are the port, the sessions and the reader, whose thread takes
/// one step at a time.
///
/// Who has claimed the interface sends CCID messages and reaps what has finished; others are refused. Every block is
/// reaped once; an answer has the number of its message and is what the card says on its own; nothing of a program that
/// died reaches the next, also while others have the reader open.
struct SimulatedBus {
    private static let crowd = 3
    private static let (toReader, toHost): (UInt8, UInt8) = (0x02, 0x82)

    private struct Program {
        var session: UsbfsSession
        var outgoing: ArraySlice<UInt8> = []
        /// What the library sends of its memory when it is told to, in order.
        var memory: [[UInt8]] = []
        /// What was asked for and is not answered.
        var asked: UsbfsRequest?
        var hasClaimed = false
        /// The message under way, and how many of its two blocks were submitted.
        var message: [UInt8] = []
        var submitted = 0
        /// Blocks that were submitted and not reaped.
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
    /// Whether the reader works for a message next, and not to look for cards.
    private var hasMessage = false
    /// What answers the message that the reader works for; `nil` where only its number is known.
    private var expected: (sequence: UInt8, data: [UInt8]?)?

    init(_ number: Int) throws {
        guard let reader = SimulatedField.models[number].makeUSBReader() else {
            throw SimulationProblem("reader \(number) is not on the USB")
        }
        (self.number, self.reader) = (number, reader)
        port = USBPort(reader.device)
    }

    /// The program that has claimed the reader as it is on the bus now.
    private var owner: Program? { programs.first { $0.value.hasClaimed && !port.isGone($0.key) }?.value }
    private var files: [Int] { programs.keys.sorted() }

    /// A program opens the reader, asks for something, sends more of it, or dies.
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

    /// The next request: claim, a block for the answer, one with the message, reap.
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

/// What programs are told.
extension SimulatedBus {
    /// Takes what a session orders.
    ///
    /// - Returns: Whether the program closes the reader, since it is gone.
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
                // ENODEV: it was unplugged.
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

    /// Holds an answer against what is to come.
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
    /// Lets the thread of the reader go one step.
    mutating func step(_ field: inout SimulatedField) throws {
        if let action = reader.next() { return take(action, &field) }
        if let job = port.takeJob() {
            switch job {
            case .begin: reader = SimulatedField.models[number].makeUSBReader() ?? reader
            case .look: reader.lookAgain()
            case .transfer(let bytes, let endpoint):
                reader.receive(bytes, at: endpoint)
                hasMessage = true
            }
            return
        }
        let count = field.host.perform(plansAhead: false, at: number) { $0.presenceCount }
        if port.isOpen, count != seen { reader.lookAgain() }
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

    /// What the message of the program that has claimed the reader comes to.
    private func expectation(_ field: inout SimulatedField) -> (sequence: UInt8, data: [UInt8]?)? {
        guard let message = owner?.message, message.count > 10 else { return nil }
        return (message[6], field.card(at: number).flatMap { field.answer(of: $0, toAPDU: Array(message[10...])) })
    }

    /// Takes the reader off the bus or puts it there, as the world says.
    mutating func follow(_ field: SimulatedField) {
        let (wanted, changes) = field.host.perform(plansAhead: false) { world in
            (world.isPlugged(reader: number), world.plugChanges(ofReader: number))
        }
        if isPlugged, !wanted || changes != plugChanges { port.unplug() }
        if wanted, !isPlugged || changes != plugChanges { port.plug() }
        (isPlugged, plugChanges) = (wanted, changes)
    }

    /// Lets everybody get on; the one that has claimed the reader is answered.
    mutating func settle(_ field: inout SimulatedField) throws {
        follow(field)
        for _ in 0..<200 {
            for file in files { try speak(file, .max) }
            try step(&field)
        }
        // Whoever holds it dies, and another one takes over.
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
