import type { Candidate, Recognize } from '../cause.ts'
import { type Event, eventIn, type Handling, text } from '../handling.ts'
import { type HandlingHypothesis, handling, testHandling } from '../mishandling.ts'
import type { CauseForms } from '../statement.ts'
import { isOpen, type Symptoms } from '../symptoms.ts'

const rewritten = (change: (event: Event) => Event): Partial<Handling> => ({
  effectOf: (event, before, otherwise) => otherwise({ ...event, ...change(event) }, before),
})

/** Loses the acknowledged events that hold a character. */
const losing = (character: CauseForms['character_lost']['character'], has: (event: Event) => boolean) =>
  handling(
    { code: 'character_lost', data: { character } },
    {
      handles: ({ answer, delivery }) => answer?.status === 200 && !has(eventIn(delivery) ?? {}),
    },
  )

const holds = (pattern: RegExp) => (event: Event) => textsIn(event).some((one) => pattern.test(one))

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}

export const STORAGE_HYPOTHESES: readonly HandlingHypothesis[] = [
  losing('four-bytes', holds(/[\u{10000}-\u{10ffff}]/u)),
  losing('nul', holds(/\0/)),
  losing('surrogate', holds(/\p{Surrogate}/u)),
  losing('nul-or-surrogate', holds(/\0|\p{Surrogate}/u)),
  losing('beyond-ascii', holds(/[^\0-\x7f]/)),
  handling(
    { code: 'currency_rewritten', data: { to: 'three-letters' } },
    rewritten((event) => ({ currency: text(event['currency']).slice(0, 3) })),
  ),
]

const OVERFLOW_ABOVE = (2 ** 31 - 1) / 100
/** Minor units as a number of 32 bits: of a rounded floating-point number, as JavaScript has it, or exactly. */
const WRAPS: readonly ((amount: string) => number)[] = [
  (amount) => Math.round(Number(amount) * 100) | 0,
  (amount) => Math.round(Number(amount) * 100) >>> 0,
  (amount) => Number(BigInt.asIntN(32, hundredthsOf(amount))),
  (amount) => Number(BigInt.asUintN(32, hundredthsOf(amount))),
]

function hundredthsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2))
}

/** Large amounts overflow; those with more decimals are kept as they are, or rounded too. */
const overflowing = WRAPS.flatMap((wrap) =>
  [/^\d+(?:\.\d{1,2})?$/, /^\d+(?:\.\d+)?$/].map((converted) =>
    handling(
      { code: 'amount_limited', data: { isOverflow: true } },
      rewritten((event) => {
        const amount = text(event['amount'])
        // A smaller amount that is wrong is so for another reason.
        const isLarge = Number(amount) > OVERFLOW_ABOVE
        return isLarge && converted.test(amount) ? { amount: (wrap(amount) / 100).toFixed(2) } : {}
      }),
    ),
  ),
)

/** The largest values of the usual types, in units and in hundredths. */
const LIMITS = new Set(
  [2 ** 31 - 1, 2 ** 32 - 1, 2 ** 15 - 1, 2 ** 16 - 1].flatMap((most) => [
    `${most}`,
    (most / 100).toFixed(2),
  ]),
)

/** Every amount above a limit is credited as that limit. */
function amountLimited(symptoms: Symptoms): Candidate[] {
  const wrong = symptoms.verdicts.flatMap((verdict) => (isOpen(verdict) ? amountsOf(verdict) : []))
  const limits = new Set(wrong.flatMap(({ sent, shown }) => (Number(shown) < Number(sent) ? shown : [])))
  return [...limits].flatMap((most) => {
    const paid = new Set(wrong.flatMap(({ sent, shown }) => (shown === most && sent !== most ? sent : [])))
    // One payment may be credited with another amount for many reasons.
    if (paid.size < 2 && !LIMITS.has(most)) return []
    const limited = handling(
      { code: 'amount_limited', data: { most } },
      rewritten((event) => (Number(event['amount']) > Number(most) ? { amount: most } : {})),
    )
    return testHandling([limited], symptoms)
  })
}

function amountsOf({ exchanges, effects }: Symptoms['verdicts'][number]): { sent: string; shown: string }[] {
  return exchanges.flatMap(({ delivery: { key: paymentId, amount } }) =>
    (effects?.get(paymentId ?? '') ?? []).flatMap((effect) =>
      effect.effect === 'fulfilled' && amount !== undefined ? { sent: amount, shown: effect.amount } : [],
    ),
  )
}

/** The store cannot hold what an event contains (SPEC.md 6.5 and 9.13). */
export const storageCauses: Recognize = (symptoms) => [
  ...testHandling([...STORAGE_HYPOTHESES, ...overflowing], symptoms),
  ...amountLimited(symptoms),
]
