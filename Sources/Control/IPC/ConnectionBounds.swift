import NIOCore
import NIOExtras

/// Ends a connection that exceeds its bounds, so that no client can fill the player's memory.
///
/// A client that lets more than ``IPCServer/outputBound`` pile up is cut off; its largest message, a playlist perhaps, does not
/// count. A longer line than ``IPCServer/lineBound`` is answered with an error, then the connection ends: where the next line
/// begins cannot be known without reading on.
final class ConnectionBounds: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes that the client has not taken yet, and those of the largest message since there were none.
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
            // A line without an end at the end of the stream is no line, for mpv too.
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
