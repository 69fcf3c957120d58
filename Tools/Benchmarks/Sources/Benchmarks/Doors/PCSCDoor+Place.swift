#if os(Linux)
    import TapDoors

    extension PCSCDoor {
        /// Where a client finds the first reader: its name, and the socket of the service.
        var place: (reader: String, socket: String) {
            guard let reader = readerName(0), let socket = environment.first?.value else {
                fail("the door has no reader")
            }
            return (reader, socket)
        }
    }
#endif
