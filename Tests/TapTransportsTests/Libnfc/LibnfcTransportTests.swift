import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@testable import TapTransports

@testable import TapHost

@testable import TapSystem

/// The pseudo-terminal with a PN532, as clients open it.
@Suite struct `The transport for libnfc` {
    private let host: FieldHost
    private let transport: LibnfcTransport
    private static let found = "D54B01010044000704A23B5C6D7E80"

    init() throws {
        host = FieldHost(try World.withTwoCards())
        transport = try LibnfcTransport(host: host)
    }

    private func opened() throws -> SerialPort {
        try SerialPort(try #require(transport.environment.first { $0.name == "TAPSIM_TTY" }).value)
    }

    private func close() {
        host.close()
        transport.close()
    }

    @Test func `publishes its address and records whether it was used`() throws {
        defer { close() }
        let path = try #require(transport.environment.last).value
        #expect(transport.environment.map(\.name) == ["LIBNFC_DEVICE", "TAPSIM_TTY"])
        #expect(transport.environment[0].value == "pn532_uart:\(path):115200")
        #expect(!transport.wasUsed)
        #expect(try opened().ask("D402") == ["ack", "D50332010607"])
        #expect(transport.wasUsed)
    }

    @Test func `survives clients that close and reopen it, and two clients at once`() throws {
        defer { close() }
        for _ in 0..<3 { #expect(try opened().ask("D402") == ["ack", "D50332010607"]) }
        let (first, second) = (try opened(), try opened())
        #expect(try first.ask("D402") == ["ack", "D50332010607"])
        #expect(try second.ask("D402") == ["ack", "D50332010607"])
    }

    #if os(Linux)
        /// Waits until the transport has noticed the end of its client, as it does before another program has started.
        private func awaitEnd() {
            let end = ContinuousClock.now + .seconds(60)
            while transport.hasClient, ContinuousClock.now < end {
                BlockingThread.sleep(until: .now + .milliseconds(1))
            }
        }

        @Test func `passes nothing from a client that ends in a flood on to the next client`() throws {
            defer { close() }
            let commands = (0..<64).flatMap { _ in PN532Frame.information([0xD4, 0x02]).bytes }
            for round in 0..<4 {
                do {
                    // Nobody reads the answers, so first the transport and then the client waits for room.
                    let rude = try opened()
                    while rude.hasRoom { rude.write(commands) }
                }
                awaitEnd()
                #expect(try opened().ask("D4000012340\(round)") == ["ack", "D5010012340\(round)"])
                awaitEnd()
            }
        }

        @Test func `gives each client the chip as after power-up, without an earlier search or partial frame`() throws {
            defer { close() }
            host.perform { $0.tap("ntag") }
            do {
                let first = try opened()
                #expect(try first.ask("D44A0100").last == Self.found)
                #expect(try first.ask("D4086302AB").last == "D509")
                host.perform { $0.removeAll() }
                try first.send("D44A0100")
                #expect(first.frames(1) == ["ack"])
                first.write([0x00, 0x00, 0xFF, 0x10])
            }
            awaitEnd()
            let second = try opened()
            #expect(try second.ask("D4066302") == ["ack", "D50780"])
            #expect(try second.ask("D404") == ["ack", "D50500000000"], "no target, no field")
        }

        @Test func `executes the last command of a client that does not wait for its answer`() throws {
            defer { close() }
            try opened().send("D432 0101")
            // First the command, then the end: before the command arrives, there is no client whose end could be noticed.
            let end = ContinuousClock.now + .seconds(60)
            while !transport.wasUsed, ContinuousClock.now < end { BlockingThread.sleep(until: .now + .milliseconds(1)) }
            #expect(transport.wasUsed)
            awaitEnd()
            #expect(try opened().ask("D402") == ["ack", "D50332010607"])
        }
    #endif

    @Test func `serves clients that come after a client that stopped the line`() throws {
        defer { close() }
        for waitsForCard in [false, true] {
            do {
                let rude = try opened()
                #expect(try rude.ask("D402") == ["ack", "D50332010607"])
                if waitsForCard {
                    try rude.send("D44A0100")
                    #expect(rude.frames(1) == ["ack"])
                }
                rude.stopOutput()
            }
            // The transport may notice this only after a moment; until then the line accepts nothing.
            let next = try opened()
            let frame = PN532Frame.information(try Hex.bytes("D402")).bytes
            var sent = 0
            let end = ContinuousClock.now + .seconds(20)
            while sent < frame.count, ContinuousClock.now < end { sent += next.write(Array(frame[sent...])) }
            #expect(next.frames(2) == ["ack", "D50332010607"])
        }
    }

    @Test func `passes every byte unchanged`() throws {
        defer { close() }
        let data = Hex.text((0...255).map { UInt8($0) })
        #expect(try opened().ask("D40000\(data)") == ["ack", "D50100\(data)"])
    }

    @Test func `reads a card, and answers a search when a card arrives`() throws {
        defer { close() }
        let port = try opened()
        try port.send("D44A0100")
        #expect(port.frames(1) == ["ack"])
        host.perform { $0.tap("ntag") }
        #expect(port.frames(1) == [Self.found])
        #expect(try port.ask("D440013000").last?.hasPrefix("D5410004A23B") == true)
    }

    @Test func `ends a search when its time is over`() throws {
        defer { close() }
        #expect(try opened().ask("D460010110") == ["ack", "D56100"])
    }

    @Test func `acknowledges a command before a fault delays the answer`() throws {
        let kind = try #require(FaultCatalogue.named("rf.delay"))
        let delay = Fault(kind, ["by": .time(.duration(.seconds(600)))])
        let trigger = EventTrigger.command(try #require(CommandName("ntag.read")))
        var world = World(seed: 1, plan: FaultPlan([.init(delay, when: trigger)]))
        world.add(NTAGCard(SampleTags.t0()), named: "tag")
        world.tap("tag")
        let host = FieldHost(world)
        let transport = try LibnfcTransport(host: host)
        let port = try SerialPort(try #require(transport.environment.last).value)
        #expect(try port.ask("D44A0100").first == "ack")
        try port.send("D440013000")
        #expect(port.frames(1) == ["ack"])
        host.close()
        transport.close()
    }

    @Test func `disconnects a client that never reads`() throws {
        let port = try opened()
        let commands = (0..<64).flatMap { _ in PN532Frame.information([0xD4, 0x02]).bytes }
        // Far more than the system buffers for a terminal, in both directions.
        var rest = 2_000
        while rest > 0, port.hasRoom {
            port.write(commands)
            rest -= 1
        }
        #expect(rest > 0)
        close()
    }

    @Test func `disconnects a client with more pending answers than a terminal buffers`() throws {
        let port = try opened()
        // Each command has nine bytes, and its answer nineteen.
        let commands = (0..<440).flatMap { _ in PN532Frame.information([0xD4, 0x02]).bytes }
        var written = 0
        while written < 8, port.hasRoom {
            port.write(commands)
            written += 1
        }
        #expect(written > 0)
        close()
    }

    @Test func `disconnects when it is closed during a search`() throws {
        let port = try opened()
        try port.send("D44A0100")
        #expect(port.frames(1) == ["ack"])
        close()
        #expect(port.hasHungUp)
        transport.close()
    }
}
