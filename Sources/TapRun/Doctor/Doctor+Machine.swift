import TapDoors
import TapField
import TapPCSC
import TapScenario

extension Doctor {
    /// What kind of system it is, and whether something between us and it drops variables.
    static var platform: [Finding] {
        var findings: [Finding] = []
        #if canImport(Darwin)
            findings.append(
                Finding(
                    "platform", .trouble, "the PC/SC framework of macOS has its own service and ignores the variable",
                    advice: "run PC/SC clients on Linux or in a container, or use another door"))
        #endif
        if FileLook("/.flatpak-info") != nil {
            findings.append(
                Finding(
                    "flatpak", .trouble, "this is inside a Flatpak, which sets PCSCLITE_CSOCK_NAME itself",
                    advice: "run tapsim and the client outside of it"))
        }
        if ProcessEnvironment["SNAP"] != nil {
            findings.append(
                Finding(
                    "snap", .note, "this is inside a snap, which may see another /tmp than the client",
                    advice: "run tapsim outside of it, or give --socket a path that both see"))
        }
        return findings
    }

    /// Whether libpcsclite is there, and how it treats the variable.
    static func library(_ facts: LibraryFacts) -> [Finding] {
        if let problem = facts.problem { return [Finding("library", .trouble, problem.description)] }
        let version = facts.version.map { " \($0)" } ?? ", of unknown version,"
        let place = facts.file.map { ": \($0.path)" } ?? ""
        let is_ = Finding("library", .fine, "libpcsclite\(version) is installed\(place)")
        guard facts.ignoresVariableOfPrivileged else { return [is_] }
        return [
            is_,
            Finding(
                "library", .note, "it ignores the variable in programs that are set-user-ID or have capabilities",
                advice: "run such a client as the user it becomes, or without the bit"),
        ]
    }

    /// Whether sockets have room in the temporary directory.
    static var places: [Finding] {
        let parent = PrivateDirectory.parent
        do {
            try PrivateDirectory().remove()
            let folder = try PrivateDirectory(forSocket: PCSCDoor.socketName)
            defer { folder.remove() }
            let text =
                folder.path.hasPrefix(parent + "/")
                ? "\(parent) takes private sockets"
                : "sockets go to /tmp, since their paths in \(parent) would be longer than the "
                    + "\(ControlServer.maximumPathLength) bytes allowed"
            return [Finding("temporary directory", .fine, text)]
        } catch {
            return [
                Finding(
                    "temporary directory", .trouble, "\(error)",
                    advice: "set TMPDIR to a folder that this user may write to")
            ]
        }
    }

    /// Whether the system has pseudo-terminals, for clients of libnfc.
    static var terminals: Finding {
        do {
            let host = FieldHost(World(seed: 0))
            let door = try LibnfcDoor(host: host)
            host.close()
            door.close()
            return Finding("terminals", .fine, "clients of libnfc find a PN532 on a pseudo-terminal")
        } catch {
            return Finding(
                "terminals", .note, "clients of libnfc find no device: \(error)", advice: "mount devpts at /dev/pts")
        }
    }

    /// The service of the system, which a client meets that is not given the variable.
    static var system: [Finding] {
        let socket = ["/run/pcscd/pcscd.comm", "/var/run/pcscd/pcscd.comm"].first { ControlClient.isAnswered($0) }
        let service =
            socket.map {
                Finding(
                    "pcscd", .note, "a PC/SC service of the system listens at \($0)",
                    advice: "a client that is not given the variables reaches its readers, real ones perhaps")
            } ?? Finding("pcscd", .fine, "no PC/SC service of the system runs, and none is needed")
        let driver = ["/usr/lib/pcsc/drivers/serial/libifdvpcd.so", "/usr/lib64/pcsc/drivers/serial/libifdvpcd.so"]
            .first { FileLook($0) != nil }
        let vpcd =
            driver.map {
                Finding(
                    "vpcd", .note, "pcscd's driver vpcd is installed: \($0)",
                    advice: "clients that insist on the system's service are served with --door vpcd")
            }
            ?? Finding(
                "vpcd", .note, "pcscd's driver vpcd is not installed",
                advice: "only clients that insist on the system's service need it: apt install vsmartcard-vpcd")
        return [service, vpcd]
    }
}
