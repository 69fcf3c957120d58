import TapSystem
import TapJudge

/// The moments at which a client wrote output: after which exchange, at which card time.
struct OutputMoments {
    /// The maximum number of separate moments; later output is added to the last one.
    private static let maximumCount = 10_000

    private struct Moment {
        let stream: ClientProcess.Stream
        var end: Int
        let exchange: Int
        let time: Duration
    }

    private var moments: [Moment] = []
    private var counts: [ClientProcess.Stream: Int] = [:]
    /// The moment at which the last bytes of an unfinished line arrived.
    private var begun: [ClientProcess.Stream: (exchange: Int, time: Duration)] = [:]

    /// Adds output up to the last line end.
    ///
    /// The rest belongs to the next moment, unless that contains only the line end.
    mutating func add(_ bytes: [UInt8], to stream: ClientProcess.Stream, _ exchange: Int, _ time: Duration) {
        let newline = UInt8(ascii: "\n")
        let before = counts[stream] ?? 0
        counts[stream] = before + bytes.count
        if bytes.first == newline, let begun = begun[stream] {
            addMoment(before + 1, of: stream, begun.exchange, begun.time)
        }
        if let last = bytes.lastIndex(of: newline), last > 0 || begun[stream] == nil {
            addMoment(before + last + 1, of: stream, exchange, time)
        }
        begun[stream] = bytes.last == newline ? nil : (exchange, time)
    }

    private mutating func addMoment(
        _ end: Int, of stream: ClientProcess.Stream, _ exchange: Int, _ time: Duration
    ) {
        let last = moments.indices.last
        if let last, moments[last].stream == stream, moments[last].exchange == exchange || last == Self.maximumCount - 1
        {
            moments[last].end = end
        } else if moments.count < Self.maximumCount {
            moments.append(Moment(stream: stream, end: end, exchange: exchange, time: time))
        }
    }

    /// Returns the moments with offsets in the text of the streams instead of their bytes.
    func marks(output: [UInt8], error: [UInt8]) -> [OutputMark] {
        var places: [ClientProcess.Stream: (bytes: Int, text: Int)] = [:]
        return moments.compactMap { moment in
            let bytes = moment.stream == .output ? output : error
            let place = places[moment.stream] ?? (0, 0)
            let end = min(moment.end, bytes.count)
            guard end > place.bytes else { return nil }
            let text = place.text + String(decoding: bytes[place.bytes..<end], as: UTF8.self).utf8.count
            places[moment.stream] = (end, text)
            let stream: OutputMark.Stream = moment.stream == .output ? .output : .error
            return OutputMark(stream, end: text, exchange: moment.exchange, time: moment.time)
        }
    }
}
