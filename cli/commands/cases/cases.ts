import { CRASH_CASES } from '../../../conformance/contracts/payment-service/cases/durable.ts'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import type { CatalogueCase, ReportProfile } from '../../../conformance/contracts/webhook/model.ts'
import { globOf } from '../../../conformance/contracts/webhook/select.ts'
import { contractOf } from '../../../conformance/options.ts'
import { counted } from '../../../conformance/report/wording.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { notFound } from '../../shared/find.ts'
import type { Io } from '../../shared/io.ts'
import { namedService, type ServiceOptions } from '../../shared/service.ts'

/**
 * `hookproof cases`: lists the catalogue, one line for each case or as JSON.
 *
 * @param patterns the same as for `--only`; none means every case
 * @throws UsageError for a pattern that matches no case
 */
export async function cases(
  patterns: readonly string[],
  { format, ...options }: ServiceOptions & { readonly format: 'text' | 'json' },
  io: Io,
): Promise<ExitCode> {
  const contract = await contractOf(await namedService(options, io))
  const listed = matching(patterns, contract)
  if (format === 'json') {
    const rows = listed.map(({ id, level, number, spec, needs, mode, contract: own }) => ({
      case: id,
      level,
      number,
      sentence: spec,
      profile: profileOf(needs),
      mode: mode ?? 'any',
      ...(own !== undefined && { source: own.source }),
    }))
    io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    return EXIT.ok
  }
  const more = isPayment(contract) ? '' : ` --service ${contract.id}`
  io.stdout.write(
    `${table(listed)}\n${counted(listed.length, 'case')}. \`hookproof explain <case>${more}\` shows the details of one.\n`,
  )
  return EXIT.ok
}

const isPayment = ({ id }: WebhookContract) => id === 'payment-service'

/** The cases as a table with headings: those of SPEC.md with the profile, those of other services with the sentence. */
function table(listed: readonly CatalogueCase[]): string {
  const rows = listed.map(({ id, level, number, needs, mode, spec, contract }) => [
    id,
    level,
    number,
    contract === undefined ? `${profileOf(needs)}${mode === undefined ? '' : `, ${mode} mode only`}` : spec,
  ])
  const last = listed.some(({ contract }) => contract !== undefined) ? '' : 'Profile'
  const all = [['Case', 'Level', 'Requirement', last], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** The profile that a case belongs to. */
export function profileOf(needs: CatalogueCase['needs']): ReportProfile {
  if (needs === 'crash') return 'durable'
  return needs === 'effects' ? 'full' : 'core'
}

function matching(patterns: readonly string[], contract: WebhookContract): readonly CatalogueCase[] {
  const all = [...contract.cases, ...(isPayment(contract) ? CRASH_CASES : [])]
  if (patterns.length === 0) return all
  const matches = (pattern: string) => all.filter(({ id }) => globOf(pattern).test(id))
  const unknown = patterns.find((pattern) => matches(pattern).length === 0)
  const ids = all.map(({ id }) => id)
  if (unknown !== undefined) throw notFound('case', unknown, ids)
  const found = new Set(patterns.flatMap(matches))
  return all.filter((listed) => found.has(listed))
}
