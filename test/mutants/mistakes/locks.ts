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

const idIn = (body: Buffer): string => /"payment_id":\s*"(\w+)"/.exec(body.toString())?.[1] ?? ''

/** Turns a payment away once there were some bad signatures that name it. */
const locksPayments = (most: number) => (): Partial<Behavior> => {
  const bad = new Map<string, number>()
  let named = ''
  return {
    gate(request, body) {
      named = idIn(body)
      return (bad.get(named) ?? 0) >= most ? 429 : CORRECT.gate(request, body)
    },
    // Nothing is awaited between the gate and a refusal.
    status({ code }) {
      if (code === 401 && named !== '') bad.set(named, (bad.get(named) ?? 0) + 1)
      return code
    },
  }
}

/** Bad signatures lock the receiver (SPEC.md 10.9). */
export const OF_LOCKS: Readonly<Record<string, Mutant>> = {
  'locks itself after 20 bad signatures': lockedWith(429, false),
  'locks a payment after five bad signatures that name it': {
    does: locksPayments(5),
    fails: ['duplicates/forged-several-times-first'],
  },
  'takes no more than 20 deliveries of a payment, forged ones included': {
    does: locksPayments(20),
    fails: ['duplicates/forged-several-times-first'],
  },
  'locks itself after 20 bad signatures in a row': lockedWith(423, true),
}
