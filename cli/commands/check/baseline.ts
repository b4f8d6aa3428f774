import { readFile, writeFile } from 'node:fs/promises'
import { type Comparison, compare, parseBaseline, update } from '../../../conformance/baseline.ts'
import type { ConformanceReport } from '../../../conformance/index.ts'
import type { Baseline } from '../../../schemas/types.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { printNotice } from '../../shared/find.ts'
import { reasonOf } from '../../shared/options.ts'

/** Where a baseline is kept, and whether it is to be written anew. */
export interface BaselineOptions {
  readonly baseline?: string
  readonly updateBaseline?: true
}

/**
 * Reads the baseline before the run, so that a broken one costs no run.
 *
 * @returns undefined when none is asked for
 * @throws UsageError when the file can not be read, HarnessError when it is no baseline
 */
export async function readBaseline({
  baseline: file,
  updateBaseline,
}: BaselineOptions): Promise<Baseline | undefined> {
  if (file === undefined) {
    if (updateBaseline) throw new UsageError('--update-baseline writes the file of --baseline: give that too')
    return undefined
  }
  try {
    return await parseBaseline(await readFile(file, 'utf8'), file, printNotice)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      if (error instanceof Error && 'syscall' in error) {
        throw new UsageError(`can not read the baseline ${file}: ${reasonOf(error)}; give another path`)
      }
      throw error
    }
    if (updateBaseline) return { failures: {} }
    throw new UsageError(`there is no baseline ${file}: write it with --update-baseline`)
  }
}

/** The report with what the baseline says about it. */
export function withBaseline(report: ConformanceReport, baseline: Baseline | undefined): ConformanceReport {
  if (baseline === undefined) return report
  return { ...report, baseline: compare(report, baseline, report.startedAt.slice(0, 10)) }
}

/** Says on standard error what the baseline came to, or writes it anew, and tells the exit code. */
export async function applyBaseline(
  report: ConformanceReport,
  baseline: Baseline,
  { baseline: file = '', updateBaseline }: BaselineOptions,
): Promise<ExitCode> {
  if (updateBaseline || report.baseline === undefined) {
    const next = update(report, baseline)
    try {
      await writeFile(file, `${JSON.stringify(next, null, 2)}\n`)
    } catch (error) {
      throw new UsageError(`can not write the baseline ${file}: ${reasonOf(error)}; give another path`)
    }
    process.stderr.write(`hookproof: ${file} now lists ${knownFailures(Object.keys(next.failures).length)}\n`)
    const { expired } = compare(report, next, report.startedAt.slice(0, 10))
    if (expired.length > 0) {
      process.stderr.write(
        `hookproof: expired entries in ${file}: ${expired.join(', ')}. Set a later expires date\n`,
      )
    }
    return report.conclusion === 'incomplete' ? EXIT.incomplete : EXIT.ok
  }
  for (const line of lines(report.baseline, file)) process.stderr.write(`hookproof: ${line}\n`)
  const { known, new: added, stale, expired } = report.baseline
  if (added.length + stale.length + expired.length > 0) return EXIT.failed
  if (report.conclusion === 'incomplete' || hasUntestedMust(report)) return EXIT.incomplete
  if (known.length > 0) {
    process.stderr.write(`hookproof: ${file} lists ${knownFailures(known.length)}, so the exit status is 0\n`)
  }
  return EXIT.ok
}

function hasUntestedMust({ verdicts }: ConformanceReport): boolean {
  return verdicts.some(({ outcome, level }) => outcome === 'untested' && level === 'MUST')
}

const knownFailures = (count: number): string => (count === 1 ? '1 known failure' : `${count} known failures`)

function lines({ new: added, stale, expired }: Comparison, file: string): string[] {
  const told: [readonly string[], string][] = [
    [added, `failures that ${file} does not know`],
    [stale, `entries of ${file} that no longer fail: remove them, or use --update-baseline`],
    [expired, `expired entries of ${file}: fix the failure, or set a later expires date`],
  ]
  return told.flatMap(([ids, what]) => (ids.length === 0 ? [] : [`${what}: ${ids.join(', ')}`]))
}
