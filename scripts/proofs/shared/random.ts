import type { Random } from '../../../conformance/crash/moments.ts'

export { type Random, randomFrom } from '../../../conformance/crash/moments.ts'

/** An integer from `least` to `most`, both included. */
export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

/** @throws RangeError if there is nothing to choose from */
export function choose<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[Math.floor(random() * choices.length)]
  if (chosen === undefined) throw new RangeError('there is nothing to choose from')
  return chosen
}

/** The same values in a random order. */
export const shuffle = <T>(values: readonly T[], random: Random): T[] =>
  values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value)
