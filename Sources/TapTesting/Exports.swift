// The traits say where they stand by a macro of Testing, also in files of XCTest, which do not import it.
@_exported import Testing
