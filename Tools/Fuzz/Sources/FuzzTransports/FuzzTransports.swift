import FuzzSupport
import TapWire
import TapField

@testable import TapTransports
@testable import TapReaders

/// Communicates with a transport as a foreign program does, in messages of its protocol and in arbitrary bytes, cut anywhere.
///
/// The first byte chooses the transport, the second the cards on its reader.
@c(FuzzTransports_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    let worlds = SampleWorlds().all
    let usb = ReaderModel.allCases.filter(\.isOnUSB)
    return unsafe Fuzzer.run(count, arguments) { choices in
        let transport = choices.byte() % 9
        let world = choices.pick(worlds)
        switch transport {
        case 0: Talk(&choices).hold(StreamSession(WiredPN532(choices.pick(ReaderModel.allCases).makeChip()), world))
        case 1: Talk(&choices).hold(StreamSession(Proxmark3(), world))
        case 2: Talk(&choices).hold(StreamSession(FelicaRemote(), world))
        case 3: Talk(&choices).hold(LineSession(world, hasCRC: choices.oneIn(2), isFeliCa: choices.oneIn(2)))
        case 4: Talk(&choices).hold(VpcdConnection(choices.pick(ReaderModel.allCases), world))
        case 5: Talk(&choices).hold(USBSession(choices.pick(usb), world))
        case 6: Talk(&choices).hold(ServiceSession(choices.pick(ReaderModel.allCases), world))
        case 7: Talk(&choices).hold(NfcpySession(world))
        default: Talk(&choices).hold(SteeredSession())
        }
    }
}
