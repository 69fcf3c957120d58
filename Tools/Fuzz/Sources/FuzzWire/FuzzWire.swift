import FuzzSupport

@testable import TapWire

/// Reads bytes with one parser of TapWire, and checks the parser's invariants.
///
/// The first byte chooses the parser, an index into `WireParser.all`. With the argument `accept` the program reads bytes in
/// hexadecimal, line by line, and prints them after the index of every parser that accepts them; seeds are made from that.
@c(FuzzWire_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    let parsers = WireParser.all
    precondition(parsers.count <= 256, "one byte chooses")
    if CommandLine.arguments.dropFirst() == ["accept"] {
        for line in Fuzzer.inputLines() {
            guard let bytes = try? Hex.bytes(line) else { continue }
            for (index, parser) in parsers.enumerated() where parser.takes(bytes) { print(index, line) }
        }
        return 0
    }
    return unsafe Fuzzer.run(count, arguments) { choices in
        let parser = parsers[Int(choices.byte()) % parsers.count]
        _ = parser.takes(choices.rest())
    }
}
