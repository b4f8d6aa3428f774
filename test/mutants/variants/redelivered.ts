import type { IncomingMessage } from 'node:http'
import { CORRECT, effect, idOf, nameOf } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

const LONG_ID = 64
/** How much the clocks of two machines differ, in seconds. */
const APART = 1

/** Correct receivers whose freedoms concern redeliveries, ids, names and clocks (SPEC.md 3, 7 and 9). */
export const VARIANTS_REDELIVERED: Readonly<Record<string, Variant>> = {
  'answers 409 to a signature that it has accepted before': {
    related: [
      'duplicates/identical-copy',
      'signature-header/space-after-the-comma',
      'signature-header/commas-doubled',
      'duplicates/acknowledged-again',
      'duplicates/delivered-twice-in-turn',
      'duplicates/delivered-twice-at-once',
      'effects/refund-reverses',
    ],
    does: () => {
      const accepted = new Set<string>()
      let signature = ''
      return {
        entries(header) {
          const entries = CORRECT.entries(header)
          signature = entries.signatures.join()
          return entries
        },
        rejects: () => (accepted.has(signature) ? 409 : undefined),
        acknowledge(event, response) {
          accepted.add(signature)
          return CORRECT.acknowledge(event, response)
        },
      }
    },
  },
  'takes an event without livemode for one of a test': {
    related: ['duplicates/with-and-without-livemode', 'events/without-livemode'],
    does: () => ({
      modeOf: (event) => (event['livemode'] === true ? 'live' : 'test'),
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done && { ...done, livemode: event['livemode'] === true }
      },
    }),
  },
  'refuses payment ids of more than 64 characters': {
    related: ['duplicates/long-payment-ids'],
    does: () => ({ rejects: (event) => (idOf(event).length > LONG_ID ? 422 : undefined) }),
  },
  'takes a partial payment with the status completed for a completion': {
    related: ['effects/completion-after-partial'],
    does: () => ({
      effectOf: (event, before) =>
        nameOf(event) === 'payment.partial' && event['status'] === 'completed' && before.length === 0
          ? effect(event, 'fulfilled')
          : CORRECT.effectOf(event, before),
    }),
    warning: ['effects/partial-with-status-completed'],
  },
  'runs on two machines whose clocks are a second apart': {
    related: [
      'time-window/clock-advances',
      'time-window/just-inside-the-future',
      'time-window/just-outside-the-past',
      'duplicates/after-its-signature-expired',
    ],
    does: () => {
      const machines = new WeakMap<object, number>()
      let connections = 0
      let behind = 0
      return {
        workerOf({ socket }: IncomingMessage) {
          const machine = machines.get(socket) ?? connections++ % 2
          machines.set(socket, machine)
          behind = machine * APART
          return ''
        },
        // Called after the body has arrived, in one turn with the comparison.
        trusts(_, { socket }) {
          behind = (machines.get(socket) ?? 0) * APART
          return false
        },
        inWindow: (age) => Math.abs(age - behind) <= 300,
      }
    },
  },
}
