/// A process of this machine, as `/proc` shows it.
///
/// Source: proc(5), /proc/PID/stat: NUMBER (NAME) STATE PARENT GROUP SESSION …, where the name may hold anything.
struct ProcessEntry: Hashable {
    private static let maximumLine = 4096

    let number: Int32
    let name: String
    let state: UInt8
    let parent: Int32
    let group: Int32

    /// The processes there are; none where the system has no `/proc`.
    static var all: [ProcessEntry] {
        (Folder.names(in: "/proc") ?? []).compactMap(Int32.init).compactMap { ProcessEntry(at: "/proc/\($0)") }
    }

    /// Whether a thread of it wants a processor or waits for a disk.
    var isBusy: Bool {
        let threads = Folder.names(in: "/proc/\(number)/task") ?? []
        return threads.contains {
            ProcessEntry(at: "/proc/\(number)/task/\($0)").map { "RD".utf8.contains($0.state) } ?? false
        }
    }

    private init?(at folder: String) {
        guard let line = try? FileContent.bytes(of: "\(folder)/stat", upTo: Self.maximumLine),
            let open = line.firstIndex(of: UInt8(ascii: "(")), let close = line.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = line[(close + 1)...].split(separator: UInt8(ascii: " ")).prefix(3).map(Array.init)
        guard fields.count == 3, let number = Int32(Self.text(line[..<open].dropLast())),
            let parent = Int32(Self.text(fields[1][...])), let group = Int32(Self.text(fields[2][...])), open < close
        else { return nil }
        self.number = number
        name = Self.text(line[(open + 1)..<close])
        state = fields[0][0]
        (self.parent, self.group) = (parent, group)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
