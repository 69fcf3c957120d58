import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

extension OutcomeTables {
    static let misuse: [OutcomeRow] = [
        .end(
            "an IDm no card has",
            "protocol misuse at exchange 4: it sent felica.read to IDm 0100000000000000, which no card has reported"
        ) {
            $0.read(0..<1, idm: IDm(0x0100_0000_0000_0000))
        },
        .end("an IDm that only the reader told", "correct: exit 0 and the result of the baseline runs") {
            $0.tell([1, 0, 0, 0, 0, 0, 0, 0])
            $0.read(0..<1, idm: IDm(0x0100_0000_0000_0000))
        },
        .end("another system of the card", "correct: exit 0 and the result of the baseline runs") {
            $0.read(0..<1, idm: OutcomeScript.idm.ofSystem(1))
        },
        .end("a wrong LEN", "protocol misuse at exchange 4: it sent a packet of 6 bytes whose LEN says 7") {
            $0.send(.felica212, OutcomeScript.bytes("07 00 00 03 01 00"))
        },
        .end(
            "too many blocks again and again",
            "protocol misuse at exchange 9: it asked for 15 blocks again and again, although the card refuses that with FF A2"
        ) {
            for count in 13...15 { for _ in 0..<2 { $0.read(0..<count) } }
        },
        .end(
            "fewer blocks each time, from the beginning again and again",
            "correct: exit 0 and the result of the baseline runs"
        ) {
            for _ in 0..<5 { for count in [15, 14, 13] { $0.read(0..<count) } }
        },
        .end(
            "a refused service again and again",
            "protocol misuse at exchange 9: it sent the same felica.read 6 times in a row, although the card refuses it "
                + "with status 01 A6"
        ) {
            for _ in 0..<6 { $0.read(0..<1, service: NodeCode(0x1234)) }
        },
        .end("a refused service in each of many attempts", "correct: exit 0 and the result of the baseline runs") {
            for _ in 0..<6 {
                $0.poll()
                $0.read(0..<1, service: NodeCode(0x1234))
            }
        },
        writer(
            "on and on after a NAK",
            "protocol misuse at exchange 13: it sent 3 commands after the NAK of exchange 10 "
                + "without selecting the tag again, which is back in IDLE and hears none of them"
        ) {
            for page in ["A2 FF 00 00 00 00", "30 04", "30 05", "30 06"] { $0.ntag(page) }
        },
        writer("selected again after a NAK", "correct: exit 0 and the result of the baseline runs") {
            $0.ntag("A2 FF 00 00 00 00")
            $0.select()
            for _ in 0..<3 { $0.ntag("30 04") }
        },
        writer(
            "beyond the last page",
            "protocol misuse at exchange 10: it asked for page 160; the last page of the tag is 134"
        ) {
            $0.ntag("3A 04 A0")
        },
        // The tag has gone when it is asked for its version.
        writer(
            "the last page searched by a client that does not know the size",
            "correct: exit 0 and the result of the baseline runs"
        ) {
            $0.remove("tag")
            $0.ntag("60")
            $0.tap("tag")
            $0.select()
            $0.ntag("30 A0")
        },
        writer(
            "beyond the last page after a second GET_VERSION",
            "protocol misuse at exchange 17: it asked for page 160; the last page of the tag is 134"
        ) {
            $0.remove("tag")
            $0.ntag("60")
            $0.tap("tag")
            $0.select()
            $0.ntag("60")
            $0.ntag("30 A0")
        },
        writer("backwards", "protocol misuse at exchange 10: it sent FAST_READ from page 9 back to page 4") {
            $0.ntag("3A 09 04")
        },
    ]
}
