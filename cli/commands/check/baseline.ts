import { writeFile } from 'node:fs/promises'
import type { ConformanceReport } from '../../../conformance/index.ts'
import { contractOf } from '../../../conformance/options.ts'
import {
  type Comparison,
  compareBaseline,
  parseBaseline,
  updatedBaseline,
} from '../../../conformance/report/baseline.ts'
import { counted, namesIn } from '../../../conformance/report/wording.ts'
import type { Baseline } from '../../../schemas/types.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, pathOf } from '../../shared/io.ts'
import { readText, UnreadableFile } from '../../shared/read-file.ts'
import { reasonOf } from '../../shared/text.ts'

/** The baseline file, and whether to write it. */
export interface BaselineOptions {
  readonly baseline?: string
  readonly updateBaseline?: true
}

/**
 * Reads the baseline before the run, so that a broken one does not cost a run.
 *
 * @returns undefined when none is asked for
 * @throws UsageError when the file cannot be read, HarnessError when it is not a baseline
 */
export async function readBaseline(
  { baseline: file, updateBaseline, service }: BaselineOptions & { service?: string },
  io: Io,
): Promise<Baseline | undefined> {
  if (file === undefined) {
    if (updateBaseline) throw new UsageError('--update-baseline needs --baseline <file>')
    return undefined
  }
  try {
    return await parseBaseline(await readText(pathOf(io, file)), file, (await contractOf(service)).cases)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      if (error instanceof UnreadableFile || (error instanceof Error && 'syscall' in error)) {
        throw new UsageError(`cannot read the baseline ${file}: ${reasonOf(error)}; pass another path`)
      }
      throw error
    }
    if (updateBaseline) return { failures: {} }
    throw new UsageError(`there is no baseline ${file}: create it with --update-baseline`)
  }
}

/** The report with its comparison to the baseline. */
export function withBaseline(report: ConformanceReport, baseline: Baseline | undefined): ConformanceReport {
  if (baseline === undefined) return report
  return { ...report, baseline: compareBaseline(report, baseline, report.startedAt.slice(0, 10)) }
}

/** Prints the comparison to standard error, or writes the new baseline. @returns the exit code */
export async function applyBaseline(
  report: ConformanceReport,
  baseline: Baseline,
  { baseline: file = '', updateBaseline }: BaselineOptions,
  io: Io,
): Promise<ExitCode> {
  const print = (line: string) => io.stderr.write(`hookproof: ${line}\n`)
  if (updateBaseline && report.endedEarly !== undefined) {
    print(
      `${file} is unchanged: the run ended before it could grade the receiver (exit code ${EXIT.incomplete})`,
    )
    return EXIT.incomplete
  }
  if (updateBaseline || report.baseline === undefined) {
    const next = updatedBaseline(report, baseline)
    try {
      await writeFile(pathOf(io, file), `${JSON.stringify(next, null, 2)}\n`)
    } catch (error) {
      throw new UsageError(`cannot write the baseline ${file}: ${reasonOf(error)}; pass another path`)
    }
    const failures = knownFailures(Object.keys(next.failures).length)
    const { inconclusive = [] } = next
    const left = inconclusive.length === 0 ? '' : `, and ${counted(inconclusive.length, 'inconclusive case')}`
    print(`${file} now lists ${failures}${left}`)
    const compared = compareBaseline(report, next, report.startedAt.slice(0, 10))
    if (compared.expired.length > 0) {
      print(`expired entries in ${file}: ${compared.expired.join(', ')}: set a later "expires" date`)
    }
    return exitCodeOf({ ...compared, expired: [] }, report, file, print)
  }
  for (const line of differences(report.baseline, file)) print(line)
  const code = exitCodeOf(report.baseline, report, file, print)
  const { known } = report.baseline
  if (code === EXIT.ok && known.length > 0)
    print(`${file} lists ${knownFailures(known.length)}, so the exit code is 0`)
  return code
}

/** The exit code of a run with a baseline. Prints which cases without a result the baseline does not accept. */
function exitCodeOf(
  { new: added, stale, expired, undecided }: Comparison,
  { conclusion }: ConformanceReport,
  file: string,
  print: (line: string) => void,
): ExitCode {
  if (undecided.length > 0) print(`no result, and not accepted by ${file}: ${namesIn(undecided)}`)
  if (added.length + stale.length + expired.length > 0) return EXIT.failed
  return conclusion === 'incomplete' || undecided.length > 0 ? EXIT.incomplete : EXIT.ok
}

const knownFailures = (count: number): string => counted(count, 'known failure')

function differences({ new: added, stale, expired }: Comparison, file: string): string[] {
  const groups: [readonly string[], string][] = [
    [added, `new failures, not in ${file}`],
    [stale, `entries in ${file} that no longer fail (remove them, or use --update-baseline)`],
    [expired, `expired entries in ${file} (fix the failure, or set a later "expires" date)`],
  ]
  return groups.flatMap(([ids, title]) => (ids.length === 0 ? [] : [`${title}: ${ids.join(', ')}`]))
}
