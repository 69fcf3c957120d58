import TapWire

/// What a FeliCa Standard card is made of: a plain value to be filled in and then compiled into a ``FeliCaTemplate``.
///
/// Anything can be written here; the template says what no card can be.
/// Source: FeliCa Card User's Manual, excerpted edition, "file system".
public struct FeliCaCardDefinition: Hashable, Sendable {
    /// IDm of system 0; other systems take it with their number in the upper digit, unless they have their own.
    public var idm: IDm
    /// PMm, the same for all systems.
    public var pmm: PMm
    /// Limits and switches of the chip.
    public var profile: FeliCaProfile
    /// The systems from system 0 upward.
    public var systems: [FeliCaSystemDefinition]
    /// The container of a phone; a card without one is silent to the container commands.
    public var container: FeliCaContainer?
    /// What Request Product Information reports.
    public var productInformation: RequestProductInformation.Information
    /// What Request Specification Version reports.
    public var specificationVersion: RequestSpecificationVersion.Versions
    /// What Get System Status reports.
    public var systemStatus: GetSystemStatus.Status
    /// How many Write commands the memory takes before it warns, or nothing where it never does.
    public var rewriteLimit: UInt32?

    /// Creates a card of systems, with the reports of a chip of specification 5.0.0 that says nothing else.
    public init(idm: IDm, pmm: PMm, profile: FeliCaProfile = FeliCaProfile(), systems: [FeliCaSystemDefinition]) {
        self.idm = idm
        self.pmm = pmm
        self.profile = profile
        self.systems = systems
        productInformation = RequestProductInformation.Information()
        specificationVersion = RequestSpecificationVersion.Versions(basic: .init(0x8500))
        systemStatus = GetSystemStatus.Status()
    }
}
