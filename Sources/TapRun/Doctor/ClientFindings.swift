import TapDoors
import TapWire

/// What stands between a client and the variable that leads it to a virtual reader.
struct ClientFindings {
    /// Programs that start another without our variables.
    private static let wrappers = [
        "sudo": "sudo --preserve-env=PCSCLITE_CSOCK_NAME CLIENT", "doas": "a line with keepenv in doas.conf",
        "docker": "--socket on a volume, and docker run -e PCSCLITE_CSOCK_NAME",
        "podman": "--socket on a volume, and podman run -e PCSCLITE_CSOCK_NAME",
        "flatpak": "flatpak run --env=PCSCLITE_CSOCK_NAME=PATH --filesystem=PATH",
        "systemd-run": "systemd-run --setenv=PCSCLITE_CSOCK_NAME", "ssh": "tapsim on the other machine",
        "tox": "pass_env = PCSCLITE_CSOCK_NAME in tox.ini",
    ]
    /// Scripts that name scripts are followed so far.
    private static let mostInterpreters = 4

    private let words: [String]
    private let library: LibraryFacts
    /// The script that stands behind the program, if it is on nfcpy.
    private let nfcpyScript: (name: String, file: FileLook)?

    init(_ words: [String], _ library: LibraryFacts) {
        self.words = words
        self.library = library
        nfcpyScript = words.lazy.compactMap { word in FileLook(word).map { (word, $0) } }
            .first { !$1.isProgram && ($1.contains("ContactlessFrontend") || $1.contains("import nfc\n")) }
    }

    var all: [Finding] {
        findings(words[0], depth: 0) + (nfcpyScript.map { [nfcpy($0.name, $0.file)] } ?? [])
    }

    /// The library by which the client reaches readers without PC/SC, if that can be told.
    var otherLibrary: String? {
        if nfcpyScript != nil { return "nfcpy" }
        return FileLook.program(words[0]).flatMap(ELFProgram.init)?.isOnLibnfc == true ? "libnfc" : nil
    }

    /// How the script comes to its reader: nfcpy is given a path, and `usb` names readers that are plugged in.
    private func nfcpy(_ name: String, _ file: FileLook) -> Finding {
        let isToldPath = words.contains { $0.contains("{nfcpy}") } || file.contains("TAPSIM_NFCPY")
        guard !isToldPath else { return Finding("client", .fine, "\(name) uses nfcpy and is given its path") }
        let advice = "take the path as an argument and pass {nfcpy}, or open TAPSIM_NFCPY and run with --door nfcpy"
        guard file.contains("'usb") || file.contains("\"usb") else {
            return Finding("client", .note, "\(name) uses nfcpy", advice: advice)
        }
        return Finding(
            "client", .trouble, "\(name) opens nfcpy's 'usb', a reader on the USB bus, where no virtual one is",
            advice: advice)
    }

    private func findings(_ name: String, depth: Int) -> [Finding] {
        guard let file = FileLook.program(name) else {
            return [Finding("client", .trouble, "there is no program \(name)", advice: "check its path")]
        }
        if let wrapper = wrapper(name) { return [wrapper] }
        if file.path.hasPrefix("/snap/") || file.path.hasSuffix("/bin/snap") {
            return [
                Finding(
                    "client", .trouble, "\(name) is a snap, which sees another /tmp and only the system's pcscd",
                    advice: "install it in another way")
            ]
        }
        let rights = file.givesRights ? [privileged(file)] : []
        if let interpreter = Self.interpreter(of: file), depth < Self.mostInterpreters {
            let script = Finding("client", .fine, "\(name) is a script for \(interpreter)")
            return rights + [script] + findings(interpreter, depth: depth + 1)
        }
        return rights + [linkage(name, file)]
    }

    private func wrapper(_ name: String) -> Finding? {
        let base = name.split(separator: "/").last.map(String.init) ?? name
        guard let advice = Self.wrappers[base] else { return nil }
        let passes = words.contains { $0.contains("PCSCLITE_CSOCK_NAME") || $0 == "-E" || $0 == "--preserve-env" }
        guard !passes else {
            return Finding(
                "client", .note, "\(base) is told to pass variables on", advice: "check its client by itself")
        }
        return Finding("client", .trouble, "\(base) drops PCSCLITE_CSOCK_NAME", advice: "use \(advice)")
    }

    private func privileged(_ file: FileLook) -> Finding {
        guard library.ignoresVariableOfPrivileged else {
            return Finding(
                "client", .note, "\(file.path) is set-user-ID or set-group-ID",
                advice: "the libpcsclite here heeds the variable all the same; from 2.0 on it does not")
        }
        return Finding(
            "client", .trouble, "\(file.path) is set-user-ID or set-group-ID, so libpcsclite ignores the variable",
            advice: "run it as the user it becomes, or a copy without the bit")
    }

    private func linkage(_ name: String, _ file: FileLook) -> Finding {
        guard !file.readsByPhone else {
            return Finding(
                "client", .note, "\(name) is built on VirtualCoreNFC, which needs no reader and opens no door",
                advice: "start it with TAPSIM_CARD=suica and steer it with tapsim ctl, or drive it from tests")
        }
        guard let program = ELFProgram(file) else {
            return Finding("client", .note, "\(name) is no program that can be looked into", advice: "try it")
        }
        guard program.isDynamic else {
            return Finding(
                "client", .note, "\(name) is linked statically and brings its own PC/SC, if any",
                advice: "it works if that reads PCSCLITE_CSOCK_NAME; else give --socket the path it has built in")
        }
        guard !program.isOnLibnfc else {
            return Finding("client", .fine, "\(name) is linked to libnfc, which finds its PN532 by LIBNFC_DEVICE")
        }
        guard program.libraries.contains(where: { $0.hasPrefix("libpcsclite") }) else {
            return Finding(
                "client", .note, "\(name) does not name libpcsclite itself; a library it loads may",
                advice: "tapsim run tells whether it opened a reader")
        }
        return Finding("client", .fine, "\(name) is linked to libpcsclite")
    }

    /// The program that a script names in its first line.
    private static func interpreter(of file: FileLook) -> String? {
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
    /// Whether it asks for libnfc.
    fileprivate var isOnLibnfc: Bool { libraries.contains { $0.hasPrefix("libnfc.so") } }
}
