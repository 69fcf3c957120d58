import TapDocument
import TapTransports
import TapHost
import TapSystem
import TapField
import TapPCSC
import TapReaders
import TapReport
import TapWire

/// Checks whether programs on this machine can access virtual cards through PC/SC, and finds the reason if not.
public struct Doctor: OutputModel, Sendable {
    /// The findings, most important first.
    public let findings: [DoctorFinding]
    private let otherLibrary: String?

    /// - Parameter client: A program and its arguments to examine; it is not run.
    public init(client: [String]? = nil, in surroundings: Surroundings = Surroundings()) {
        let library = LibraryFacts()
        let looked = client.map { ClientFindings($0, in: surroundings, library) }
        otherLibrary = looked?.otherLibrary
        let pcsc = Self.platform + Self.library(library) + [PrivateServiceProbe.finding]
        findings =
            (otherLibrary == nil ? pcsc : pcsc.map(\.asNote)) + Self.places + [Self.terminals, Self.ports, Self.bus]
            + Self.system + (looked?.all ?? [])
    }

    /// A Boolean value that indicates whether PC/SC works, or the library that the client uses instead.
    public var works: Bool { !findings.contains { $0.weight == .trouble } }

    public var summary: String {
        guard !works else { return "\(otherLibrary ?? "PC/SC") clients reach virtual cards here" }
        return findings.contains { $0.weight == .trouble && $0.topic != "client" }
            ? "PC/SC clients cannot reach virtual cards here; clients of nfcpy and libnfc, and clients in the same process, can"
            : "\(otherLibrary ?? "PC/SC") clients reach virtual cards here, but this one does not"
    }

    package static let output = OutputTable<Self>(
        "doctor-document", "The findings of doctor",
        .always("works", "Whether PC/SC clients reach virtual cards", \.works),
        .always("findings", "The findings", \.findings))
}

/// A finding of `tapsim doctor` about a machine or a program.
public struct DoctorFinding: OutputModel, Hashable, Sendable {
    public enum Weight: String, Hashable, Sendable, CaseIterable, OutputValue {
        case fine
        /// Works, with something to know.
        case note
        /// Prevents PC/SC from working.
        case trouble
    }

    /// The topic, a keyword for programs.
    public let topic: String
    public let weight: Weight
    /// The finding, a sentence without a full stop.
    public let found: String
    public let advice: String?

    init(_ topic: String, _ weight: Weight, _ found: String, advice: String? = nil) {
        self.topic = topic
        self.weight = weight
        self.found = found
        self.advice = advice
    }

    /// The finding for a client that does not need PC/SC.
    var asNote: DoctorFinding { weight == .trouble ? DoctorFinding(topic, .note, found, advice: advice) : self }

    public func lines(_ style: TerminalStyle) -> [String] {
        let mark =
            switch weight {
            case .fine: style.success("ok  ")
            case .note: "note"
            case .trouble: style.severity("FAIL", .error)
            }
        let text = ["  \(mark)  \(PrintableText.visible(found))"]
        return text + (advice.map { ["        \(PrintableText.visible($0))"] } ?? [])
    }

    package static let output = OutputTable<Self>(
        "machine-finding", "A finding about the machine",
        .always("topic", "The topic, a keyword", \.topic),
        .always("weight", "Whether it prevents PC/SC from working", \.weight),
        .always("found", "The finding", \.found), .maybe("advice", "What to do", \.advice))
}

extension Doctor {
    /// Findings about the system, and about sandboxes that drop variables.
    static var platform: [DoctorFinding] {
        var findings: [DoctorFinding] = []
        #if canImport(Darwin)
            findings.append(
                DoctorFinding(
                    "platform", .trouble, "the PC/SC framework of macOS has its own service and ignores the variable",
                    advice: "run PC/SC clients on Linux or in a container, or use another transport"))
        #endif
        if FileLook("/.flatpak-info") != nil {
            findings.append(
                DoctorFinding(
                    "flatpak", .trouble, "tapsim runs inside a Flatpak, which sets PCSCLITE_CSOCK_NAME itself",
                    advice: "run tapsim and the client outside of it"))
        }
        if ProcessEnvironment["SNAP"] != nil {
            findings.append(
                DoctorFinding(
                    "snap", .note, "tapsim runs inside a snap, which may see a different /tmp from the client",
                    advice: "run tapsim outside of it, or give --socket a path that both see"))
        }
        return findings
    }

    static func library(_ facts: LibraryFacts) -> [DoctorFinding] {
        if let problem = facts.problem { return [DoctorFinding("library", .trouble, problem.description)] }
        let version = facts.version.map { " \($0)" } ?? ", of unknown version,"
        let place = facts.file.map { ": \($0.path)" } ?? ""
        let is_ = DoctorFinding("library", .fine, "libpcsclite\(version) is installed\(place)")
        guard facts.ignoresVariableOfPrivileged else { return [is_] }
        return [
            is_,
            DoctorFinding(
                "library", .note, "it ignores the variable in programs that are set-user-ID or have capabilities",
                advice: "run such a client as the user it becomes, or without the bit"),
        ]
    }

    static var places: [DoctorFinding] {
        let parent = PrivateDirectory.parent
        do {
            try PrivateDirectory().remove()
            let folder = try PrivateDirectory(forSocket: PCSCTransport.socketName)
            defer { folder.remove() }
            let text =
                folder.path.hasPrefix(parent + "/")
                ? "private sockets can be created in \(parent)"
                : "sockets go to /tmp, because their paths in \(parent) would be longer than the "
                    + "\(ControlServer.maximumPathLength) bytes allowed"
            return [DoctorFinding("temporary directory", .fine, text)]
        } catch {
            return [
                DoctorFinding(
                    "temporary directory", .trouble, "\(error)",
                    advice: "set TMPDIR to a folder that this user may write to")
            ]
        }
    }

