import TapCards
import TapDescribe
import TapWire
import TestSupport
import Testing

@Suite struct `Descriptions of vectors` {
    @Test(arguments: VectorS.all)
    func `FeliCa frames are described completely, and card responses have no remarks`(_ vector: VectorS) throws {
        let command = RFFrame(.felica212, vector.command)
        expectWhole(FrameDescription(command: command), of: command)
        guard let response = vector.response else { return }
        let answer = RFFrame(.felica212, response)
        let description = FrameDescription(answer: answer, to: command)
        expectWhole(description, of: answer)
        #expect(description.remark == nil)
        #expect(!description.fields.contains { $0.name == "bytes not understood" })
    }

    @Test(arguments: NTAGVector.all)
    func `NTAG frames are described completely, and tag responses have no remarks`(_ vector: NTAGVector) {
        let request = BitText(vector.request)
        let command = TypeAFraming.command(rfBytes: request.bytes, bitCount: request.count)
        expectWhole(FrameDescription(command: command), of: command)
        guard vector.response != "-", !vector.response.hasPrefix("memory ") else { return }
        let response = BitText(vector.response)
        let answer = TypeAFraming.answer(rfBytes: response.bytes, bitCount: response.count, to: command)
        let description = FrameDescription(answer: answer, to: command)
        expectWhole(description, of: answer)
        #expect(description.remark == nil, "\(vector.name): \(description.remark ?? "")")
    }

    private func expectWhole(_ description: FrameDescription, of frame: RFFrame) {
        #expect(description.fields.first?.bits.lowerBound ?? 0 == 0)
        #expect(description.fields.map(\.bits.count).reduce(0, +) == frame.bitCount)
        for (left, right) in zip(description.fields, description.fields.dropFirst()) {
            #expect(left.bits.upperBound == right.bits.lowerBound)
        }
    }
}
