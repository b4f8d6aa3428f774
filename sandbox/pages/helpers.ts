/** What templates call to write values of one kind alike. */
export const HELPERS = {
  /** A time of the sandbox, in milliseconds since 1970, as markup: in UTC, to the second. */
  time: (ms: number): string => {
    const iso = new Date(ms).toISOString()
    return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`
  },

  /** A span of time in milliseconds, in the largest two units: `1 d 2 h`, `350 ms`. */
  span: (ms: number): string => {
    if (ms < 1000) return `${Math.round(ms)} ms`
    const parts = UNITS.map(([unit, size], index) => {
      const above = UNITS[index - 1]?.[1] ?? Infinity
      return { unit, count: Math.floor((ms % above) / size) }
    })
    const first = parts.findIndex(({ count }) => count > 0)
    return parts
      .slice(first, first + 2)
      .filter(({ count }) => count > 0)
      .map(({ unit, count }) => `${count} ${unit}`)
      .join(' ')
  },

  /** A number and its noun: `1 delivery`, `2 deliveries`. */
  count: (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`,
} as const

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const
