/// The shape of Apple's Core NFC where the framework does not exist: on Linux and on a Mac.
@_exported import VirtualCoreNFC
