import TapSystem
import TapWire

/// Finds reasons why a client may not receive the variable that leads it to a virtual reader.
struct ClientFindings {
    /// Programs that start other programs without the variables.
    private static let wrappers = [
        "sudo": "sudo --preserve-env=PCSCLITE_CSOCK_NAME CLIENT", "doas": "a line with keepenv in doas.conf",
        "docker": "--socket on a volume, and docker run -e PCSCLITE_CSOCK_NAME",
        "podman": "--socket on a volume, and podman run -e PCSCLITE_CSOCK_NAME",
        "flatpak": "flatpak run --env=PCSCLITE_CSOCK_NAME=PATH --filesystem=PATH",
        "systemd-run": "systemd-run --setenv=PCSCLITE_CSOCK_NAME", "ssh": "tapsim on the other machine",
        "tox": "pass_env = PCSCLITE_CSOCK_NAME in tox.ini",
    ]
    /// The maximum number of nested script interpreters to follow.
    static let mostInterpreters = 4

    private let words: [String]
    private let surroundings: Surroundings
    private let library: LibraryFacts
    /// The script that the program runs, if it uses nfcpy.
    private let nfcpyScript: (name: String, file: FileLook)?

    init(_ words: [String], in surroundings: Surroundings, _ library: LibraryFacts) {
        self.words = words
        self.surroundings = surroundings
        self.library = library
        nfcpyScript = words.lazy.compactMap { word in FileLook(surroundings.folder.path(to: word)).map { (word, $0) } }
            .first { !$1.isProgram && ($1.contains("ContactlessFrontend") || $1.contains("import nfc\n")) }
    }

    var all: [DoctorFinding] {
        findings(words[0], depth: 0) + (nfcpyScript.map { [nfcpy($0.name, $0.file)] } ?? [])
    }

    /// The library through which the client accesses readers without PC/SC, if known.
    var otherLibrary: String? {
        if nfcpyScript != nil { return "nfcpy" }
        return FileLook(program: words[0], in: surroundings).flatMap(ELFProgram.init)?.isOnLibnfc == true
            ? "libnfc" : nil
    }

    /// Returns how the script finds its reader: nfcpy is given a path; `usb` names plugged-in readers.
    private func nfcpy(_ name: String, _ file: FileLook) -> DoctorFinding {
        let hasPathArgument = words.contains { $0.contains("{nfcpy}") } || file.contains("TAPSIM_NFCPY")
        guard !hasPathArgument else {
            return DoctorFinding("client", .fine, "\(name) uses nfcpy and is given its path")
        }
        let advice =
            "take the path as an argument and pass {nfcpy}, or open TAPSIM_NFCPY and run with --transport nfcpy"
        guard file.contains("'usb") || file.contains("\"usb") else {
            return DoctorFinding("client", .note, "\(name) uses nfcpy", advice: advice)
        }
        #if os(Linux)
            return DoctorFinding(
                "client", .note, "\(name) opens nfcpy's 'usb', a reader on USB",
                advice: "run it with --transport usb")
        #else
            return DoctorFinding(
                "client", .trouble, "\(name) opens nfcpy's 'usb', a reader on USB, and virtual ones need Linux",
                advice: advice)
        #endif
    }

    private func findings(_ name: String, depth: Int) -> [DoctorFinding] {
        guard let file = FileLook(program: name, in: surroundings) else {
            return [DoctorFinding("client", .trouble, "there is no program \(name)", advice: "check its path")]
        }
        if let wrapper = wrapper(name) { return [wrapper] }
        if file.path.hasPrefix("/snap/") || file.path.hasSuffix("/bin/snap") {
            return [
                DoctorFinding(
                    "client", .trouble, "\(name) is a snap, which sees a different /tmp and only the system's pcscd",
                    advice: "install it another way")
            ]
        }
        let rights = file.givesRights ? [privileged(file)] : []
        if let interpreter = Self.interpreter(of: file), depth < Self.mostInterpreters {
            let script = DoctorFinding("client", .fine, "\(name) is a script for \(interpreter)")
            return rights + [script] + findings(interpreter, depth: depth + 1)
        }
        return rights + [linkage(name, file)]
    }

    private func wrapper(_ name: String) -> DoctorFinding? {
        let base = name.split(separator: "/").last.map(String.init) ?? name
        guard let advice = Self.wrappers[base] else { return nil }
        let passes = words.contains { $0.contains("PCSCLITE_CSOCK_NAME") || $0 == "-E" || $0 == "--preserve-env" }
        guard !passes else {
            return DoctorFinding(
                "client", .note, "\(base) passes variables on", advice: "check its client separately")
        }
        return DoctorFinding("client", .trouble, "\(base) drops PCSCLITE_CSOCK_NAME", advice: "use \(advice)")
    }

