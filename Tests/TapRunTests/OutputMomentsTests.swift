import TapSystem
import TapJudge
import Testing

@testable import TapRun

@Suite struct `The moments of output` {
    @Test func `use the time of a line's text if its newline arrives later`() {
        var moments = OutputMoments()
        moments.add(Array("touch".utf8), to: .output, 3, .zero)
        moments.add(Array("\n".utf8), to: .output, 8, .seconds(1))
        moments.add(Array("UID ".utf8), to: .output, 9, .seconds(2))
        moments.add(Array("04\n".utf8), to: .output, 10, .seconds(3))
        let expected = [
            OutputMark(.output, end: 6, exchange: 3, time: .zero),
            OutputMark(.output, end: 13, exchange: 10, time: .seconds(3)),
        ]
        #expect(moments.marks(output: Array("touch\nUID 04\n".utf8), error: []) == expected)
    }
}
