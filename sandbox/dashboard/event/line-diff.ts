import { diffLines } from 'diff'

/** One line of a comparison. */
interface Line {
  readonly change: 'added' | 'removed' | 'same'
  readonly text: string
}

/** The longest text that is compared, in characters. */
const LONGEST = 256 * 1024

/** The most lines of a text that is compared: each becomes a row of the page. */
const MOST_LINES = 5_000

/** The most added and removed lines; the time grows with the square of their number. */
const MOST_CHANGES = 500

/**
 * Compares two texts line by line, in a limited time.
 * @returns undefined if they are too long or too different
 */
export function lineDiff(left: string, right: string): Line[] | undefined {
  if (isLong(left) || isLong(right)) return undefined
  return diffLines(`${left}\n`, `${right}\n`, { maxEditLength: MOST_CHANGES })?.flatMap(
    ({ value, added, removed }) =>
      value
        .replace(/\n$/, '')
        .split('\n')
        .map((text) => ({ text, change: added ? 'added' : removed ? 'removed' : 'same' }) as const),
  )
}

const isLong = (text: string): boolean =>
  text.length > LONGEST || text.split('\n', MOST_LINES + 1).length > MOST_LINES
