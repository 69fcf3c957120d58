import TapReport
import TapSystem

/// The ZIP file with the pages and traces of a run, for someone else: `--report`.
struct RunArchive {
    static let option = Option.value(
        "--report", "FILE", "Also pack the index, pages and traces into FILE, a .zip"
    ).in(.output)

    let path: String
    private let working: WorkingFolder

    init?(_ arguments: Arguments, in working: WorkingFolder) throws(UsageError) {
        guard let path = arguments.value("--report") else { return nil }
        guard path.lowercased().hasSuffix(".zip") else {
            throw UsageError("`--report` writes a ZIP file, so `\(path)` must end in .zip")
        }
        guard try RunFolder.Policy(arguments) != .off else {
            throw UsageError("`--report` packs what is kept, and `--trace off` keeps nothing; omit one of them")
        }
        self.path = path
        self.working = working
    }

    /// Reports an unsuitable path before the first case.
    ///
    /// The report of an earlier run stays until this one replaces it.
    func begin() throws(VerbError) {
        try checkTarget()
        try working.checkWritable(path)
    }

    /// Replaces an earlier report, but no other file, and nothing through a link.
    ///
    /// - Parameter files: The files of the run, the index first.
    func write(_ files: [(path: String, bytes: [UInt8])]) throws(VerbError) {
        try checkTarget()
        var archive = ZIPFile()
        do throws(ZIPFile.TooLarge) {
            for file in files { try archive.add(file.path, file.bytes) }
        } catch {
            throw VerbError(.usage, "`--report`: the run is too large for a ZIP file; select cases with `--case`")
        }
        try working.replace(path, with: archive.bytes)
    }

    private func checkTarget() throws(VerbError) {
        if let target = working.target(ofLink: path) {
            throw VerbError(.usage, "`--report`: \(path) is a symbolic link to \(target); name a file")
        }
        guard case .file(let file, let status) = try OutputTarget(path, in: working) else {
            throw VerbError(.usage, "`--report`: \(path) is a pipe or a device; name a file")
        }
        guard status == nil || Self.isReport(file) else {
            throw VerbError(
                .usage, "`--report`: \(path) exists and is not the report of a run; name another file, or remove it")
        }
    }

    /// The number of bytes in which a report shows that TapSim wrote it.
    private static let headSize = 1 << 10

    private static func isReport(_ file: String) -> Bool {
        guard let start = try? FileContent.bytes(of: file, upTo: headSize) else { return false }
        let index = ZIPFile.content(of: start, beginningWith: RunFolder.indexPage)
        return start.isEmpty || index.map { String(decoding: $0, as: UTF8.self).contains(RunIndex.mark) } ?? false
    }
}
