import TapSystem

/// Checks whether a program's file rules out access to the virtual USB.
enum USBObstacle {
    /// Returns the reason why the program cannot see the bus, and what to do; `nil` if no reason is known.
    ///
    /// - Parameter words: The program and its arguments; scripts are followed to their interpreters.
    static func sentence(for words: [String], in surroundings: Surroundings) -> String? {
        var name = words[0]
        for _ in 0...ClientFindings.mostInterpreters {
            guard let file = FileLook(program: name, in: surroundings) else { return nil }
            if let trouble = trouble(name, file) { return trouble }
            guard let next = ClientFindings.interpreter(of: file) else { return nil }
            name = next
        }
        return nil
    }

    private static func trouble(_ name: String, _ file: FileLook) -> String? {
        if file.path.hasPrefix("/snap/") || file.path.hasSuffix("/bin/snap") {
            return
                "\(name) is a snap, which starts without the variables and sees a different /tmp; install it another way"
        }
        if file.givesRights {
            return "\(name) is set-user-ID or set-group-ID, so the loader preloads nothing into it; "
                + "run it as the user it becomes, or a copy without the bit"
        }
        guard let program = ELFProgram(file) else { return nil }
        if !program.isForThisMachine {
            return "\(name) is built for another processor, unlike the library that shows it the readers; "
                + "use a tapsim built for that processor"
        }
        if !program.isDynamic {
            return "\(name) is linked statically, so the loader cannot show it the readers; link it to the C library "
                + "(with Go: CGO_ENABLED=1 and gousb)"
        }
        return nil
    }
}
