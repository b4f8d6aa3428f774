// Measures ratios to floors and peers, alternated in one run: `npm run bench -- [--write] [figure ...]`.
// With --write the rows go to docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { command } from './command.ts'
import { type Figure, type Row, reached } from './figure.ts'
import { loadGenerator } from './load.ts'
import { onPostgres } from './postgres.ts'
import { onSqlite, paths } from './receivers.ts'
import { sandbox } from './sandbox.ts'
import { document } from './table.ts'
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

const words = process.argv.slice(2)
const names = words.filter((word) => word !== '--write')
const write = words.includes('--write')
const unknown = names.find((name) => FIGURES.every((figure) => figure.name !== name))
if (unknown !== undefined) {
  const known = FIGURES.map(({ name }) => name).join(', ')
  throw new Error(`bench: ${unknown}: there is no such figure; give some of ${known}, or none for all`)
}

const rows: Row[] = []
for (const figure of FIGURES.filter(({ name }) => names.length === 0 || names.includes(name))) {
  for (const row of await figure.measure()) {
    rows.push(row)
    const verdict = reached(row)
    const mark = verdict === undefined ? ' ' : verdict ? '+' : '-'
    const ratio = row.ratio?.toFixed(2) ?? 'none'
    console.log(
      `${mark} ${row.figure}: ${ratio} × ${row.against}${row.wanted && `, wanted ${row.wanted}`}\n    ${row.detail}`,
    )
  }
}
const PAGE = 'docs/performance.md'
if (write) writeFileSync(PAGE, document(rows, names.length > 0 ? readFileSync(PAGE, 'utf8') : ''))
