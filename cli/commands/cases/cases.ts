import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import type { CatalogueCase, ReportProfile } from '../../../conformance/contracts/payment-service/model.ts'
import { globOf, select } from '../../../conformance/contracts/payment-service/select.ts'
import { CRASH_CASES } from '../../../conformance/crash/catalogue.ts'
import { HarnessError } from '../../../conformance/engine/errors.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { counted } from '../../shared/text.ts'

/**
 * `hookproof cases`: lists the catalogue, one line for each case or as JSON.
 *
 * @param patterns the same as for `--only`; none means every case
 * @throws HarnessError `nothing_selected` for a pattern that matches no case
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
export function table(listed: readonly CatalogueCase[]): string {
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
  const ofCrash = (pattern: string) => CRASH_CASES.filter(({ id }) => globOf(pattern).test(id))
  const only = patterns.filter((pattern) => ofCrash(pattern).length === 0)
  const crashed = patterns.length === 0 ? CRASH_CASES : [...new Set(patterns.flatMap(ofCrash))]
  if (patterns.length > 0 && only.length === 0) return crashed
  const matchingIn = (mode: 'test' | 'live') => {
    const { cases, excluded } = select({ profile: 'full', mode, only, skip: [] })
    const ids = new Set([...cases.map(({ id }) => id), ...excluded.map((skipped) => skipped.case)])
    return CATALOGUE.filter(({ id }) => ids.has(id))
  }
  try {
    return [...matchingIn('test'), ...crashed]
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error
    // The patterns may match live-mode cases only; any other problem occurs in both modes.
    return [...matchingIn('live'), ...crashed]
  }
}
