import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The preload library of umockdev, which shows a program a folder in place of `/sys` and parts of `/dev`.
struct PreloadLibrary: Sendable {
    /// The variable that names the library if it is not in a standard folder.
    static let variable = "TAPSIM_UMOCKDEV"
    private static let file = "libumockdev-preload.so.0"
    /// The first version that works with current C libraries; older versions show no device.
    private static let oldest = "0.17.13"
    /// The folders in which distributions install libraries: Debian's and Ubuntu's by architecture, Fedora, Arch and Alpine.
    private static let folders: [String] = {
        #if arch(arm64)
            let architecture = "aarch64"
        #else
            let architecture = "x86_64"
        #endif
        return [
            "/usr/lib/\(architecture)-linux-gnu", "/lib/\(architecture)-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib",
            "/usr/local/lib",
        ]
    }()

    let path: String

    /// - Throws: ``USBTransportError`` if the library is missing, or the system is not Linux.
    static func find() throws(USBTransportError) -> PreloadLibrary {
        #if os(Linux)
            let paths = ProcessEnvironment[variable].map { [$0] } ?? folders.map { "\($0)/\(file)" }
            guard let path = paths.first(where: FileContent.isRegular) else {
                throw USBTransportError(
                    "USB readers need \(file), umockdev's preload library"
                        + (paths.count == 1 ? ", but \(paths[0]) is not a file" : "")
                        + "; on Debian and Ubuntu: apt install umockdev, on Fedora: dnf install umockdev; "
                        + "or set \(variable) to its path")
            }
            guard !path.contains(where: { $0 == ":" || $0 == " " }) else {
                throw USBTransportError(
                    "the loader cannot preload \(path), since the path contains a space or a colon; move the library")
            }
            return PreloadLibrary(path: path)
        #else
            throw USBTransportError("USB readers need Linux; run the program's tests in a Linux container")
        #endif
    }

    private static let testLimit = Duration.seconds(10)
    /// The paths of libraries that passed the check.
    private static let working = Lock<Set<String>>([])

    /// Checks that a small program sees a reader on the bus and reads its descriptors, once for each library.
    ///
    /// - Throws: ``USBTransportError`` if it does not.
    func check(_ variables: [(name: String, value: String)], sees slot: USBSlot?) throws(USBTransportError) {
        guard let slot, !Self.working.withLock({ $0.contains(path) }) else { return }
        let environment = Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
        let command = ClientCommand(["cat"] + slot.samples, environment: environment)
        let outcome: ClientOutcome
        do {
            outcome = try ClientProcess.run(command, limits: ClientLimits(wall: Self.testLimit))
        } catch {
            throw USBTransportError("cannot check the USB bus: \(error)")
        }
        guard outcome.end == .exit(0), outcome.standardOutput.bytes == slot.sampleContents else {
            throw USBTransportError(
                "a program that preloads \(path) does not see the readers; install umockdev \(Self.oldest) or newer"
                    + (outcome.standardError.text.isEmpty ? "" : ": \(outcome.standardError.text)"))
        }
        Self.working.withLock { _ = $0.insert(path) }
    }
}
