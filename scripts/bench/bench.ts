// Measures ratios to lower bounds and peers: `npm run bench -- [--write | --quick] [figure ...]`.
// With --write it writes the rows to docs/performance.md; with --quick it measures each figure only once.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Figure, isQuick, meetsTarget, performancePage, type Row } from './figure.ts'
import { loadGenerator } from './load.ts'
import { onSqlite, paths } from './receivers.ts'
import { services } from './services.ts'
import { verification } from './verify.ts'

const FIGURES: readonly Figure[] = [verification, paths, onSqlite, loadGenerator, services]

const PAGE = 'docs/performance.md'
const args = process.argv.slice(2)
const names = args.filter((arg) => arg !== '--write' && arg !== '--quick')
const unknown = names.filter((name) => FIGURES.every((figure) => figure.name !== name))
if (unknown.length > 0) {
  const known = FIGURES.map(({ name }) => name).join(', ')
  console.error(
    `bench: unknown figure ${unknown.join(', ')}; choose from ${known}, or give none to measure all`,
  )
  process.exitCode = 2
} else if (isQuick && args.includes('--write')) {
  console.error('bench: --quick is too rough for --write; leave one out')
  process.exitCode = 2
} else {
  const rows = await measure(FIGURES.filter(({ name }) => names.length === 0 || names.includes(name)))
  if (args.includes('--write')) writeFileSync(PAGE, performancePage(rows, readFileSync(PAGE, 'utf8')))
}

/** Measures figures one after another, and prints each row. */
async function measure(figures: readonly Figure[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const figure of figures) {
    for (const row of await figure.measure()) {
      rows.push(row)
      const met = meetsTarget(row)
      const mark = met === undefined ? ' ' : met ? '+' : '-'
      const target = row.target === '' ? '' : `, target ${row.target}`
      console.log(`${mark} ${row.figure}: ${row.ratio.toFixed(2)} × ${row.baseline}${target}`)
      console.log(`    ${row.details}`)
    }
  }
  return rows
}
