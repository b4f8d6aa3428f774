/** Formatting functions for templates and messages. */
export const HELPERS = {
  /** Sandbox time, in milliseconds since 1970, as markup: UTC, to the second. */
  time: (ms: number): string => {
    const iso = new Date(ms).toISOString()
    return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`
  },

  /** A duration in milliseconds, in its two largest units: `1 d 2 h`, `350 ms`. */
  duration: (ms: number): string =>
    ms < 1000
      ? `${Math.round(ms)} ms`
      : largestUnits(ms)
          .map(({ count, unit }) => `${count} ${unit.symbol}`)
          .join(' '),

  /** A duration of at least a second, spelled out: `1 day 2 hours`. */
  durationInWords: (ms: number): string =>
    largestUnits(ms)
      .map(({ count, unit }) => HELPERS.count(count, unit.name))
      .join(' '),

  /** A number and its noun: `1 delivery`, `2 deliveries`. */
  count: (number: number, singular: string, plural = `${singular}s`): string =>
    `${number} ${number === 1 ? singular : plural}`,
} as const

const UNITS = [
  { symbol: 'd', name: 'day', ms: 86_400_000 },
  { symbol: 'h', name: 'hour', ms: 3_600_000 },
  { symbol: 'min', name: 'minute', ms: 60_000 },
  { symbol: 's', name: 'second', ms: 1000 },
] as const

function largestUnits(ms: number): { unit: (typeof UNITS)[number]; count: number }[] {
  const parts = UNITS.map((unit, index) => {
    const larger = UNITS[index - 1]?.ms ?? Infinity
    return { unit, count: Math.floor((ms % larger) / unit.ms) }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  return parts.slice(first, first + 2).filter(({ count }) => count > 0)
}
