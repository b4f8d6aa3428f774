import { distance } from 'fastest-levenshtein'

/** The largest share of a name's letters that a typing error changes; one letter is always allowed. */
const MOST_CHANGED = 0.3
const MOST_SUGGESTIONS = 3

/**
 * Up to three of `names` that `name` is probably a typing error of, the closest first; case does not matter. A name may
 * lack the section that precedes its slash.
 */
export function nearest(name: string, names: readonly string[]): string[] {
  const allowed = Math.max(1, Math.floor(lastPart(name).length * MOST_CHANGED))
  const close = names
    .map((other) => ({ other, edits: editsBetween(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .toSorted((a, b) => a.edits - b.edits || a.other.length - b.other.length)
  const best = close[0]?.edits ?? 0
  return close
    .filter(({ edits }) => edits <= best + 1)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ other }) => other)
}

function editsBetween(name: string, other: string): number {
  const whole = distance(name, other)
  return name.includes('/') ? whole : Math.min(whole, distance(name, other.slice(other.indexOf('/') + 1)))
}

/** The part that distinguishes similar names: `empty-key` of `refusals/empty-key`, `expired` of `payment.expired`. */
const lastPart = (name: string): string => /[^./]*$/.exec(name)?.[0] ?? name

/** `did you mean a, b?`, or the alternative when there is nothing to suggest. */
export const suggestion = (names: readonly string[], otherwise: string): string =>
  names.length === 0 ? otherwise : `did you mean ${names.join(', ')}?`
