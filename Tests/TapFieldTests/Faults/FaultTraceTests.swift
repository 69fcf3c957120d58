import TestSupport
import Testing

@Suite struct `Faults on air and in memory` {
    @Test(arguments: FaultTraceVector.all("faults.txt"))
    func `do what the vectors say`(vector: FaultTraceVector) throws {
        let lines = try vector.play()
        #expect(lines == vector.lines, "\(lines.joined(separator: "\n"))")
    }
}
