import type { CatalogueCase } from '../../../conformance/case/model.ts'
import { CATALOGUE } from '../../../conformance/catalogue/index.ts'
import { HarnessError } from '../../../conformance/errors.ts'
import { select } from '../../../conformance/run/select.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { printNotice } from '../../shared/find.ts'

/**
 * `hookproof cases`: the catalogue, a line for each case or as JSON.
 *
 * @param patterns as `--only` takes them; none means every case
 * @throws HarnessError `nothing_selected` for a pattern that matches no case
 */
export function cases(
  patterns: readonly string[],
  { format }: { readonly format: 'text' | 'json' },
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
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    return EXIT.ok
  }
  const count = listed.length === 1 ? '1 case' : `${listed.length} cases`
  process.stdout.write(`${table(listed)}\n${count}. \`hookproof explain <case>\` tells more of one.\n`)
  return EXIT.ok
}

/** Cases as lines below headings. */
export function table(listed: readonly CatalogueCase[]): string {
  const rows = listed.map(({ id, level, number, needs, mode }) => [
    id,
    level,
    number,
    `${profileOf(needs)}${mode === undefined ? '' : `, ${mode} mode only`}`,
  ])
  const all = [['Case', 'Level', 'SPEC.md', 'Profile'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`).join('')
}

function profileOf(needs: CatalogueCase['needs']): string {
  return needs === 'effects' ? 'full' : 'core'
}

function matching(only: readonly string[]): readonly CatalogueCase[] {
  const of = (mode: 'test' | 'live') => {
    const { cases, excluded, notices } = select({ profile: 'full', mode, only, skip: [] })
    for (const notice of notices) printNotice(notice)
    const ids = new Set([...cases.map(({ id }) => id), ...excluded.map((one) => one.case)])
    return CATALOGUE.filter(({ id }) => ids.has(id))
  }
  try {
    return of('test')
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error
    // They may be cases of live mode alone; whatever else is wrong is so in either mode.
    return of('live')
  }
}
