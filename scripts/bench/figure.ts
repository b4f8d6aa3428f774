import { median } from '../shared/numbers.ts'

/** Measures each figure once: that shows that all can be measured, and its figures are rough. */
export const isQuick = process.argv.includes('--quick')

/** How often to measure a figure. @param usual the number without `--quick` */
export const roundsOf = (usual: number): number => (isQuick ? 1 : usual)

/** One row of the table. */
export interface Row {
  /** What was measured. */
  readonly figure: string
  /** What it was compared with: a lower bound or a peer. */
  readonly baseline: string
  /** The ratio to the baseline; undefined if it could not be measured. */
  readonly ratio: number | undefined
  /** `≤ 1.25` or `≥ 3`, for example; empty if the figure has no target. */
  readonly target: string
  /** The absolute values. */
  readonly details: string
}

/** Measures some rows of the table. */
export interface Figure {
  readonly name: string
  measure(): Promise<Row[]>
}

/** The median of the ratios of each round: other load during a round affects both sides of its ratio. */
export function medianRatio(values: readonly number[], baselines: readonly number[]): number {
  return median(values.map((value, round) => value / (baselines[round] ?? Number.NaN)))
}

/** Whether a ratio meets its target; undefined without a ratio or a target. */
export function meetsTarget({ ratio, target }: Pick<Row, 'ratio' | 'target'>): boolean | undefined {
  const [, sign, bound] = /^([≤≥]) ([0-9.]+)/.exec(target) ?? []
  if (ratio === undefined || bound === undefined) return undefined
  return sign === '≤' ? ratio <= Number(bound) : ratio >= Number(bound)
}

const INTRODUCTION = `# Performance

\`npm run bench -- --write\` writes this page; \`npm run bench -- --write sqlite\` measures only the figures that it names. Each
figure is a ratio to a baseline, which is a lower bound or a peer. Both are measured alternately in one run. The ratio is
the median of the ratios of at least five rounds, and the details are the medians of each side, so they need not divide
exactly to the ratio. (Memory is measured once.) The server is pinned to one CPU core and its client to another. The client is
\`hookproof load\`, which signs each delivery and gives it a random payment id; it uses 200 connections unless the row says
otherwise. If the server's core is almost fully busy, the client saturated it. On a shared machine rates vary by up to
50%, so trust the ratios and the server's CPU time per response.

- *Signature only* is \`createVerifier\`. *Signature and event* is \`readDelivery\`, which also parses the JSON; that adds about
  60 to 70%. Times are CPU time, including garbage collection.
- *Full receiver*: reads, verifies, parses, stores (if it has a database) and acknowledges. Processing does not run.
- *On SQLite*: the inbox holds 200,000 events with random keys; each acknowledgment waits for the disk.
- *On Postgres*: the same, including the queue's job. Postgres runs on the same machine, on the client's core.
- *Two receivers on one Postgres*: receivers, Postgres and clients share the two cores, and each receiver gets half of the
  connections. One receiver already keeps both cores busy, together with its client and Postgres. So a second receiver adds
  no CPU time; it only splits the deliveries into smaller batches, each with a separate commit.
- *Acknowledgment p99, 50 connections*: each connection sends its next delivery after the response to the last, so a pause
  delays at most 50 deliveries. At a fixed rate (the next row) a pause delays every delivery that is due meanwhile. SQLite
  causes pauses: after about 10,000 deliveries another thread copies its log into the database file, while deliveries are
  acknowledged; only then commits wait twice, for up to 10 ms each, so that the log can start again. Both threads share the
  server's core and the disk. The ratio also depends on the slowest syncs of the disk.
- *Acknowledgment p50, one client*: both variants use one transaction per delivery. The receiver waits until the end of the
  event loop turn, since other deliveries might share the commit, and checks that the database file is still in its place.
  That takes 20 to 60 µs of 200 µs, more than the target of a tenth.
- *No work*: the route with raw-body, without verification or a database.
- *expressClasses on Node.js 20*, *22* and *24*: the same Express application, whose server creates its requests and responses
  with \`expressClasses\` or without. The server runs on that version, the client always on the one below the table.
`

const HEAD =
  '| figure | baseline | ratio | target | result | details |\n| --- | --- | --- | --- | --- | --- |'

/** Renders docs/performance.md. @param before the present page; rows that were not measured again are kept */
export function performancePage(rows: readonly Row[], before = ''): string {
  const measured = new Map(rows.map((row) => [keyOf(row), lineOf(row)]))
  const present = before.split('\n').filter((line) => /^\| (?!figure|---)/.test(line))
  const lines = present.map((line) => {
    const key = line.split(' | ').slice(0, 2).join(' | ')
    const replacement = measured.get(key)
    measured.delete(key)
    return replacement ?? line
  })
  lines.push(...measured.values())
  const machine = `Node.js ${process.version}, ${process.platform} ${process.arch}, ${new Date().toISOString().slice(0, 10)}.`
  return `${INTRODUCTION}\n${HEAD}\n${lines.join('\n')}\n\n${machine}\n`
}

const keyOf = ({ figure, baseline }: Row): string => `| ${figure} | ${baseline}`

function lineOf(row: Row): string {
  const { ratio, target, details } = row
  const verdict = { true: 'met', false: 'missed', undefined: '' }[String(meetsTarget(row))]
  return `${keyOf(row)} | ${[ratio?.toFixed(2) ?? '', target, verdict, details].join(' | ')} |`
}
