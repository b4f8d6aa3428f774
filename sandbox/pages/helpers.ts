/**
 * Returns a helper that writes sandbox times as markup: relative to `now` within a day, otherwise UTC; the title is always
 * UTC. static/times.js keeps them current, and writes older times as local ones.
 */
export const relativeTimes =
  (now: number) =>
  (ms: number): string => {
    const iso = new Date(ms).toISOString()
    const text = relativeText(ms - now) ?? utcOf(iso)
    return `<time datetime="${iso}" title="${utcOf(iso)} UTC" data-relative>${text}</time>`
  }

/** `5 min ago`, `in 2 h`; undefined for a day or more. */
function relativeText(ms: number): string | undefined {
  const seconds = Math.round(Math.abs(ms) / 1000)
  if (seconds >= 86_400) return undefined
  if (seconds === 0) return 'now'
  const amount =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min`
        : `${Math.floor(seconds / 3600)} h`
  return ms < 0 ? `${amount} ago` : `in ${amount}`
}

const utcOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`

/** Formatting functions for templates and messages. */
export const HELPERS = {
  /** Sandbox time, in milliseconds since 1970, as markup: UTC, to the second. */
  exactTime: (ms: number): string => {
    const iso = new Date(ms).toISOString()
    return `<time datetime="${iso}">${utcOf(iso)}</time>`
  },

  /** The same with its zone; static/times.js writes it as local time unless the person chose UTC. */
  axisTime: (ms: number): string => {
    const iso = new Date(ms).toISOString()
    return `<time datetime="${iso}" data-exact>${utcOf(iso)} UTC</time>`
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
    `${number.toLocaleString('en-US')} ${number === 1 ? singular : plural}`,
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
