import TapDoors
import TapField

/// How the phone looks for tags, and how time passes while it does.
extension PhoneWork {
    /// How often it looks without any card having come or gone, before it waits for one to.
    ///
    /// A card that was silent once is found by the next look.
    private static let sweepsInVain = 8
    /// The pause between two looks, in card time.
    private static let pause = Duration.milliseconds(250)
    /// What passes when an app lets the phone look again, where time is virtual.
    ///
    /// Apps wait about so long by the clock of the machine before they do, for two cards to become one.
    private static let pauseOfApps = Duration.milliseconds(500)

    mutating func restartPolling(
        _ session: any PhoneSession, _ request: PhoneSessionRequest?, waitsForLeaving: Bool
    ) {
        guard isOpen(session), let open else { return }
        let request = request ?? open.request
        do {
            try declarations(of: request).check(request.technologies)
        } catch {
            end(error)
            return
        }
        reader.declarations = declarations(of: request)
        host.perform { world in
            reader.disconnect(in: &world)
            guard settings.clock == .virtual else { return }
            world.advance(by: max(.zero, min(Self.pauseOfApps, open.began + settings.sessionLimit - world.now)))
        }
        self.open?.current = request
        self.open?.search = waitsForLeaving ? .untilLeft : .looking(sweeps: 0)
        publish()
        follow(.restarted)
    }

    /// Cards have come or gone since the phone looked, or may have.
    mutating func fieldHasChanged() {
        guard let open else { return }
        switch open.search {
        case .looking, .resting:
            guard open.seen != host.perform({ $0.presenceCount }) else { return }
            self.open?.search = .looking(sweeps: 0)
        case .untilLeft:
            let isAnyLeft = host.perform { world in reader.tags.indices.contains { reader.isPresent($0, in: world) } }
            if !isAnyLeft { self.open?.search = .looking(sweeps: 0) }
        case .over: break
        }
    }

    /// Does what is to be done while nobody calls, until there is nothing left but to wait.
    mutating func moveOn() {
        if settings.clock == .virtual, let open, host.perform({ $0.now }) >= open.began + settings.sessionLimit {
            endOfTime()
        }
        fieldHasChanged()
        while case .looking(let sweeps)? = open?.search { look(sweeps) }
    }

    /// Looks once.
    private mutating func look(_ sweeps: Int) {
        guard let open else { return }
        let (tags, names, faults) = host.perform { world in
            self.open?.seen = world.presenceCount
            let tags = reader.look(for: open.current.technologies, in: &world)
            let names = tags.map { world.cards[reader.tags[$0.number].card].name }
            return (tags, names, world.takePhoneFaults())
        }
        publish()
        if let fault = faults.first(where: \.endsSession) {
            end(PhoneError(fault, in: .detected))
        } else if tags.isEmpty {
            goOn(afterLooking: sweeps)
        } else {
            self.open?.search = .over
            record(open.number) { record in
                record.tags += tags
                record.cards += names
            }
            if follow(.detected) { open.session.phoneDidDetect(tags) }
        }
    }

    /// Goes on after a look that has found nothing.
    private mutating func goOn(afterLooking sweeps: Int) {
        let isAnyThere = host.perform { $0.cards.contains(where: \.isPresent) }
        if isAnyThere, sweeps < Self.sweepsInVain {
            open?.search = .looking(sweeps: sweeps + 1)
            host.perform { $0.advance(by: Self.pause) }
        } else {
            open?.search = .resting
            // What the timeline holds for later comes at once, since nobody does anything before.
            if settings.clock == .virtual { while open?.search == .resting, jump() {} }
        }
    }

    /// Lets virtual time jump to the next step of the timeline within the session.
    ///
    /// - Returns: Whether there was one.
    private mutating func jump() -> Bool {
        guard let open else { return false }
        let hasJumped = host.perform { world in
            guard let next = world.nextPlannedInstant, next < open.began + settings.sessionLimit else {
                return false
            }
            world.advance(by: max(.zero, next - world.now))
            return true
        }
        if hasJumped { fieldHasChanged() }
        return hasJumped
    }

    /// The app has done nothing for a while, or its time is over.
    mutating func passTime() {
        guard open != nil else { return }
        guard settings.clock == .virtual else { return endOfTime() }
        guard !jump() else { return }
        endOfTime(
            "the app did nothing for \(settings.idle) by the clock of the machine, so virtual time went on to the end of "
                + "the session; let it wait less, or give it a longer idle time or the real clock")
    }

    private mutating func endOfTime(
        _ reason: String = "the session was open for its longest time without an end by the app"
    ) {
        guard let open else { return }
        if settings.clock == .virtual {
            host.perform { $0.advance(by: max(.zero, open.began + settings.sessionLimit - $0.now)) }
        }
        end(PhoneError(.sessionTimeout, reason: reason))
    }
}
