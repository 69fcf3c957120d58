import Foundation
import TapPCSC
import TapWire
import Testing

@Suite struct `The winscard declarations` {
    /// Prints name and value of every Swift declaration, one per line.
    private static let program = """
        #include <stddef.h>
        #include <stdio.h>
        #include <winscard.h>
        #include <reader.h>
        #define SAY(name, value) printf("%s %llu\\n", name, (unsigned long long)(value))
        #define CODE(name) printf("%s %llu\\n", #name, (unsigned long long)(unsigned)(name))
        int main(void) {
            SAY("DWORD", sizeof(DWORD)); SAY("LONG", sizeof(LONG));
            SAY("SCARDCONTEXT", sizeof(SCARDCONTEXT)); SAY("SCARDHANDLE", sizeof(SCARDHANDLE));
            SAY("SCARD_READERSTATE", sizeof(SCARD_READERSTATE));
            SAY("szReader", offsetof(SCARD_READERSTATE, szReader));
            SAY("dwCurrentState", offsetof(SCARD_READERSTATE, dwCurrentState));
            SAY("dwEventState", offsetof(SCARD_READERSTATE, dwEventState));
            SAY("cbAtr", offsetof(SCARD_READERSTATE, cbAtr));
            SAY("rgbAtr", offsetof(SCARD_READERSTATE, rgbAtr));
            SAY("MAX_ATR_SIZE", MAX_ATR_SIZE);
            SAY("MAX_BUFFER_SIZE", MAX_BUFFER_SIZE); SAY("MAX_BUFFER_SIZE_EXTENDED", MAX_BUFFER_SIZE_EXTENDED);
            CODE(SCARD_SCOPE_SYSTEM); CODE(INFINITE);
            CODE(SCARD_SHARE_EXCLUSIVE); CODE(SCARD_SHARE_SHARED); CODE(SCARD_SHARE_DIRECT);
            CODE(SCARD_PROTOCOL_T0); CODE(SCARD_PROTOCOL_T1); CODE(SCARD_PROTOCOL_RAW);
            CODE(SCARD_LEAVE_CARD); CODE(SCARD_RESET_CARD); CODE(SCARD_UNPOWER_CARD); CODE(SCARD_EJECT_CARD);
            CODE(SCARD_STATE_CHANGED); CODE(SCARD_STATE_UNKNOWN); CODE(SCARD_STATE_EMPTY);
            CODE(SCARD_STATE_PRESENT); CODE(SCARD_STATE_MUTE); CODE(CM_IOCTL_GET_FEATURE_REQUEST);
        CODES
            return 0;
        }
        """

    /// The Swift declarations, under their names in the headers.
    private static let declared: [(name: String, value: UInt64)] = [
        ("DWORD", UInt64(MemoryLayout<PCSCWord>.size)), ("LONG", UInt64(MemoryLayout<PCSCLong>.size)),
        ("SCARDCONTEXT", UInt64(MemoryLayout<PCSCLong>.size)), ("SCARDHANDLE", UInt64(MemoryLayout<PCSCLong>.size)),
        ("SCARD_READERSTATE", UInt64(ReaderStateLayout.size)), ("szReader", UInt64(ReaderStateLayout.reader)),
        ("dwCurrentState", UInt64(ReaderStateLayout.currentState)),
        ("dwEventState", UInt64(ReaderStateLayout.eventState)), ("cbAtr", UInt64(ReaderStateLayout.atrLength)),
        ("rgbAtr", UInt64(ReaderStateLayout.atr)), ("MAX_ATR_SIZE", UInt64(ReaderStateLayout.maximumATR)),
        ("MAX_BUFFER_SIZE", UInt64(PCSCLimit.longestAttribute)),
        ("MAX_BUFFER_SIZE_EXTENDED", UInt64(PCSCLimit.longestAnswer)),
        ("SCARD_SCOPE_SYSTEM", UInt64(PCSCLimit.systemScope)), ("INFINITE", UInt64(PCSCLimit.infinite)),
        ("SCARD_SHARE_EXCLUSIVE", UInt64(PCSCShareMode.exclusive.rawValue)),
        ("SCARD_SHARE_SHARED", UInt64(PCSCShareMode.shared.rawValue)),
        ("SCARD_SHARE_DIRECT", UInt64(PCSCShareMode.direct.rawValue)),
        ("SCARD_PROTOCOL_T0", UInt64(PCSCProtocols.t0.rawValue)),
        ("SCARD_PROTOCOL_T1", UInt64(PCSCProtocols.t1.rawValue)),
        ("SCARD_PROTOCOL_RAW", UInt64(PCSCProtocols.raw.rawValue)),
        ("SCARD_LEAVE_CARD", UInt64(PCSCDisposition.leave.rawValue)),
        ("SCARD_RESET_CARD", UInt64(PCSCDisposition.reset.rawValue)),
        ("SCARD_UNPOWER_CARD", UInt64(PCSCDisposition.unpower.rawValue)),
        ("SCARD_EJECT_CARD", UInt64(PCSCDisposition.eject.rawValue)),
        ("SCARD_STATE_CHANGED", UInt64(PCSCReaderFlags.changed.rawValue)),
        ("SCARD_STATE_UNKNOWN", UInt64(PCSCReaderFlags.unknown.rawValue)),
        ("SCARD_STATE_EMPTY", UInt64(PCSCReaderFlags.empty.rawValue)),
        ("SCARD_STATE_PRESENT", UInt64(PCSCReaderFlags.present.rawValue)),
        ("SCARD_STATE_MUTE", UInt64(PCSCReaderFlags.mute.rawValue)),
    ]

    @Test func `match the headers in sizes, offsets and numbers`() throws {
        // The code of Windows and macOS shares its name with that of pcsc-lite.
        let codes = PCSCReturnCode.named.filter { $0.code != .unsupportedFeatureElsewhere }
        let source = Self.program.replacingOccurrences(
            of: "CODES", with: codes.map { "CODE(\($0.name));" }.joined(separator: " "))
        let printed = try CProgram.run(source)
        var found: [Substring: Substring] = [:]
        for line in printed.split(separator: "\n") {
            let words = line.split(separator: " ")
            found[words[0]] = words[1]
        }
        for (name, value) in Self.declared + codes.map({ ($0.name, UInt64($0.code.rawValue)) }) {
            #expect(found[Substring(name)] == "\(value)", "\(name)")
        }
    }
}

/// A C program against libpcsclite, compiled and run by a test.
enum CProgram {
    /// Compiles a program, runs it and returns its output.
    static func run(_ source: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapsim-c-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("program.c")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let flags = try output(of: "pkg-config", ["--cflags", "--libs", "libpcsclite"])
            .split(whereSeparator: \.isWhitespace).map(String.init)
        let binary = folder.appendingPathComponent("program").path
        _ = try output(of: "cc", ["-o", binary, file.path] + flags)
        return try output(of: binary, [])
    }

    /// Runs a program from the search path and returns its output.
    private static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) ended with \(process.terminationStatus)")
        return String(decoding: data, as: UTF8.self)
    }
}
