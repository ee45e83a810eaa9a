import NIOCore
import NIOExtras

/// Ends a connection that exceeds its bounds, so that no client can fill the player's memory.
///
/// A client with more than ``IPCServer/outputBound`` of unread output is disconnected; its largest message, a playlist
/// perhaps, does not count. A line longer than ``IPCServer/lineBound`` is answered with an error, then the connection
/// ends: the start of the next line cannot be found without reading on.
final class ConnectionBounds: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The client's unread bytes, and those of the largest message since there were none.
    private var waiting = 0
    private var largest = 0

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let size = Self.unwrapOutboundIn(data).readableBytes
        guard waiting <= IPCServer.outputBound + largest else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            context.close(promise: nil)
            return
        }
        waiting += size
        largest = max(largest, size)
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.waiting -= size
            if self.waiting == 0 { self.largest = 0 }
        }
        context.write(data, promise: written)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is NIOExtrasErrors.LeftOverBytesError:
            // An unterminated line at the end of the stream is ignored, as in mpv.
            break
        case is ByteToMessageDecoderError.PayloadTooLargeError:
            let reply = IPCReply(outcome: .failure(.invalidParameter)).json(to: IPCRequest(nil))
            context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(line: reply)), promise: nil)
            context.close(promise: nil)
        default:
            context.fireErrorCaught(error)
        }
    }
}