    static var terminals: DoctorFinding {
        do {
            let host = FieldHost(World(seed: 0))
            let transport = try LibnfcTransport(host: host)
            host.close()
            transport.close()
            return DoctorFinding("terminals", .fine, "clients of libnfc find a PN532 on a pseudo-terminal")
        } catch {
            return DoctorFinding(
                "terminals", .note, "clients of libnfc find no device: \(error)", advice: "mount devpts at /dev/pts")
        }
    }

    /// A finding on whether the system reveals whose program connects to a port.
    static var ports: DoctorFinding {
        let host = FieldHost(World(seed: 0))
        defer { host.close() }
        do {
            try PortTransport.pn532(host: host).close()
            return DoctorFinding("ports", .fine, "readers at ports of 127.0.0.1 serve programs of this user")
        } catch {
            return DoctorFinding(
                "ports", .note, "readers at ports cannot be used: \(error)", advice: "mount proc at /proc")
        }
    }

    /// A finding on whether programs find readers on USB, by creating and trying a bus.
    static var bus: DoctorFinding {
        let host = FieldHost(World(seed: 0))
        defer { host.close() }
        do {
            try USBTransport(host: host, readers: [(0, .usbDefault)]).close()
            return DoctorFinding("usb", .fine, "programs find readers on a virtual USB, with --transport usb")
        } catch {
            return DoctorFinding("usb", .note, "\(error)", advice: "only readers on USB and WebUSB need it")
        }
    }

    /// Findings about the system's service, which a client without the variable reaches.
    static var system: [DoctorFinding] {
        let socket = PCSCRelay.systemPaths.first { ControlClient.isAnswered($0) }
        let service =
            socket.map {
                DoctorFinding(
                    "pcscd", .note, "the system's PC/SC service listens at \($0)",
                    advice: "a client without the variables reaches its readers, which may be real")
            } ?? DoctorFinding("pcscd", .fine, "the system runs no PC/SC service, and none is needed")
        let driver = ["/usr/lib/pcsc/drivers/serial/libifdvpcd.so", "/usr/lib64/pcsc/drivers/serial/libifdvpcd.so"]
            .first { FileLook($0) != nil }
        let vpcd =
            driver.map {
                DoctorFinding(
                    "vpcd", .note, "pcscd's driver vpcd is installed: \($0)",
                    advice: "use --transport vpcd for clients that insist on the system's service")
            }
            ?? DoctorFinding(
                "vpcd", .note, "pcscd's driver vpcd is not installed",
                advice: "only clients that insist on the system's service need it: apt install vsmartcard-vpcd")
        return [service, vpcd]
    }
}

/// Finds a virtual reader through libpcsclite and the variable, as a client does.
enum PrivateServiceProbe {
    static var finding: DoctorFinding {
        let host = FieldHost(World(seed: 0))
        defer { host.close() }
        do {
            let transport = try PCSCTransport(host: host, readers: [ReaderModel.default.makeReader()])
            defer { transport.close() }
            guard let variable = transport.environment.first else { return trouble("the service has no path") }
            ProcessEnvironment.set(variable.name, to: variable.value)
            let names = try PCSCReaders.list(PCSCLibrary()).map(\.name)
            guard let name = names.first, names.count == 1 else {
                return trouble("a client of a private service finds \(names.count) readers instead of one")
            }
            return DoctorFinding("service", .fine, "a client of a private service finds its reader, \(name)")
        } catch {
            return trouble("a client cannot use a private service: \(error)")
        }
    }

    private static func trouble(_ text: String) -> DoctorFinding {
        DoctorFinding(
            "service", .trouble, text, advice: "see the other findings; if all are fine, report this with them")
    }
}

struct LibraryFacts {
    /// The reason why the library cannot be used; `nil` if it can.
    let problem: PCSCLibraryError?
    let file: FileLook?
    /// The version of its package, if a package manager knows it.
    let version: String?
    /// A Boolean value that indicates whether the library ignores the variable in programs with more rights than their user,
    /// as versions from 2.0 on do.
    let ignoresVariableOfPrivileged: Bool

    init() {
        do {
            let library = try PCSCLibrary()
            problem = nil
            file = withExtendedLifetime(library) { Self.loadedFile }
        } catch {
            problem = error
            file = nil
        }
        version = problem == nil ? Self.packageVersion() : nil
        ignoresVariableOfPrivileged = file?.contains("secure_getenv") ?? false
    }

    /// The file that the loader chose.
    ///
    /// Source: proc(5), /proc/PID/maps.
    private static var loadedFile: FileLook? {
        let maps = FileLook("/proc/self/maps")?.bytes(at: 0, count: 1 << 20) ?? []
        let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
        let path = lines.lazy.compactMap { line in line.firstIndex(of: "/").map { line[$0...] } }
            .first { $0.contains("/libpcsclite.so") }
        return path.flatMap { FileLook(String($0)) }
    }

    private static func packageVersion() -> String? {
        let questions = [
            ["dpkg-query", "-W", "-f", "${Version}", "libpcsclite1"],
            ["rpm", "-q", "--queryformat", "%{VERSION}", "pcsc-lite-libs"],
            ["pkg-config", "--modversion", "libpcsclite"],
        ]
        for question in questions {
            let outcome = try? ClientProcess.run(ClientCommand(question), limits: ClientLimits(wall: .seconds(5)))
            guard let outcome, outcome.end == .exit(0) else { continue }
            let version = outcome.standardOutput.text.prefix { !$0.isWhitespace }
            if !version.isEmpty { return String(version) }
        }
        return nil
    }
}
