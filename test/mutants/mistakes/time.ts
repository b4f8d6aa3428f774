import { CORRECT, idOf, nameOf } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** Mistakes that show only later, or not in the payment that was sent last (SPEC.md 6.5 and 7.2). */
export const OF_TIME: Readonly<Record<string, Mutant>> = {
  'remembers payments for a second': {
    timed: true,
    slow: true,
    does: { remembersMs: 1_000 },
    cause: 'deduplication_forgotten',
    fails: ['duplicates/after-a-second'],
  },
  'remembers payments for 20 seconds': {
    timed: true,
    slow: true,
    does: { remembersMs: 20_000 },
    redeliverAfterMs: 21_000,
    cause: 'deduplication_forgotten',
    fails: ['duplicates/after-a-given-time'],
  },
  'refuses a new event of a payment with an earlier t than the last one': {
    does: () => {
      const last = new Map<string, { t: number; name: string }>()
      let t = 0
      return {
        trusts(header) {
          t = Number(CORRECT.entries(header).times[0])
          return false
        },
        rejects(event) {
          const before = last.get(idOf(event))
          if (before !== undefined && t < before.t && before.name !== nameOf(event)) return 400
          last.set(idOf(event), { t, name: nameOf(event) })
          return undefined
        },
      }
    },
    fails: ['time-window/earlier-than-the-last-of-its-payment'],
  },
  'picks up work again after two seconds': {
    timed: true,
    slow: true,
    does: { againAfterMs: 2_000 },
    fails: ['duplicates/nothing-happens-twice-later'],
  },
  'loses every fortieth job': {
    timed: true,
    needsAll: true,
    does: () => {
      let count = 0
      return { keeps: () => (count += 1) % 40 !== 0 }
    },
    cause: 'lost_now_and_then',
    fails: ['acknowledgement/nothing-lost'],
  },
  'loses every third delivery': {
    timed: true,
    does: () => ({ keeps: everyButTheThird() }),
    fails: ['acknowledgement/nothing-lost'],
  },
}

function everyButTheThird(): () => boolean {
  let count = 0
  return () => (count += 1) % 3 !== 0
}
