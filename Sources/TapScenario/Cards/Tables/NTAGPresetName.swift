import TapCards

/// The presets of an NTAG in the words of files.
enum NTAGPresetName: String, CaseIterable {
    case blank, clone, amiibo
    case protected
    case writeProtected = "write_protected"
    case lockedForEver = "locked_for_ever"
    case foreignCapabilityContainer = "foreign_capability_container"
    case emptyCapabilityContainer = "empty_capability_container"
    case overlongTLV = "overlong_tlv"
    case unknownTLV = "unknown_tlv"
    case missingTerminator = "missing_terminator"

    /// The preset.
    var preset: NTAGPreset {
        switch self {
        case .blank: .genuineBlank
        case .clone: .fudanLikeClone
        case .amiibo: .amiiboStyle
        case .protected: .protected
        case .writeProtected: .writeProtected
        case .lockedForEver: .lockedForEver
        case .foreignCapabilityContainer: .foreignCapabilityContainer
        case .emptyCapabilityContainer: .emptyCapabilityContainer
        case .overlongTLV: .overlongTLV
        case .unknownTLV: .unknownTLV
        case .missingTerminator: .missingTerminator
        }
    }
}
