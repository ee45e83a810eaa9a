internal import CGStreamer
internal import PlayerCore

/// The formats that the film's decoder is asked for.
extension VideoBranch {
    /// Answers a decoder's query before it is linked, so that its frames go to the plane unchanged if possible. A
    /// decoder makes frames that only a device reads (the columns of a Raspberry Pi's HEVC) if asked, and may make
    /// nothing else. Frames that the pipeline turns, crops, scales, blends or deinterlaces are requested in system
    /// memory.
    ///
    /// A decoder that supports only system memory is not answered. A decoder that knows its frames' size before it is
    /// linked then also queries the memory: kmssink would answer the same. Thread: the streaming thread that autoplugs.
    /// - Returns: whether it was answered.
    func answer(_ question: UnsafeMutableRawPointer, of decoder: Element) -> Bool {
        DecoderQuestion.answer(question, of: decoder, as: screen) {
            sinkFormats
        } whenInOtherForm: {
            self.decoder.askedForOtherForm()
        }
    }

    /// The device memory caps that the sink accepts; `nil` if there are none, or no sink.
    private var sinkFormats: Caps? {
        // The sink knows the plane's formats once it is open. In the pipeline it is opened anyway.
        if sink.state.current == GST_STATE_NULL { sink.set(GST_STATE_READY) }
        return sink.pad("sink")?.possibleCaps?.inDeviceMemory
    }
}

extension DecoderQuestion {
    /// Answers as `VideoBranch.answer` says.
    /// - Parameters:
    ///   - screen: the screen of the frames; `nil` gives no answer.
    ///   - formats: the device memory formats that the screen accepts, if any.
    ///   - noteOtherForm: called if frames are requested only in system memory.
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
            let entry = decoder.pad("sink")
            let isUpright = DisplayTransform(upright: entry?.tagsOnTheWay ?? []) == .identity
            let goesAsItIs = screen.goesAsItIs && isUpright && entry?.incomingCaps?.isOfFields != true
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
    /// Whether the sink shows frames unchanged, as the decoder makes them.
    public var goesAsItIs: Bool {
        sink.isPlane && canScale && !composesOSD && turn == .identity && gravity == .resizeAspect
    }
}
