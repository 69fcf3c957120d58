import TapWire

// Commands about the container of a phone; a card without one is silent.

extension FeliCaCard {
    func answerContainerIssueInformation(into buffer: inout FrameBuffer) {
        guard let container = template.definition.container else { return }
        GetContainerIssueInformation.Response(idm: system.idm, information: container.issueInformation)
            .write(into: &buffer)
    }

    /// Returns a property; to an index without one a card is silent, which is inferred.
    func answerContainerProperty(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) {
        let index = Int(GetContainerProperty.Request(unchecked: frame).index)
        guard let container = template.definition.container, index < container.properties.count else { return }
        GetContainerProperty.Response(data: container.properties[index]).write(into: &buffer)
    }

    func answerContainerID(into buffer: inout FrameBuffer) {
        guard let container = template.definition.container else { return }
        GetContainerID.Response(containerIDm: container.idm).write(into: &buffer)
    }
}
