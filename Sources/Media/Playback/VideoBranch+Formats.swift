internal import CGStreamer
internal import CVideoSink
internal import PlayerCore

/// In which formats the film's decoder is to make its frames.
extension VideoBranch {
    /// Answers what a decoder asks before it is linked, so that its frames go to the plane as they are where they can: a decoder
    /// makes what only a device reads (the columns of a Raspberry Pi's HEVC) where it is asked for, and may make nothing else. What the
    /// pipeline has to turn, crop, scale or blend is asked for in the processor's memory.
    ///
    /// A decoder that knows that memory alone is not answered. One that knows its frames' size before it is linked asks then, too,
    /// how its memory is to be: kmssink would answer the same. Thread: the streaming thread that autoplugs.
    /// - Returns: whether it was answered.
    func answer(_ question: UnsafeMutableRawPointer, of decoder: Element) -> Bool {
        DecoderQuestion.answer(question, of: decoder, as: screen) {
            sinkFormats
        } whenInOtherForm: {
            self.decoder.askedForOtherForm()
        }
    }

    /// What the sink takes in a device's memory; `nil` where it takes none, or is not there.
    private var sinkFormats: Caps? {
        // It tells what the plane takes once it has opened it. Added to the pipeline, it is opened anyhow.
        if sink.state.current == GST_STATE_NULL { sink.set(GST_STATE_READY) }
        return sink.pad("sink")?.possibleCaps?.inDeviceMemory
    }
}

extension DecoderQuestion {
    /// Answers it as `VideoBranch.answer` says.
    /// - Parameters:
    ///   - screen: where the frames go; `nil`: it is not answered.
    ///   - formats: what the screen takes in a device's memory, if anything.
    ///   - noteOtherForm: is called where frames are asked for in the processor's memory alone.
    static func answer(
        _ question: UnsafeMutableRawPointer, of decoder: Element, as screen: FilmOutput.Screen?,
        formats: () -> Caps?, whenInOtherForm noteOtherForm: () -> Void = {}
    ) -> Bool {
        guard let question = DecoderQuestion(question), let screen, PadLinker.isDecoder(decoder.factoryClass),
            decoder.factoryClass.contains("Video"), decoder.pad("src")?.templateCaps?.inDeviceMemory != nil,
            let plain = Caps("video/x-raw")
        else { return false }
        switch question {
        case .caps(let question):
            let tags = decoder.pad("sink")?.tagsOnTheWay ?? []
            let goesAsItIs = screen.goesAsItIs && DisplayTransform(upright: tags) == .identity
            if !goesAsItIs { noteOtherForm() }
            question.answer(goesAsItIs ? formats()?.followed(by: plain) ?? plain : plain)
            return true
        case .memory(let question):
            guard question.caps?.deviceFormat != nil else { return false }
            question.answerAnyhow()
            return true
        }
    }
}

extension FilmOutput.Screen {
    /// Whether the sink shows frames as a decoder makes them, and the pipeline does nothing to them.
    public var goesAsItIs: Bool {
        sink.isPlane && canScale && !composesOSD && turn == .identity && gravity == .resizeAspect
    }
}
