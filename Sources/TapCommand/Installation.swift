import TapDocument
import TapSystem

/// The source from which the running tapsim was installed, so that a CI service can install the same.
enum Installation: Hashable {
    /// A wheel at a URL.
    case address(String)
    /// A wheel on this machine.
    case wheel(String)
    /// Another or an unknown source: built, unpacked, a system package, or a package name in an index. A name is not enough,
    /// since another index may give it to somebody else's package.
    case other

    /// The installation of this process.
    static var own: Installation {
        guard let program = RealPath.of("/proc/self/exe"), let record = record(above: program) else { return .other }
        return read(record)
    }

    /// The folder `tapsim-VERSION.dist-info` that pip wrote next to the package's modules.
    private static func record(above program: String) -> String? {
        var folder = program
        for _ in 0..<4 {
            folder = parent(of: folder)
            let libraries = (Folder.names(in: "\(folder)/lib") ?? []).filter { $0.hasPrefix("python") }
            for place in [folder] + libraries.map({ "\(folder)/lib/\($0)/site-packages" }) {
                let names = Folder.names(in: place) ?? []
                if let name = names.first(where: { $0.hasPrefix("tapsim-") && $0.hasSuffix(".dist-info") }) {
                    return "\(place)/\(name)"
                }
            }
        }
        return nil
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// Reads `direct_url.json`, which exists unless the package came from an index (PEP 610).
    private static func read(_ record: String) -> Installation {
        var diagnostics = Diagnostics()
        guard let file = try? WorkingFolder().load("\(record)/direct_url.json"),
            let address = JSONReader().read(file, into: &diagnostics)?["url"]?.text
        else { return .other }
        let scheme = "file://"
        guard address.hasPrefix(scheme) else { return .address(address) }
        let path = percentDecoded(address.dropFirst(scheme.count))
        return path.hasSuffix(".whl") && FileContent.isRegular(path) ? .wheel(path) : .other
    }

    private static func percentDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
