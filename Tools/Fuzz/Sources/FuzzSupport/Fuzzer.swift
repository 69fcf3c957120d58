import CLibFuzzer
import TapWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Runs a target under libFuzzer.
public enum Fuzzer {
    /// The arguments of a C main.
    public typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// The function called with an input; set once, before the first input.
    ///
    /// libFuzzer's callback takes no context.
    private nonisolated(unsafe) static var body: (inout Choices) -> Void = { _ in }

    @usableFromInline nonisolated(unsafe) static var exchanges = 0

    /// Counts a command received by a card; the total is printed at the end, since an input may contain many.
    @inlinable
    public static func countExchange() { exchanges &+= 1 }

    /// Returns the lines of standard input.
    ///
    /// The `readLine` of a statically linked standard library frees memory that AddressSanitizer did not allocate.
    public static func inputLines() -> [String] {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(STDIN_FILENO, &chunk, chunk.count), count > 0 { text += chunk.prefix(count) }
        return text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Fuzzes a target until libFuzzer ends, because of its arguments or a finding: a trap or a sanitizer's report.
    ///
    /// SwiftPM names the main function of an executable target after the target, so the target defines a C function of that
    /// name:
    /// ```
    /// @c(MyTarget_main)
    /// func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    ///     Fuzzer.run(count, arguments) { choices in … }
    /// }
    /// ```
    /// - Returns: The exit code.
    public static func run(
        _ count: Int32, _ arguments: Arguments?, _ body: @escaping (inout Choices) -> Void
    ) -> Int32 {
        self.body = body
        atexit { if Fuzzer.exchanges > 0 { print("stat::exchanges: \(Fuzzer.exchanges)") } }
        var (count, arguments) = (count, arguments)
        return LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            var choices = Choices(Array(UnsafeBufferPointer(start: data, count: size)))
            Fuzzer.body(&choices)
            return 0
        }
    }
}

/// Stops with a finding if a condition does not hold.
@inline(__always)
public func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