    private func privileged(_ file: FileLook) -> DoctorFinding {
        guard library.ignoresVariableOfPrivileged else {
            return DoctorFinding(
                "client", .note, "\(file.path) is set-user-ID or set-group-ID",
                advice: "this libpcsclite still reads the variable; versions from 2.0 on do not")
        }
        return DoctorFinding(
            "client", .trouble, "\(file.path) is set-user-ID or set-group-ID, so libpcsclite ignores the variable",
            advice: "run it as the user it becomes, or a copy without the bit")
    }

    private func linkage(_ name: String, _ file: FileLook) -> DoctorFinding {
        guard !file.readsByPhone else {
            return DoctorFinding(
                "client", .note, "\(name) is built on VirtualCoreNFC, which needs no reader and opens no transport",
                advice: "start it with TAPSIM_CARD=suica and control it with tapsim ctl, or drive it from tests")
        }
        guard let program = ELFProgram(file) else {
            return DoctorFinding("client", .note, "\(name) is not a program that can be examined", advice: "try it")
        }
        guard program.isDynamic else {
            return DoctorFinding(
                "client", .note, "\(name) is linked statically and brings its own PC/SC, if any",
                advice: "it works if that reads PCSCLITE_CSOCK_NAME; if not, pass its built-in path to --socket")
        }
        guard !program.isOnLibnfc else {
            return DoctorFinding(
                "client", .fine, "\(name) is linked to libnfc, which finds its PN532 through LIBNFC_DEVICE")
        }
        guard program.libraries.contains(where: { $0.hasPrefix("libpcsclite") }) else {
            return DoctorFinding(
                "client", .note, "\(name) is not linked to libpcsclite itself; a library that it loads may be",
                advice: "tapsim run reports whether it opened a reader")
        }
        return DoctorFinding("client", .fine, "\(name) is linked to libpcsclite")
    }

    static func interpreter(of file: FileLook) -> String? {
        let start = file.bytes(at: 0, count: 256)
        guard start.starts(with: Array("#!".utf8)) else { return nil }
        let line = String(decoding: start.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        guard first.hasSuffix("/env") else { return first }
        return words.dropFirst().first { !$0.hasPrefix("-") && !$0.contains("=") }
    }
}

extension ELFProgram {
    fileprivate var isOnLibnfc: Bool { libraries.contains { $0.hasPrefix("libnfc.so") } }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

struct FileLook {
    let path: String
    private let status: stat

    /// Returns `nil` if there is no such file.
    init?(_ path: String) {
        guard let path = RealPath.of(path) else { return nil }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.path = path
        self.status = status
    }

    /// Finds the file of a program as a shell does; `nil` if there is none.
    init?(program name: String, in surroundings: Surroundings) {
        guard let path = surroundings.program(name) else { return nil }
        self.init(path)
    }

    var isProgram: Bool { bytes(at: 0, count: 4) == [0x7F, 0x45, 0x4C, 0x46] }

    var givesRights: Bool {
        let isOfAnotherUser = status.st_mode & S_ISUID != 0 && status.st_uid != geteuid()
        let isOfAnotherGroup = status.st_mode & S_ISGID != 0 && status.st_gid != getegid()
        return isOfAnotherUser || isOfAnotherGroup
    }

    func bytes(at offset: Int, count: Int) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, (0...Self.furthestOffset).contains(offset), count > 0 else { return [] }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < count {
            var chunk = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 16))
            let length = unsafe pread(descriptor, &chunk, chunk.count, off_t(offset + bytes.count))
            guard length > 0 else { break }
            bytes += chunk.prefix(length)
        }
        return bytes
    }

    func contains(_ text: String) -> Bool {
        Self.holds(Array(text.utf8), bytes(at: 0, count: Self.longestSearch))
    }

    /// A Boolean value that indicates whether the file is a program built on VirtualCoreNFC, detected by the module name in
    /// its types.
    var readsByPhone: Bool {
        let wanted = Array("VirtualCoreNFC\0".utf8)
        var offset = 0
        while offset < Self.longestProgram {
            let chunk = bytes(at: offset, count: Self.searchStep + wanted.count)
            if Self.holds(wanted, chunk) { return true }
            guard chunk.count > Self.searchStep else { return false }
            offset += Self.searchStep
        }
        return false
    }

    private static func holds(_ wanted: [UInt8], _ content: [UInt8]) -> Bool {
        unsafe content.withUnsafeBytes { content -> Bool in
            var offset = 0
            // Programs are large; memchr finds the next candidate at memory speed.
            while content.count - offset >= wanted.count, let start = content.baseAddress {
                let left = content.count - offset
                guard let next = unsafe memchr(start + offset, Int32(wanted[0]), left) else { return false }
                offset = unsafe UnsafeRawPointer(next) - start
                if content.count - offset >= wanted.count, unsafe memcmp(next, wanted, wanted.count) == 0 {
                    return true
                }
                offset += 1
            }
            return false
        }
    }

    /// The upper bound of file offsets; a header may contain any value.
    private static let furthestOffset = 1 << 48
    /// The number of bytes searched; the libraries searched here are far smaller.
    private static let longestSearch = 4 << 20
    /// The number of bytes searched in a program; with debug information, programs take a few hundred megabytes.
    private static let longestProgram = 512 << 20
    private static let searchStep = 1 << 20
}

