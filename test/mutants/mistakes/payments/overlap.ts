import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createSemaphore, type Semaphore } from '../../../../conformance/engine/pace/semaphore.ts'
import { CORRECT, type Effect, type Event, effect, idOf, nameOf } from '../../behavior.ts'
import type { Mutant } from '../../mutant.ts'

const named = (event: Event, name: string) => nameOf(event) === `payment.${name}`
const has = (before: readonly Effect[], what: Effect['effect']) => before.some((one) => one.effect === what)
const WORK_MS = 40
/** Longer than a busy machine takes between two deliveries in turn, and shorter than one of the pauses of the case. */
const LEASE_MS = 800
/** Long enough for a busy machine to notice that a sender is gone. */
const LONG_WORK_MS = 150
const keyOf = (event: Event) => `${CORRECT.modeOf(event)} ${CORRECT.keyOf(event, Buffer.alloc(0), '')}`

/** Mistakes that show when two events of one payment are handled at the same time (SPEC.md 9.7 and 9.12). */
export const OF_OVERLAP: Readonly<Record<string, Mutant>> = {
  'loses a refund that arrives while it works on the completion': {
    does: () => {
      const started = new Set<string>()
      return {
        keeps(event) {
          if (named(event, 'completed')) started.add(idOf(event))
          return true
        },
        effectOf: (event, before) =>
          named(event, 'refunded') && started.has(idOf(event)) && before.length === 0
            ? undefined
            : CORRECT.effectOf(event, before),
      }
    },
    setting: { effectAfterMs: (event) => (named(event, 'completed') ? WORK_MS : 0) },
    timed: true,
    fails: ['effects/refund-while-the-completion-is-handled', 'effects/refund-and-completion-at-once'],
  },
  'fulfills without looking for a refund again after its work': {
    does: () => {
      const refunded = new Set<string>()
      const due = new Set<string>()
      return {
        async acknowledge(event, response) {
          if (named(event, 'completed') && !refunded.has(idOf(event))) due.add(idOf(event))
          if (named(event, 'refunded')) refunded.add(idOf(event))
          if (named(event, 'completed')) await pause(WORK_MS)
          response.writeHead(200).end()
        },
        effectOf(event, before) {
          if (named(event, 'refunded'))
            return has(before, 'fulfilled') ? CORRECT.effectOf(event, before) : undefined
          return named(event, 'completed') && due.has(idOf(event)) ? effect(event, 'fulfilled') : undefined
        },
      }
    },
    timed: true,
    fails: ['effects/refund-and-completion-at-once'],
  },
  'drops a refund when a redelivery has touched its payment meanwhile': {
    does: () => {
      const versions = new Map<string, number>()
      const dropped = new Set<string>()
      return {
        async acknowledge(event, response) {
          const version = versions.get(idOf(event)) ?? 0
          if (named(event, 'refunded')) {
            await pause(WORK_MS)
            if (version !== (versions.get(idOf(event)) ?? 0)) dropped.add(idOf(event))
          } else versions.set(idOf(event), version + 1)
          response.writeHead(200).end()
        },
        effectOf: (event, before) =>
          named(event, 'refunded') && dropped.has(idOf(event)) ? undefined : CORRECT.effectOf(event, before),
      }
    },
    timed: true,
    cause: 'overlap_not_locked',
    fails: ['effects/refund-and-resent-completion-at-once'],
  },
  'claims a delivery for less time than its work takes': {
    does: () => {
      const claimed = new Map<string, number>()
      const done = new Set<string>()
      return {
        keyOf: () => randomUUID(),
        keeps(event) {
          const isClaimed = Date.now() - (claimed.get(keyOf(event)) ?? 0) < LEASE_MS
          if (isClaimed || done.has(keyOf(event))) return false
          claimed.set(keyOf(event), Date.now())
          return true
        },
        effectOf(event, before) {
          done.add(keyOf(event))
          return CORRECT.effectOf(event, before)
        },
      }
    },
    setting: { effectAfterMs: LEASE_MS + 500 },
    timed: true,
    slow: true,
    fails: ['duplicates/while-the-first-may-be-handled'],
  },
  'gives the claim of a delivery back when its sender is gone, although it was handled': {
    does: () => {
      const claimed = new Set<string>()
      const due = new WeakSet<Event>()
      return {
        keyOf: () => randomUUID(),
        async acknowledge(event, response) {
          if (!claimed.has(keyOf(event))) {
            claimed.add(keyOf(event))
            due.add(event)
            await pause(WORK_MS)
          }
          if (response.destroyed) claimed.delete(keyOf(event))
          else response.writeHead(200).end()
        },
        effectOf: (event, before) => (due.has(event) ? CORRECT.effectOf(event, before) : undefined),
      }
    },
    timed: true,
    slow: true,
    fails: ['duplicates/while-the-first-may-be-handled'],
  },
  'removes the lock of a payment while others wait for it': {
    does: () => {
      const locks = new Map<string, Semaphore>()
      const handled = new Set<string>()
      const due = new WeakSet<Event>()
      return {
        keyOf: () => randomUUID(),
        async acknowledge(event, response) {
          const lock = locks.get(idOf(event)) ?? createSemaphore(1)
          locks.set(idOf(event), lock)
          await lock.take()
          if (!handled.has(keyOf(event))) {
            await pause(WORK_MS - 10)
            handled.add(keyOf(event))
            due.add(event)
          }
          lock.give()
          locks.delete(idOf(event))
          response.writeHead(200).end()
        },
        effectOf: (event, before) => (due.has(event) ? CORRECT.effectOf(event, before) : undefined),
      }
    },
    timed: true,
    cause: 'not_atomic',
    fails: ['duplicates/delivered-while-others-are-handled'],
  },
  'keeps the claim of a delivery whose sender is gone': {
    does: () => {
      const claimed = new Set<string>()
      return {
        rejects: (event) => (claimed.has(keyOf(event)) ? 409 : undefined),
        async acknowledge(event, response) {
          claimed.add(keyOf(event))
          await pause(LONG_WORK_MS)
          if (response.destroyed) throw new Error('the work ends with the request')
          claimed.delete(keyOf(event))
          response.writeHead(200).end()
        },
      }
    },
    timed: true,
    slow: true,
    fails: ['duplicates/accepted-after-its-sender-was-gone'],
  },
  'looks for an earlier refund first and records this one later': {
    does: () => {
      const refunded = new Set<string>()
      const due = new Map<string, number>()
      return {
        keyOf: (event, body, header) =>
          named(event, 'refunded') ? String(Math.random()) : CORRECT.keyOf(event, body, header),
        async acknowledge(event, response) {
          if (named(event, 'refunded') && !refunded.has(idOf(event))) {
            await pause(WORK_MS / 2)
            refunded.add(idOf(event))
            due.set(idOf(event), (due.get(idOf(event)) ?? 0) + 1)
          }
          response.writeHead(200).end()
        },
        effectOf(event, before) {
          if (!named(event, 'refunded')) return CORRECT.effectOf(event, before)
          const left = due.get(idOf(event)) ?? 0
          due.set(idOf(event), left - 1)
          return left > 0 ? effect(event, 'reversed') : undefined
        },
      }
    },
    timed: true,
    fails: ['effects/refund-delivered-twice-at-once'],
  },
}
