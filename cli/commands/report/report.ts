import { text } from 'node:stream/consumers'
import type { ConformanceReport } from '../../../conformance/index.ts'
import { diffReports, renderDiff } from '../../../conformance/report/diff.ts'
import { explain, validate } from '../../../schemas/validate.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, pathOf } from '../../shared/io.ts'
import { readText } from '../../shared/read-file.ts'
import { prepareReports, writeReports } from '../../shared/reports.ts'
import { oneLine, reasonOf } from '../../shared/text.ts'

/** The options of `hookproof report`. */
export interface ReportCommandOptions {
  readonly report?: readonly string[]
  readonly diff?: true
  readonly verbose?: true
}

/** `hookproof report`: converts a saved JSON report, or shows what changed between two. */
export async function report(
  files: readonly string[],
  options: ReportCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const [first = '-', second] = files
  if (options.diff === true) {
    if (options.report !== undefined)
      throw new UsageError('--diff and --report cannot be combined: leave one out')
    if (second === undefined || files.length > 2)
      throw new UsageError(
        `--diff compares two reports, not ${files.length}: pass two files, as in --diff old.json new.json`,
      )
    const [older, newer] = [await readReport(first, io), await readReport(second, io)]
    io.stdout.write(renderDiff(older, newer))
    return diffReports(older, newer).failures.length === 0 ? EXIT.ok : EXIT.failed
  }
  if (second !== undefined)
    throw new UsageError(
      `only one report can be converted, not ${files.length}: to compare two, use --diff old.json new.json`,
    )
  // Read before anything is written: an output file may be the report itself.
  const saved = await readReport(first, io)
  return (await writeReports(saved, await prepareReports(io, options.report), io, options))
    ? EXIT.ok
    : EXIT.unable
}

/** @throws UsageError with the first problem when the file is not a report */
async function readReport(file: string, io: Io): Promise<ConformanceReport> {
  const value = parse(await read(file, io), file)
  const violations = validate('report', value)
  if (violations.length === 0) return value as ConformanceReport
  const more = violations.length > 1 ? `, and ${violations.length - 1} more` : ''
  throw notAReport(file, oneLine(explain(violations.slice(0, 1))) + more)
}

async function read(file: string, io: Io): Promise<string> {
  if (file === '-') return text(io.stdin)
  try {
    return await readText(pathOf(io, file))
  } catch (error) {
    throw new UsageError(
      `cannot read the report ${file}: ${reasonOf(error)}; pass a file written by \`--report json=file\``,
    )
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notAReport(file, 'it is not JSON')
  }
}

function notAReport(file: string, problem: string): UsageError {
  return new UsageError(
    `${file} is not a hookproof report: ${problem}; pass a file written by \`--report json=file\``,
  )
}
