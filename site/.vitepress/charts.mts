/** One row of a chart: a bar, or a range with a dot at its start. */
interface Bar {
  readonly name: string
  readonly from: number
  readonly to: number
  /** The figures in words: what a screen reader says instead of the bar. */
  readonly text: string
  readonly kind: 'good' | 'bad'
}

export interface Chart {
  readonly title: string
  /** What the rows are, and what the figures in words are. */
  readonly columns: readonly [name: string, text: string]
  /** Both ends of the axis. A logarithmic one shows ratios and ranges, whose length is not the value. */
  readonly scale: { readonly least: number; readonly most: number; readonly logarithmic?: boolean }
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
  /** A vertical line: a limit or a baseline. */
  readonly line?: number
  readonly isRange?: boolean
  readonly bars: readonly Bar[]
}

/**
 * Renders a chart as a table in which each row has a bar. So it needs no JavaScript, screen readers read the figures, and it
 * fits a phone.
 *
 * @throws Error if there is nothing to show, or a figure is no number: then the page that it reads has changed
 */
export function render({ title, columns, scale, ticks, line, isRange = false, bars }: Chart): string {
  if (bars.length === 0) throw new Error(`the chart “${title}” has no figures`)
  const x = (value: number): number => {
    if (!Number.isFinite(value)) throw new Error(`the chart “${title}” has a figure that is no number`)
    const of = (number: number) => (scale.logarithmic === true ? Math.log(number) : number)
    const share = (of(value) - of(scale.least)) / (of(scale.most) - of(scale.least))
    return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10
  }
  const mark = line === undefined ? '' : `<i class="line" style="left:${x(line)}%"></i>`
  const axis = ticks.map(({ at, label }) => {
    const position = x(at)
    const side = position > 95 ? ' class="last"' : position < 5 ? ' class="first"' : ''
    return `<i${side} style="left:${position}%">${escaped(label)}</i>`
  })
  const rows = bars.map(({ name, from, to, text, kind }) => {
    const [left, right] = [x(Math.min(from, to)), x(Math.max(from, to))]
    const width = Math.max(0.4, Math.round((right - left) * 10) / 10)
    const bar = `<i class="${isRange ? 'range' : 'bar'} ${kind}" style="left:${left}%;width:${width}%"></i>`
    return `<tr role="row"><th role="rowheader" scope="row">${escaped(name)}</th><td role="cell">${escaped(text)}</td><td role="presentation" class="plot" aria-hidden="true">${mark}${bar}</td></tr>`
  })
  const [name, text] = columns.map(escaped)
  // The roles stay when the style makes a grid of the table.
  return `<figure class="chart">
<figcaption>${escaped(title)}</figcaption>
<table role="table" aria-label="${escaped(title)}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${name}</th><th role="columnheader" scope="col">${text}</th><td role="presentation" class="plot axis" aria-hidden="true">${axis.join('')}</td></tr></thead><tbody role="rowgroup">
${rows.join('\n')}
</tbody></table>
</figure>
`
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('{{', '{ {')

/** The cells of the rows of Markdown tables, without the heads and the lines below them. */
function rowsOf(page: string): string[][] {
  const lines = page.split('\n')
  return lines
    .filter((line, at) => line.startsWith('| ') && !isRule(line) && !isRule(lines[at + 1] ?? ''))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

const isRule = (line: string): boolean => /^\| ?---/.test(line)

/** The figures that a proof wrote to its page, by their names. @throws Error if the page has none of that proof */
function figuresOf(page: string, proof: string): [name: string, value: string][] {
  const [, table] = new RegExp(`<!-- proof:${proof} -->([^]*?)<!-- /proof:${proof} -->`).exec(page) ?? []
  if (table === undefined) throw new Error(`the page has no figures of proof:${proof}`)
  return rowsOf(table).map(([name = '', value = '']) => [name, value])
}

/** The number that a pattern captures, such as 52,196. @throws Error if the text does not match */
function numberIn(text: string, pattern: RegExp): number {
  const [, digits] = pattern.exec(text) ?? []
  const number = Number(digits?.replaceAll(',', ''))
  if (digits === undefined || Number.isNaN(number)) throw new Error(`${pattern} finds no number in “${text}”`)
  return number
}

/** How many mutants each section must detect, from docs/kill-matrix.md. */
export function killsChart(page: string): Chart {
  const [mutants = ''] = page.split('\n## MUST cases')
  const sections = new Map<string, { kills: number; cases: Set<string> }>()
  const rows = rowsOf(mutants)
  for (const [, detectedBy = ''] of rows) {
    const ids = [...detectedBy.matchAll(/`(([a-z-]+)\/[^`]+)`/g)]
    for (const section of new Set(ids.map(([, , name = '']) => name))) {
      const { kills, cases } = sections.get(section) ?? { kills: 0, cases: new Set() }
      for (const [, id = ''] of ids) if (id.startsWith(`${section}/`)) cases.add(id)
      sections.set(section, { kills: kills + 1, cases })
    }
  }
  const bars = [...sections]
    .toSorted(([, one], [, other]) => other.kills - one.kills)
    .map(([section, { kills, cases }]) => ({
      name: section.replaceAll('-', ' '),
      from: 0,
      to: kills,
      text: `${kills} mutants, ${cases.size} cases`,
      kind: 'good' as const,
    }))
  const most = Math.ceil(Math.max(1, ...bars.map(({ to }) => to)) / 20) * 20
  return {
    title: `${rows.length} mutants, by the section whose cases must detect them`,
    columns: ['section', 'must detect'],
    scale: { least: 0, most },
    ticks: [0, most / 2, most].map((at) => ({ at, label: String(at) })),
    bars,
  }
}

/** The figures of docs/performance.md that have a target, each as the ratio to its baseline. */
export function performanceChart(page: string): Chart {
  const bars = rowsOf(page).flatMap(
    ([figure = '', baseline = '', ratio = '', target = '', result]): Bar[] => {
      if (target === '') return []
      const goal = target.replace(/ \(.*/, '')
      const text = `${ratio} (target ${goal}, ${result})`
      return [
        {
          name: `${figure} / ${baseline}`,
          from: 1,
          to: Number(ratio),
          text,
          kind: result === 'met' ? 'good' : 'bad',
        },
      ]
    },
  )
  return {
    title: 'Figures with a target, as ratios to their baselines',
    columns: ['figure / baseline', 'ratio'],
    scale: { least: 0.1, most: 10, logarithmic: true },
    ticks: [0.1, 0.3, 1, 3, 10].map((at) => ({ at, label: `${at}×` })),
    line: 1,
    bars,
  }
}

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
  const bars = [
    killed('SQLite', 'kills (SIGKILL)'),
    killed('Postgres', 'kills (SIGKILL) of two receivers'),
    cut('one receiver'),
    cut('two receivers'),
    rounds('sqlite', 'SQLite'),
    rounds('postgres', 'Postgres'),
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
