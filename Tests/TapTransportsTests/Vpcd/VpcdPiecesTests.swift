import TapTransports
import TestSupport
import Testing

/// Messages that arrive in pieces, as sent by Debian's driver.
@Suite(.timeLimit(.minutes(20))) struct `A vpcd driver that sends in pieces` {
    /// A command for the card's number, preceded by its length.
    private static let command: [UInt8] = [0x00, 0x05, 0xFF, 0xCA, 0x00, 0x00, 0x00]
    /// The tag's answer, preceded by its length.
    private static let answer: [UInt8] = [0x00, 0x03, 0x00, 0x90, 0x00]

    @Test func `is answered wherever it splits a message`() throws {
        let driver = try VpcdDriver()
        for cut in 1..<Self.command.count {
            driver.send(
                Array(Self.command[..<cut]), Array(Self.command[cut...]), pause: .milliseconds(50))
            #expect(try driver.receive(Self.answer.count) == Self.answer, "cut at \(cut)")
        }
        driver.send([0x00], [0x05, 0xFF], [0xCA, 0x00], [0x00, 0x00], pause: .milliseconds(10))
        #expect(try driver.receive(Self.answer.count) == Self.answer)
    }

    #if os(Linux)
        /// A sender of small messages waits until the first is acknowledged, which Linux delays by 40 ms.
        @Test(arguments: [[], [0x00, 0x01, 0x01]])
        func `does not wait for an acknowledgement`(unanswered: [UInt8]) throws {
            let driver = try VpcdDriver()
            var times: [Duration] = []
            for _ in 0..<40 {
                let start = ContinuousClock.now
                driver.send(Array(unanswered.prefix(2)), Array(unanswered.dropFirst(2)))
                driver.send(Array(Self.command[..<2]), Array(Self.command[2...]))
                #expect(try driver.receive(Self.answer.count) == Self.answer)
                times.append(ContinuousClock.now - start)
            }
            // At first a system acknowledges everything immediately, and other programs may keep this machine busy, so the
            // shortest time counts.
            #expect(try #require(times.suffix(20).min()) < .milliseconds(20), "\(times)")
        }
    #endif

    @Test(arguments: 0...6)
    func `is disconnected if it ends inside a message, and found again`(count: Int) throws {
        let driver = try VpcdDriver()
        driver.send(Array(Self.command[..<count]))
        driver.hangUp()
        try driver.accept()
        driver.send(Self.command)
        #expect(try driver.receive(Self.answer.count) == Self.answer)
    }
}
