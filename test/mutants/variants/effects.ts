import type { CaseId } from '../../../conformance/contracts/payment-service/cases/index.ts'
import type { Variant } from '../mutant.ts'

/** Cases that a receiver with slow or unordered work could fail by mistake. */
const related: readonly CaseId[] = [
  'effects/refund-reverses',
  'effects/chargeback-reverses',
  'effects/refund-before-completion',
  'effects/partial-is-not-credited',
  'effects/completion-after-failure',
  'duplicates/refund-after-completion',
  'duplicates/delivered-twice-at-once',
  'duplicates/refund-of-one-of-two-similar-payments',
  'effects/events-older-than-the-last-one',
  'effects/refund-while-the-completion-is-handled',
  'effects/refund-and-completion-at-once',
  'effects/refund-and-resent-completion-at-once',
  'effects/refund-delivered-twice-at-once',
]

/** Requests whose body has not arrived. */
let unfinished = 0

/** Correct receivers whose effects come late, or in any order, or are hard to observe. */
export const VARIANTS_EFFECTS: Readonly<Record<string, Variant>> = {
  'works 300 ms on an event, four at a time': {
    does: () => ({}),
    setting: { effectAfterMs: 300, workers: 4 },
    slow: true,
  },
  'has no connection left to show effects while others hold theirs': {
    does: () => ({}),
    setting: {
      observing: {},
      first(request) {
        if (request.url?.startsWith('/observe') === true) {
          if (unfinished >= 20) request.socket.destroy()
          return unfinished >= 20
        }
        unfinished += 1
        request.once('close', () => (unfinished -= 1))
        return false
      },
    },
    related: ['robustness/good-while-bodies-are-held', ...related],
  },
  'works through a queue, one event at a time': {
    does: () => ({}),
    setting: { effectAfterMs: 10, workers: 1 },
    related,
  },
  'works up to 1.5 s after the acknowledgment, in any order': {
    does: () => ({}),
    setting: { effectAfterMs: () => Math.random() * 1500 },
    slow: true,
  },
  'works up to 0.3 s after the acknowledgment, in any order': {
    does: () => ({}),
    setting: { effectAfterMs: () => Math.random() * 300 },
    related,
  },
  'closes the connections of observations after 15 ms of silence': {
    does: () => ({}),
    setting: { observing: { idleMs: 15 } },
    related,
  },
  'compresses its observations unasked': {
    does: () => ({}),
    setting: { observing: { gzip: true } },
    related,
  },
}
