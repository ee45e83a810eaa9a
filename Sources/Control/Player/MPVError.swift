/// The errors of mpv's IPC. The raw value is the text in the reply's `error` member.
///
/// The words are those of mpv's client API (`mpv_error_string`, API version 2.0).
public enum MPVError: String, Error, Sendable {
    case eventQueueFull = "event queue full"
    case invalidParameter = "invalid parameter"
    case propertyNotFound = "property not found"
    case unsupportedPropertyFormat = "unsupported format for accessing property"
    case propertyUnavailable = "property unavailable"
    case errorAccessingProperty = "error accessing property"
    case errorRunningCommand = "error running command"
    case loadingFailed = "loading failed"
    case audioOutputInitializationFailed = "audio output initialization failed"
    case videoOutputInitializationFailed = "video output initialization failed"
    case nothingToPlay = "no audio or video data played"
    case unrecognizedFormat = "unrecognized file format"
    case notSupported = "not supported"
    case notImplemented = "operation not implemented"
}
