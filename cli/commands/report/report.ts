import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { ConformanceReport } from '../../../conformance/index.ts'
import { diffReports, renderDiff } from '../../../conformance/report/diff.ts'
import { explain, validate } from '../../../schemas/validate.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { oneLine, reasonOf } from '../../shared/options.ts'
import { prepareReports, writeReports } from '../../shared/reports.ts'

/** The options of `hookproof report`. */
export interface ReportCommandOptions {
  readonly report?: readonly string[]
  readonly diff?: true
}

/** `hookproof report`: renders a saved JSON report anew, or tells what changed between two. */
export async function report(files: readonly string[], options: ReportCommandOptions): Promise<ExitCode> {
  const [first = '-', second] = files
  if (options.diff === true) {
    if (options.report !== undefined)
      throw new UsageError('--diff and --report are both given: leave one out')
    if (second === undefined || files.length > 2)
      throw new UsageError(`--diff compares two reports, not ${files.length}: write --diff old.json new.json`)
    const [older, newer] = [await readReport(first), await readReport(second)]
    process.stdout.write(renderDiff(older, newer))
    return diffReports(older, newer).failures.length === 0 ? EXIT.ok : EXIT.failed
  }
  if (second !== undefined)
    throw new UsageError(
      `one report is rendered, not ${files.length}: to compare two, write --diff old.json new.json`,
    )
  // Read before anything is written: one of the files may be the report itself.
  const saved = await readReport(first)
  return (await writeReports(saved, await prepareReports(options.report))) ? EXIT.ok : EXIT.unable
}

/** @throws UsageError when the file is no report, with the first thing that is wrong. */
async function readReport(file: string): Promise<ConformanceReport> {
  const value = parse(await read(file), file)
  const found = validate('report', value)
  if (found.length === 0) return value as ConformanceReport
  const more = found.length > 1 ? `, and ${found.length - 1} more` : ''
  throw noReport(file, oneLine(explain(found.slice(0, 1))) + more)
}

async function read(file: string): Promise<string> {
  if (file === '-') return text(process.stdin)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(
      `can not read the report ${file}: ${reasonOf(error)}; give a file that \`--report json=file\` wrote`,
    )
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw noReport(file, 'it is not JSON')
  }
}

function noReport(file: string, why: string): UsageError {
  return new UsageError(
    `${file} is no report of hookproof: ${why}; give a file that \`--report json=file\` wrote`,
  )
}
