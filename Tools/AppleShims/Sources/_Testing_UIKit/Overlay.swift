// Empty: the compiler looks for a module of this name in every file that imports Testing and UIKit, since on Apple platforms it
// allows images as attachments.
