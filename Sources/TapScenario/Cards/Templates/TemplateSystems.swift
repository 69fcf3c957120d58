import TapCards

extension CardDecoder {
    /// The systems that a template fills in; none without one.
    mutating func systems(of template: CardTemplate?) -> [FeliCaSystemDefinition] { [] }
}
