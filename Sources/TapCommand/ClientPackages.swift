import TapSystem

/// The Debian and Ubuntu packages that a client needs in CI, as far as its files show.
enum ClientPackages {
    /// System packages that pip does not install: pyscard is compiled on Linux, and the others load the system's libusb.
    private static let ofRequirements = [
        "pyscard": ["gcc", "libc6-dev", "libpcsclite-dev", "swig"], "nfcpy": ["libusb-1.0-0"],
        "libusb1": ["libusb-1.0-0"], "pyusb": ["libusb-1.0-0"],
    ]

    /// The packages for building a program, by the libraries that it loads.
    private static let ofLibraries = [
        ("libfreefare.so.", "libfreefare-dev"), ("libnfc.so.", "libnfc-dev"), ("libpcsclite.so.", "libpcsclite-dev"),
        ("libusb-1.0.so.", "libusb-1.0-0-dev"),
    ]
    private static let forBuilding = ["build-essential", "pkg-config"]

    private static let longestRequirements = 1 << 20
    private static let longestProgram = 64 << 20

    /// The packages for the requirements that a `requirements.txt` lists.
    static func named(inRequirements path: String, in folder: WorkingFolder) -> [String] {
        guard let bytes = try? folder.bytes(of: path, upTo: longestRequirements) else { return [] }
        let names = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
            // The name ends where extras, a version, a marker or a comment begins (PEP 508).
            String(line.drop(while: \.isWhitespace).prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) })
                .lowercased()
        }
        return Set(names.flatMap { ofRequirements[$0] ?? [] }).sorted()
    }

    /// The packages for building a program from source.
    static func building(_ program: String, in folder: WorkingFolder) -> [String] {
        guard let bytes = try? folder.bytes(of: program, upTo: longestProgram) else { return [] }
        let libraries = ofLibraries.filter { bytes.contains(Array($0.0.utf8)) }.map(\.1)
        return libraries.isEmpty ? [] : forBuilding + libraries
    }

    /// The package that provides a program found in `PATH`, if this machine has it from one.
    static func providing(_ program: String, in surroundings: Surroundings) -> String? {
        surroundings.program(program).flatMap(RealPath.of).flatMap(ProgramPackage.debianName)
    }
}
