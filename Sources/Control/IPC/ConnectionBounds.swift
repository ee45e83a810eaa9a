import NIOCore
import NIOExtras

/// Ends a connection that exceeds its bounds, so that no client can fill the player's memory.
///
/// The channel's write-buffer mark is ``IPCServer/outputBound``: a client that lets more pile up is cut off. A longer
/// line than ``IPCServer/lineBound`` is answered with an error, then the connection ends: where the next line begins
/// cannot be known without reading on.
final class ConnectionBounds: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            context.fireChannelWritabilityChanged()
        } else {
            context.close(promise: nil)
        }
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
