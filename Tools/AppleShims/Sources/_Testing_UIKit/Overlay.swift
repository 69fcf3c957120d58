// Empty: the compiler asks for a module of this name in every file that imports Testing and UIKit, since on Apple
// platforms it lets images be attachments.
