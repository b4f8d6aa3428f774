import { CATALOGUE } from '../conformance/catalogue/index.ts'
import { EXIT, type ExitCode } from './exit.ts'

/** `hookproof cases`: the catalogue, a line for each case or as JSON. */
export function cases({ format }: { readonly format: 'text' | 'json' }): ExitCode {
  const rows = CATALOGUE.map(({ id, level, number, spec, needs, mode }) => ({
    case: id,
    level,
    number,
    sentence: spec,
    profile: needs === 'effects' ? 'full' : 'core',
    mode: mode ?? 'any',
  }))
  if (format === 'json') {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    return EXIT.ok
  }
  const width = Math.max(...rows.map((row) => row.case.length))
  for (const row of rows) {
    const mode = row.mode === 'any' ? '' : `, ${row.mode} mode only`
    process.stdout.write(
      `${row.case.padEnd(width)}  ${row.level.padEnd(6)}  ${row.number.padEnd(5)} ${row.profile}${mode}\n`,
    )
  }
  process.stdout.write(`\n${rows.length} cases. \`hookproof explain <case>\` tells more of one.\n`)
  return EXIT.ok
}
