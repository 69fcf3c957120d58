import TapSystem
import TapField

/// The user's browser.
enum Browser {
    #if canImport(Darwin)
        private static let program = "open"
        private static let script = "open \"$0\""
    #else
        private static let program = "xdg-open"
        // In its own session, since the browser keeps running after the command has ended.
        private static let script =
            "command -v xdg-open >/dev/null || exit 127; setsid xdg-open \"$0\" </dev/null >/dev/null 2>&1 &"
    #endif
    private static let patience = Duration.seconds(10)

    static func open(_ path: String, in surroundings: Surroundings) throws(VerbError) {
        let command = ClientCommand(["/bin/sh", "-c", script, path], in: surroundings)
        let outcome = try? ClientProcess.run(command, limits: ClientLimits(wall: patience))
        guard outcome?.end == .exit(0) else {
            throw VerbError(.environment, "\(program) could not open the page; open \(path) in a browser")
        }
    }
}
