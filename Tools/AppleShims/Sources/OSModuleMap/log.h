// Empty: everything is in the Swift module of the same name.
