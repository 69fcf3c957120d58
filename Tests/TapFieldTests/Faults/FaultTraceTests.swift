import TestSupport
import Testing

@Suite struct `Faults in RF and in memory` {
    @Test(arguments: FaultTraceVector.all("faults.txt"))
    func `have the effects that the vectors specify`(vector: FaultTraceVector) throws {
        let lines = try vector.play()
        #expect(lines == vector.lines, "\(lines.joined(separator: "\n"))")
    }
}
