import { distance } from 'fastest-levenshtein'

/** The smallest share of letters that two names have in common to be taken for a typing error of one another. */
const LEAST_SIMILARITY = 0.6

/** Up to three of `names` that look like `name`, the most similar first; case does not matter. */
export function nearest(name: string, names: readonly string[]): string[] {
  const similarity = (other: string): number =>
    1 - distance(name.toLowerCase(), other.toLowerCase()) / Math.max(name.length, other.length, 1)
  return names
    .map((other) => ({ other, similarity: similarity(other) }))
    .filter((candidate) => candidate.similarity >= LEAST_SIMILARITY)
    .toSorted((a, b) => b.similarity - a.similarity || a.other.length - b.other.length)
    .slice(0, 3)
    .map(({ other }) => other)
}

/** `did you mean a, b?`, or the alternative when there is nothing to suggest. */
export const suggestion = (names: readonly string[], otherwise: string): string =>
  names.length === 0 ? otherwise : `did you mean ${names.join(', ')}?`
