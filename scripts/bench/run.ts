// Measures ratios to lower bounds and peers: `npm run bench -- [--write] [figure ...]`.
// With --write it writes the rows to docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { command } from './command.ts'
import { type Figure, meetsTarget, type Row } from './figure.ts'
import { loadGenerator } from './load.ts'
import { onPostgres } from './postgres.ts'
import { onSqlite, paths } from './receivers.ts'
import { sandbox } from './sandbox.ts'
import { performancePage } from './table.ts'
import { verification } from './verify.ts'

const FIGURES: readonly Figure[] = [
  verification,
  paths,
  onSqlite,
  onPostgres,
  loadGenerator,
  command,
  sandbox,
]

const args = process.argv.slice(2)
const names = args.filter((arg) => arg !== '--write')
const write = args.includes('--write')
const unknown = names.find((name) => FIGURES.every((figure) => figure.name !== name))
if (unknown !== undefined) {
  const known = FIGURES.map(({ name }) => name).join(', ')
  throw new Error(`bench: unknown figure "${unknown}"; choose from ${known}, or give none to measure all`)
}

const rows: Row[] = []
for (const figure of FIGURES.filter(({ name }) => names.length === 0 || names.includes(name))) {
  for (const row of await figure.measure()) {
    rows.push(row)
    const met = meetsTarget(row)
    const mark = met === undefined ? ' ' : met ? '+' : '-'
    const ratio = row.ratio?.toFixed(2) ?? 'none'
    console.log(
      `${mark} ${row.figure}: ${ratio} × ${row.baseline}${row.target && `, target ${row.target}`}\n    ${row.details}`,
    )
  }
}
const PAGE = 'docs/performance.md'
if (write) writeFileSync(PAGE, performancePage(rows, names.length > 0 ? readFileSync(PAGE, 'utf8') : ''))
