internal import PlayerCore

extension VisitTouch {
    /// The posters near the shown page. Those of all films would fill the memory.
    struct Posters {
        private(set) var films: [FilmMenu.Film] = []
        private(set) var size: (width: Int, height: Int) = (0, 0)
        /// The films that need one, in order.
        private(set) var wanted: [Int] = []
        private(set) var pictures: [Int: PictureID] = [:]
        /// Whether films are decoded for posters.
        private(set) var decodesFilms = true
        /// The films for which none can be made.
        private var missing: Set<Int> = []
        /// Makes the posters, one after another.
        var work: Task<Void, Never>?

        /// - Returns: the posters that are no longer needed; `nil` if nothing has changed.
        mutating func want(_ menu: FilmMenu) -> [PictureID]? {
            let (near, isSame) = (menu.nearFilms, films == menu.content.films && size == menu.posterSize)
            let decodes = menu.content.decodesFilms
            guard !isSame || near != wanted || decodes != decodesFilms else { return nil }
            let kept = isSame ? pictures.filter { near.contains($0.key) } : [:]
            let gone = pictures.filter { kept[$0.key] == nil }
            if !isSame || decodes != decodesFilms { missing = [] }
            decodesFilms = decodes
            (films, size, wanted, pictures) = (menu.content.films, menu.posterSize, near, kept)
            return Array(gone.values)
        }

        /// The film whose poster is made next.
        var next: Int? { wanted.first { pictures[$0] == nil && !missing.contains($0) } }

        /// Stores a poster, or, with `nil`, notes that it cannot be made.
        mutating func take(_ picture: PictureID?, of film: Int) {
            if let picture { pictures[film] = picture } else { missing.insert(film) }
        }
    }
}
