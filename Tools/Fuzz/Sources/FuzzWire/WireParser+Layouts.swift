import FuzzSupport
import TapDescribe

@testable import TapWire

// Parsers of data that is not a value in itself, each with its invariants.

extension WireParser {
    /// The layout with which a card reads a command without copying agrees with the parsed request.
    static let blockAccess = WireParser { bytes in
        let slice = bytes[...]
        let layout = BlockAccessLayout(slice.span)
        if let request = try? ReadWithoutEncryption.Request(parsing: bytes) {
            expect(layout != nil && layout?.blockCount == request.blocks.count, "\(request) has its blocks")
        }
        return layout != nil
    }

    static let blockSelection = WireParser { bytes in
        guard let (selection, rest) = try? FeliCaBlockSelection.parse(bytes) else { return false }
        let again = try? FeliCaBlockSelection.parse(selection.bytes + rest)
        expect(again?.selection == selection && again?.rest == rest, "\(selection) is printed as it was read")
        return true
    }

    /// A UID stays the same when it is assembled from its parts, unless its last part looks like one that another part follows.
    static let identifier = WireParser { bytes in
        if let uid = UID(bytes), uid.cascadeParts.last?.hasCascadeTag == false {
            expect((try? UID(cascadeParts: uid.cascadeParts)) == uid, "\(uid) has its parts")
        }
        let parts = stride(from: 0, to: bytes.count - 4, by: 5).compactMap {
            try? CascadePart(parsing: Array(bytes[$0..<$0 + 5]))
        }
        return (try? UID(cascadeParts: parts)) != nil
    }

    /// An undamaged frame stays the same when it is sent over RF.
    static let framing = WireParser { bytes in
        var choices = Choices(bytes)
        let missing = choices.number(below: 8)
        let rfBytes = choices.rest()
        let sent = RFFrame(.typeA106, rfBytes, bitCount: max(0, 8 * rfBytes.count - missing))
        let command = TypeAFraming.command(rfBytes: sent.bytes, bitCount: sent.bitCount)
        if command.integrity == .good {
            expect(TypeAFraming.rfBytes(command: command) == sent.bytes, "\(command) is sent as it was, \(sent)")
        }
        _ = TypeAFraming.answer(rfBytes: rfBytes, to: command)
        let (packet, integrity) = CRC16FeliCa.checking(rfBytes)
        if integrity == .good { expect(CRC16FeliCa.appending(to: packet) == rfBytes, "the CRC is that of the packet") }
        return command.integrity == .good || integrity == .good
    }

    /// Frames are the same however their bytes are cut.
    static let pn532Stream = WireParser { bytes in
        var (whole, cut) = (PN532FrameReader(), PN532FrameReader())
        var count = 0
        whole.append(bytes[...])
        for byte in bytes {
            cut.append([byte])
            while let frame = cut.next() {
                expect(whole.next() == frame, "\(frame) came in pieces")
                count += 1
            }
        }
        expect(whole.next() == nil, "nothing is left in pieces")
        return count > 0
    }

    static let port100 = WireParser { bytes in
        let frame = Port100Frame(bytes)
        if let frame { expect(frame.bytes == bytes, "\(frame) is printed as it was read") }
        let command = Port100Packet.Command(bytes)
        if let command { expect(command.bytes == bytes, "\(command) is printed so") }
        return frame != nil || command != nil || Port100Packet.technology(setting: bytes) != nil
    }

    static let ccid = WireParser { bytes in
        guard let command = CCIDCommand(bytes) else { return false }
        expect(CCIDCommand.length(of: bytes) == bytes.count, "\(command) has its length")
        let answer = CCIDAnswer(to: command.kind, card: .active, command.data)
        expect(
            answer.bytes(slot: command.slot, sequence: command.sequence).count
                == CCIDCommand.headerLength + command.data.count, "\(answer) has its length")
        return true
    }

    static let proxmark3 = WireParser { bytes in
        var reader = Proxmark3CommandReader()
        reader.append(bytes[...])
        var count = 0
        while let command = try? reader.next() {
            var again = Proxmark3CommandReader()
            again.append(command.frame[...])
            expect((try? again.next()) == command, "\(command) is printed as it was read")
            _ = command.mix
            count += 1
        }
        return count > 0
    }

    /// Lists of objects, features and properties.
    static let lists = WireParser { bytes in
        let (objects, broken) = SessionObject.list(bytes)
        let (again, _) = SessionObject.list(objects.flatMap(\.bytes))
        expect(again == objects && broken.count <= bytes.count, "\(objects) are printed as they were read")
        let features = ReaderFeature.list(bytes)
        expect(ReaderFeature.list(features.flatMap(\.bytes)) == features, "\(features) are printed so")
        let properties = ReaderProperty.list(bytes)
        expect(ReaderProperty.list(properties.flatMap(\.bytes)) == properties, "\(properties) are printed so")
        _ = USBSetup(bytes)
        return !objects.isEmpty || !features.isEmpty || !properties.isEmpty
    }

    /// The TLVs of a tag can be written back to where they were found.
    static let memory = WireParser { bytes in
        guard bytes.count >= 16, let container = try? CapabilityContainer(parsing: Array(bytes[12..<16])) else {
            return false
        }
        let area = Type2DataArea(container)
        _ = try? area.ndefMessageBlock(in: bytes)
        guard let placed = try? area.blocks(in: bytes) else { return false }
        var memory = bytes
        let again = try? area.write(placed.map(\.block), into: &memory)
        expect(again == placed && memory == bytes, "\(placed) lie where they lay")
        _ = area.largestMessage(after: placed.map(\.block))
        return !placed.isEmpty
    }

    /// Hexadecimal text, and the frame in it.
    static let text = WireParser { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let found = try? Hex.bytes(text) {
            expect((try? Hex.bytes(Hex.text(found))) == found, "\(found) are printed as they were read")
        }
        guard let (found, bitCount) = try? FrameText.parse(text) else { return false }
        let again = try? FrameText.parse(FrameText.text(found, bitCount: bitCount))
        expect(again?.bitCount == bitCount && again?.bytes == found, "\(text) is \(found), \(bitCount) bits")
        return true
    }

    /// The fields of a description cover every bit of a frame exactly once.
    static let descriptions = WireParser { bytes in
        var choices = Choices(bytes)
        let technology = choices.pick([Technology.felica212, .typeA106])
        let command = RFFrame(technology, choices.counted(below: 64))
        let frame = RFFrame(technology, choices.rest())
        for description in FrameDescription.ofUnknownDirection(frame) + [
            FrameDescription(command: frame), FrameDescription(answer: frame, to: command),
            FrameDescription(opened: frame, answering: command),
        ] {
            var place = 0
            for field in description.fields {
                expect(
                    field.bits.lowerBound == place, "\(description.title) \(frame.bytes): \(field) begins at \(place)")
                place = field.bits.upperBound
            }
            expect(place == frame.bitCount, "\(description.title) \(frame.bytes): it ends at \(place)")
        }
        return !frame.bytes.isEmpty
    }
}