/// The loading information of an ELF header; little-endian files, 32 and 64 bits.
///
/// Source: System V Application Binary Interface, "Object Files" and "Program Loading and Dynamic Linking".
struct ELFProgram {
    /// A Boolean value that indicates whether the dynamic loader loads the program.
    let isDynamic: Bool
    let libraries: [String]
    /// A Boolean value that indicates whether the program is built for the processor and the word size of this process.
    let isForThisMachine: Bool

    private static let mostSegments = 256
    private static let longestDynamicSection = 1 << 16
    private static let longestNames = 1 << 20

    private enum SegmentType {
        static let load: UInt64 = 1
        static let dynamic: UInt64 = 2
        static let interpreter: UInt64 = 3
    }

    /// The e_machine value of this process.
    private static let machine: UInt64 = {
        #if arch(arm64)
            183
        #else
            62
        #endif
    }()

    private enum DynamicTag {
        static let needed: UInt64 = 1
        static let names: UInt64 = 5
    }

    private struct Segment {
        let type: UInt64
        let offset: UInt64
        let address: UInt64
        let length: UInt64

        func holds(_ address: UInt64) -> Bool {
            address >= self.address && address - self.address < length
        }
    }

    /// Returns `nil` if the file is not such a program.
    init?(_ file: FileLook) {
        let header = file.bytes(at: 0, count: 64)
        guard header.count == 64, header.starts(with: [0x7F, 0x45, 0x4C, 0x46]), header[5] == 1 else { return nil }
        let isWide = header[4] == 2
        isForThisMachine = isWide && Self.number(header, at: 18, bytes: 2) == Self.machine
        let segments = Self.segments(file, header, isWide)
        isDynamic = segments.contains { $0.type == SegmentType.interpreter }
        guard let dynamic = segments.first(where: { $0.type == SegmentType.dynamic }) else {
            libraries = []
            return
        }
        let entries = Self.dynamicEntries(file, dynamic, isWide)
        guard let address = entries.first(where: { $0.tag == DynamicTag.names })?.value,
            let segment = segments.first(where: { $0.type == SegmentType.load && $0.holds(address) })
        else {
            libraries = []
            return
        }
        let offset = segment.offset &+ (address &- segment.address)
        let names = file.bytes(at: Int(clamping: offset), count: Self.longestNames)
        libraries = entries.filter { $0.tag == DynamicTag.needed }.map { Self.text(names, at: Int(clamping: $0.value)) }
    }

    private static func segments(_ file: FileLook, _ header: [UInt8], _ isWide: Bool) -> [Segment] {
        let start = number(header, at: isWide ? 0x20 : 0x1C, bytes: isWide ? 8 : 4)
        let size = Int(number(header, at: isWide ? 0x36 : 0x2A, bytes: 2))
        let count = min(Int(number(header, at: isWide ? 0x38 : 0x2C, bytes: 2)), mostSegments)
        let table = file.bytes(at: Int(clamping: start), count: size * count)
        guard size >= (isWide ? 56 : 32) else { return [] }
        return stride(from: 0, to: table.count - size + 1, by: size).map { base in
            let width = isWide ? 8 : 4
            return Segment(
                type: number(table, at: base, bytes: 4), offset: number(table, at: base + width, bytes: width),
                address: number(table, at: base + 2 * width, bytes: width),
                length: number(table, at: base + 4 * width, bytes: width))
        }
    }

    private static func dynamicEntries(
        _ file: FileLook, _ segment: Segment, _ isWide: Bool
    ) -> [(tag: UInt64, value: UInt64)] {
        let width = isWide ? 8 : 4
        let table = file.bytes(
            at: Int(clamping: segment.offset), count: min(Int(clamping: segment.length), longestDynamicSection))
        return stride(from: 0, to: table.count - 2 * width + 1, by: 2 * width).map { base in
            (number(table, at: base, bytes: width), number(table, at: base + width, bytes: width))
        }
    }

    /// Returns a little-endian number; missing bytes count as zero.
    private static func number(_ bytes: [UInt8], at offset: Int, bytes width: Int) -> UInt64 {
        bytes.dropFirst(offset).prefix(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func text(_ bytes: [UInt8], at offset: Int) -> String {
        String(decoding: bytes.dropFirst(offset).prefix { $0 != 0 }, as: UTF8.self)
    }
}
