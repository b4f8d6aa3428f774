import { type Behavior, CORRECT } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const MOST = 20

/**
 * Turns everything away once there were too many bad signatures, as a login does after too many wrong passwords.
 *
 * @param isForgiven whether a valid delivery makes it forget them
 */
const lockedWith = (status: number, isForgiven: boolean): Mutant => ({
  timed: true,
  slow: true,
  does: (): Partial<Behavior> => {
    let bad = 0
    return {
      gate: (request, body) => (bad >= MOST ? status : CORRECT.gate(request, body)),
      status({ code }) {
        if (code === 401 && bad < MOST) bad += 1
        return code
      },
      acknowledge(event, response) {
        if (isForgiven && bad < MOST) bad = 0
        return CORRECT.acknowledge(event, response)
      },
    }
  },
  cause: 'locked_out',
  fails: ['robustness/good-after-bad-signatures'],
})

/** Bad signatures lock the receiver (SPEC.md 10.9). */
export const OF_LOCKS: Readonly<Record<string, Mutant>> = {
  'locks itself after 20 bad signatures': lockedWith(429, false),
  'locks itself after 20 bad signatures in a row': lockedWith(423, true),
}
