import type { Bar, Chart } from './chart.mts'
import { figuresOf, numberIn } from './tables.mts'

/** The share that may be lost while bodies are held; in other attacks the proof allows none. */
const MOST_LOST = 0.01

/** The latency of valid deliveries during each attack, and of the naive receiver that is the control. */
export function latencyChart(page: string): Chart {
  const limit = 1000
  const bars = attacks(page).map(({ name, value }): Bar => {
    const number = (pattern: RegExp) => numberIn(value, pattern)
    const [sent, lost] = [number(/^([\d,]+) valid/), number(/: ([\d,]+) lost/)]
    const [p50, max] = [number(/p50 ([\d,]+) ms/), number(/max ([\d,]+) ms/)]
    const text = `${grouped(p50)} to ${grouped(max)} ms, ${lost} of ${sent} lost`
    const isKept = max <= limit && lost <= sent * MOST_LOST
    return { name, from: p50, to: max, text, kind: isKept ? 'good' : 'bad' }
  })
  return {
    title: 'Latency of valid deliveries during each attack, from the median to the slowest; the limit is 1 s',
    columns: ['attack', 'latency'],
    scale: { least: 1, most: 10_000, logarithmic: true },
    ticks: [
      { at: 1, label: '1 ms' },
      { at: 10, label: '10 ms' },
      { at: 100, label: '100 ms' },
      { at: limit, label: '1 s' },
      { at: 10_000, label: '10 s' },
    ],
    line: limit,
    isRange: true,
    bars,
  }
}

/** The most memory of the receiver during each attack. */
export function memoryChart(page: string): Chart {
  const limit = 512
  const bars = attacks(page).map(({ name, value }): Bar => {
    const most = numberIn(value, /RSS [\d,]+ to ([\d,]+) MiB/)
    return { name, from: 0, to: most, text: `${grouped(most)} MiB`, kind: most > limit ? 'bad' : 'good' }
  })
  return {
    title: 'Most memory of the receiver (RSS) during each attack; the limit is 512 MiB',
    columns: ['attack', 'memory'],
    scale: { least: 0, most: 1100 },
    ticks: [0, 256, limit, 1024].map((at) => ({ at, label: grouped(at) })),
    line: limit,
    bars,
  }
}

/** The rows with the measurement of an attack; the row below each has its size. */
function attacks(page: string): { name: string; value: string }[] {
  return figuresOf(page, 'attack').flatMap(([name, value]) =>
    name !== '' && value.includes('RSS') && value.includes('p50') ? [{ name, value }] : [],
  )
}

/** How often each proof killed its processes, or cut the power, and what was lost. */
export function crashChart(page: string): Chart {
  const value = (proof: string, name: string): string => {
    const figure = figuresOf(page, proof).find(([known]) => known === name)
    if (figure === undefined) throw new Error(`proof:${proof} has no figure “${name}”`)
    return figure[1]
  }
  const first = /^([\d,]+)/
  const count = (proof: string, name: string) => numberIn(value(proof, name), first)
  const survived = (name: string, crashes: number, lost: number, of: number, doubled: number): Bar => ({
    name,
    from: 0,
    to: crashes,
    text: `${crashes}; ${lost} of ${grouped(of)} lost, ${doubled} doubled`,
    kind: lost + doubled > 0 ? 'bad' : 'good',
  })
  const killed = (store: string, kills: string) =>
    survived(
      `kills, ${store}`,
      count('crash', `${store}: ${kills}`),
      count('crash', `${store}: lost`),
      count('crash', `${store}: events acknowledged`),
      count('crash', `${store}: duplicated`),
    )
  const cut = (who: string) =>
    survived(
      `power cuts, ${who}`,
      count('powercut', `${who}: power cuts`),
      count('powercut', `${who}: lost`),
      count('powercut', `${who}: events acknowledged`),
      count('powercut', `${who}: duplicated`),
    )
  const rounds = (store: string, title: string) => {
    const text = value('durability', `${store}: 20 rounds of hookproof crash`)
    return survived(
      `hookproof crash, ${title}`,
      numberIn(text, /^([\d,]+) kills/),
      numberIn(text, /([\d,]+) lost/),
      numberIn(text, /([\d,]+) acknowledged/),
      numberIn(text, /([\d,]+) doubled/),
    )
  }
  const kills = value('sandbox', 'kills (SIGKILL)')
  const bars = [
    killed('SQLite', 'kills (SIGKILL)'),
    killed('Postgres', 'kills (SIGKILL) of two receivers'),
    cut('one receiver'),
    cut('two receivers'),
    rounds('sqlite', 'SQLite'),
    rounds('postgres', 'Postgres'),
    survived(
      'kills of sandbox and receiver',
      numberIn(kills, first) + numberIn(kills, /sandbox, ([\d,]+)/),
      count('sandbox', 'lost'),
      count('sandbox', 'events'),
      count('sandbox', 'duplicated'),
    ),
  ]
  const crashes = bars.reduce((sum, { to }) => sum + to, 0)
  const most = Math.ceil(Math.max(...bars.map(({ to }) => to)) / 20) * 20
  return {
    title: `${crashes} kills and power cuts, and what was lost of the acknowledged events`,
    columns: ['proof', 'crashes, losses'],
    scale: { least: 0, most },
    ticks: [0, most / 2, most].map((at) => ({ at, label: String(at) })),
    bars,
  }
}

/** How different the times of two wrong signatures are: |t| of Welch's test in each repetition. */
export function timingChart(page: string): Chart {
  const limit = 4.5
  const bars = figuresOf(page, 'timing').flatMap(([name, value]): Bar[] => {
    const [, list] = /^t ([-\d., ]+);/.exec(value) ?? []
    if (list === undefined) return []
    const sizes = list.split(',').map((number) => Math.abs(Number(number)))
    const sorted = sizes.toSorted((one, other) => one - other)
    const [least = 0, median = 0, most = 0] = [0, Math.floor(sorted.length / 2), -1].map((at) =>
      sorted.at(at),
    )
    const text = `|t| ${least} to ${most}, median ${median}`
    return [{ name, from: Math.max(0.1, least), to: most, text, kind: median < limit ? 'good' : 'bad' }]
  })
  return {
    title: `Difference in time between two kinds of wrong signatures, as |t| of Welch’s test; the limit is ${limit}`,
    columns: ['comparison', 'repetitions'],
    scale: { least: 0.1, most: 100, logarithmic: true },
    ticks: [0.1, 1, limit, 100].map((at) => ({ at, label: String(at) })),
    line: limit,
    isRange: true,
    bars,
  }
}

const grouped = (number: number): string => number.toLocaleString('en-US')
