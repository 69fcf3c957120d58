#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A hold on a folder, which ends with this process at the latest: who gets one of a folder knows that nobody else has.
final class FolderHold: Sendable {
    private let descriptor: Descriptor

    /// Takes hold of a folder of this user; nothing where another process has it, or there is no such folder.
    init?(_ path: String) {
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_uid == geteuid() else { return nil }
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }
}
