import { CRASH_CASES } from '../../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import type { CatalogueCase, ReportProfile } from '../../../conformance/contracts/webhook/model.ts'
import { globOf } from '../../../conformance/contracts/webhook/select.ts'
import { counted } from '../../../conformance/report/wording.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { notFound } from '../../shared/find.ts'
import type { Io } from '../../shared/io.ts'

/**
 * `hookproof cases`: lists the catalogue, one line for each case or as JSON.
 *
 * @param patterns the same as for `--only`; none means every case
 * @throws UsageError for a pattern that matches no case
 */
export function cases(
  patterns: readonly string[],
  { format }: { readonly format: 'text' | 'json' },
  io: Io,
): ExitCode {
  const listed = matching(patterns)
  if (format === 'json') {
    const rows = listed.map(({ id, level, number, spec, needs, mode }) => ({
      case: id,
      level,
      number,
      sentence: spec,
      profile: profileOf(needs),
      mode: mode ?? 'any',
    }))
    io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    return EXIT.ok
  }
  io.stdout.write(
    `${table(listed)}\n${counted(listed.length, 'case')}. \`hookproof explain <case>\` shows the details of one.\n`,
  )
  return EXIT.ok
}

/** The cases as a table with headings. */
function table(listed: readonly CatalogueCase[]): string {
  const rows = listed.map(({ id, level, number, needs, mode }) => [
    id,
    level,
    number,
    `${profileOf(needs)}${mode === undefined ? '' : `, ${mode} mode only`}`,
  ])
  const all = [['Case', 'Level', 'Requirement', 'Profile'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`).join('')
}

/** The profile that a case belongs to. */
export function profileOf(needs: CatalogueCase['needs']): ReportProfile {
  if (needs === 'crash') return 'durable'
  return needs === 'effects' ? 'full' : 'core'
}

function matching(patterns: readonly string[]): readonly CatalogueCase[] {
  const all = [...CATALOGUE, ...CRASH_CASES]
  if (patterns.length === 0) return all
  const matches = (pattern: string) => all.filter(({ id }) => globOf(pattern).test(id))
  const unknown = patterns.find((pattern) => matches(pattern).length === 0)
  const ids = all.map(({ id }) => id)
  if (unknown !== undefined) throw notFound('case', unknown, ids)
  const found = new Set(patterns.flatMap(matches))
  return all.filter((listed) => found.has(listed))
}
