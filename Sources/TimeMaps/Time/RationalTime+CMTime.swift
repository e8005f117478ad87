#if canImport(CoreMedia)
    import CoreMedia

    extension RationalTime {
        /// A time of Core Media, exactly.
        ///
        /// - Throws: ``TimeError`` if it is invalid, indefinite or infinite.
        public init(_ time: CMTime) throws(TimeError) {
            guard time.isNumeric else {
                throw .malformed("a time that is invalid, indefinite or infinite is none")
            }
            try self.init(exactly: Int128(time.value), over: Int128(time.timescale))
        }
    }

    extension CMTime {
        /// A time, exactly.
        public init(_ time: RationalTime) {
            self.init(value: time.value, timescale: time.timescale)
        }
    }
#endif
