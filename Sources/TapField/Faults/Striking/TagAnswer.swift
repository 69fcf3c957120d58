import TapWire

extension AnswerOnAir {
    /// Puts an acknowledgement in the place of the answer, or of silence.
    mutating func put(_ acknowledgement: Acknowledgement, after delay: Duration = FrameDelay.afterOne) {
        if frame == nil { after = delay }
        frame = AirFrame(.typeA106, acknowledgement.bytes, bitCount: Acknowledgement.bitCount)
    }

    /// Changes the data of an answer; an acknowledgement and silence stay what they are.
    mutating func rewriteData(_ change: (inout [UInt8]) -> Void) {
        guard let frame, frame.bitCount == frame.bytes.count * 8 else { return }
        var bytes = frame.bytes
        change(&bytes)
        self.frame = AirFrame(frame.technology, bytes, integrity: frame.integrity)
    }

    /// Changes the pages of an answer to READ or FAST_READ, each with its address.
    mutating func rewritePages(_ change: (_ address: Int, _ pages: inout [PageData], _ index: Int) -> Void) {
        let first =
            if let read = try? ReadPages.Request(parsing: command.bytes) {
                read.page
            } else {
                (try? FastRead.Request(parsing: command.bytes))?.first
            }
        guard let first else { return }
        rewrite(FastRead.Response.self) { response in
            for index in response.pages.indices { change(Int(first) + index, &response.pages, index) }
        }
    }
}
