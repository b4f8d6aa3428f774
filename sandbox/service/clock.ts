import { SandboxError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import type { Settings } from '../store/settings.ts'

/** A clock that can be moved on, and that stays moved when the sandbox is started again. */
export interface MovableClock extends Clock {
  /** Moves it to a time, in milliseconds; never back. */
  moveTo: (time: number) => void
  /** How far ahead of real time it is, in milliseconds. */
  offset: () => number
  /** Reads the offset anew, after the store was emptied. */
  reload: () => void
}

/** The farthest that it goes, in milliseconds: later times have no four-digit year any more. */
const LAST = Date.UTC(9999, 0, 1)

/**
 * Makes the sandbox's clock: real time, and what a user has added to it.
 * @param wall real time in milliseconds
 */
export function movableClock(settings: Settings, wall: () => number): MovableClock {
  const read = () => Number(settings.get('clock_offset_ms') ?? 0)
  let offset = read()
  const now = () => wall() + offset
  return {
    now,
    wall,
    offset: () => offset,
    reload: () => void (offset = read()),
    moveTo: (time) => {
      if (time > LAST)
        throw new SandboxError('clock_too_far', 'the clock goes no further than the year 9998.')
      const further = offset + Math.max(0, time - now())
      settings.set('clock_offset_ms', String(further))
      offset = further
    },
  }
}
