import { SandboxError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import type { Settings } from '../store/settings.ts'

/** A clock that can be advanced. The offset survives a restart. */
export interface MovableClock extends Clock {
  /** @throws SandboxError if the clock cannot be advanced to a time */
  requireReachable: (time: number) => void
  /** Advances it to a time, in milliseconds since 1970; never back. @throws SandboxError if it is too late */
  moveTo: (time: number) => void
  /** How far ahead of real time it is, in milliseconds. */
  offset: () => number
  /** Reads the offset again, after the store was emptied. */
  reload: () => void
}

/** The latest time, in milliseconds: later years would have more than four digits. */
const LAST = Date.UTC(9999, 0, 1)

/**
 * Creates the sandbox's clock: real time plus the offset that the user added.
 * @param wall real time in milliseconds
 */
export function movableClock(settings: Settings, wall: () => number): MovableClock {
  const read = () => Number(settings.get('clock_offset_ms') ?? 0)
  let offset = read()
  const now = () => wall() + offset
  function requireReachable(time: number): void {
    if (time > LAST) throw new SandboxError('clock_too_far', 'the clock cannot go past the year 9998.')
  }
  return {
    now,
    wall,
    offset: () => offset,
    reload: () => void (offset = read()),
    requireReachable,
    moveTo: (time) => {
      requireReachable(time)
      const further = offset + Math.max(0, time - now())
      settings.set('clock_offset_ms', String(further))
      offset = further
    },
  }
}
