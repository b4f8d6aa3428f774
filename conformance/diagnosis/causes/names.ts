import type { Recognize } from '../cause.ts'
import { effectNamed, nameOf } from '../handling.ts'
import { handling, testHandling } from '../mishandling.ts'

/** How a name is compared instead of as a whole, with what each event is then recognized by. */
const COMPARISONS = [
  ['the end of its name', (name: string, part: string) => name.endsWith(part)],
  ['the beginning of its name', (name: string, part: string) => name.startsWith(part)],
  ['a part of its name', (name: string, part: string) => name.includes(part)],
] as const
const PARTS = [
  { completed: 'payment.completed', refunded: 'payment.refunded' },
  { completed: '.completed', refunded: '.refunded' },
  { completed: 'completed', refunded: 'refunded' },
  { completed: 'completed', refunded: 'refund' },
] as const

export const NAME_HYPOTHESES = COMPARISONS.flatMap(([what, matches]) =>
  PARTS.flatMap(({ completed, refunded }) =>
    (['completed', 'refunded', 'both'] as const).map((which) => {
      const isLike = (name: string, part: string, own: typeof which) =>
        which === own || which === 'both' ? matches(name, part) : false
      return handling(
        {
          code: 'event_name_compared_partly',
          sentence: `An event is mistaken for another one because of ${what}.`,
          fix: 'Compare the entire event name exactly, not its beginning, its end or a part of it.',
        },
        {
          effectOf(event, before, otherwise) {
            const name = nameOf(event)
            if (isLike(name, refunded, 'refunded'))
              return before.some(({ effect }) => effect === 'reversed')
                ? undefined
                : effectNamed(event, 'reversed')
            const isFulfilled = before.some(({ effect }) => effect === 'fulfilled')
            return isLike(name, completed, 'completed') && !isFulfilled
              ? otherwise({ ...event, event: 'payment.completed' }, before)
              : otherwise(event, before)
          },
        },
      )
    }),
  ),
)

/** Unknown events have an effect, because their name resembles another one (SPEC.md 9.9). */
export const nameCauses: Recognize = (evidence) =>
  NAME_HYPOTHESES.flatMap((hypothesis) => testHandling(hypothesis, evidence) ?? [])
