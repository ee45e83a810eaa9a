/// Makes `multipartdemux` show its first part at once. A camera's parts are all of one kind; otherwise decodebin waits
/// for others until a queue of 2 MB is full.
func showAtOnce(_ demuxer: Element) {
    demuxer.set("single-stream", to: true)
}
