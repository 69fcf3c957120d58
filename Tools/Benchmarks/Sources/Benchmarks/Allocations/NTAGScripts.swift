import TapCards
import TapWire

/// Every command of the NTAG21x engine from power-on, the selection, and what is refused.
enum NTAGScripts {
    /// The scripts of a command; nil if it has none.
    static func scripts(of opcode: Type2Opcode, uid: UID) -> [AllocationScript] {
        func script(_ name: String, _ frames: [UInt8]..., isAnswered: Bool = true) -> AllocationScript {
            let selection = Selection.frames(uid: uid)
            return AllocationScript(name, selection + frames.map { HeardFrame($0) }, isAnswered: isAnswered)
        }
        let wrong = PasswordAuthentication.Request(password: .zero).bytes
        let right = PasswordAuthentication.Request(password: BenchmarkCards.password).bytes
        return switch opcode {
        case .read:
            [
                script("READ", ReadPages.Request(page: 4).bytes),
                script("READ, roll over", ReadPages.Request(page: 134).bytes),
                script("READ, no page", ReadPages.Request(page: 200).bytes),
            ]
        case .fastRead: [script("FAST_READ", FastRead.Request(first: 0, last: 134).bytes)]
        case .write:
            [
                script("WRITE", WritePage.Request(page: 0x20, data: PageData(1, 2, 3, 4)).bytes),
                script("WRITE, lock bytes", WritePage.Request(page: 2, data: PageData(0, 0, 0, 0x80)).bytes),
                script("WRITE, no page", WritePage.Request(page: 200, data: .zero).bytes),
            ]
        case .compatibilityWrite:
            [
                script(
                    "COMP_WRITE", CompatibilityWrite.Request(page: 0x20).bytes,
                    CompatibilityWrite.Data(PageData(1, 2, 3, 4)).bytes),
                script("COMP_WRITE, broken off", CompatibilityWrite.Request(page: 0x20).bytes, right),
            ]
        case .passwordAuthentication:
            [script("PWD_AUTH", right), script("PWD_AUTH, wrong", wrong)]
        case .readCounter: [script("READ_CNT", ReadCounter.Request().bytes)]
        case .getVersion: [script("GET_VERSION", GetVersion.Request().bytes)]
        case .readSignature: [script("READ_SIG", ReadSignature.Request().bytes)]
        case .halt: [script("HLTA", HLTA.Request().bytes, isAnswered: false)]
        default: []
        }
    }

    /// What comes before commands, and what is no command.
    static func otherScripts(uid: UID) -> [AllocationScript] {
        let selection = Selection.frames(uid: uid)
        let reqa = [HeardFrame(ShortFrame.reqa)]
        let levels = zip([CascadeLevel.first, .second], Selection.selects(uid: uid))
        let anticollisions = levels.flatMap { level, select in
            [HeardFrame(Anticollision.Request(level).bytes), select]
        }
        let someBits = Anticollision.Request(.first, knownBits: 0x08, knownBitCount: 4)
        return [
            AllocationScript("REQA", reqa),
            AllocationScript("WUPA after HLTA", selection + [HeardFrame(HLTA.Request().bytes), HeardFrame(.wupa)]),
            AllocationScript("ANTICOLLISION, SELECT", reqa + anticollisions),
            AllocationScript(
                "ANTICOLLISION, four bits", reqa + [HeardFrame(someBits.bytes, bitCount: someBits.bitCount)]),
            AllocationScript("SELECT", selection),
            AllocationScript(
                "SELECT, another UID", reqa + [HeardFrame([0x93, 0x70, 0, 0, 0, 0, 0])], isAnswered: false),
            AllocationScript("READ of page 0 before SELECT", reqa + [HeardFrame(ReadPages.Request(page: 0).bytes)]),
            AllocationScript("unknown opcode", selection + [HeardFrame([0xE0, 0x80])]),
            AllocationScript("wrong CRC", selection + [HeardFrame([0x30, 0x04], integrity: .badCRC)]),
            AllocationScript("wrong parity", selection + [HeardFrame([0x30, 0x04], integrity: .badParity)]),
            AllocationScript("short frame in ACTIVE", selection + reqa, isAnswered: false),
        ]
    }
}
