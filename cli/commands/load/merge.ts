import { packageVersion } from '../../../conformance/report/package.ts'
import { createHistogram, type Histogram } from '../../../load/histogram.ts'
import { decodeHistogram, encodeHistogram } from '../../../load/histogram-encoding.ts'
import { latencyOf } from '../../../load/tally.ts'
import type { LoadReport, LoadRun } from '../../../schemas/types.ts'
import { explain, validate } from '../../../schemas/validate.ts'
import { type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, pathOf } from '../../shared/io.ts'
import { readText } from '../../shared/read-file.ts'
import { oneLine, reasonOf } from '../../shared/text.ts'
import { printReport } from './report.ts'

/** A result takes about 10 kB, and each of its runs 300 bytes. */
const MAX_BYTES = 4 * 1024 * 1024

/** `hookproof load --merge`: adds up the results of several runs, for example from several machines. */
export async function merge(files: readonly string[], json: boolean, io: Io): Promise<ExitCode> {
  const sum = createSum()
  for (const file of files) {
    try {
      sum.add(await readReport(file, io))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw unusable(file, error.message)
    }
  }
  return printReport(sum.report(), json, io)
}

/** Adds reports one by one, so that only one is in memory. */
function createSum() {
  const histogram = createHistogram()
  const runs = new Map<string, LoadRun>()
  const statuses = new Map<string, number>()
  const errors = new Map<string, number>()
  let repeated = 0
  let unsent = 0

  function addCounts(sums: Map<string, number>, counts: Readonly<Record<string, number>>): void {
    for (const [key, count] of Object.entries(counts)) sums.set(key, (sums.get(key) ?? 0) + count)
  }

  return {
    /** @throws RangeError with the problem when the report cannot be added */
    add(report: LoadReport): void {
      for (const run of report.runs) {
        if (runs.has(run.id)) throw new RangeError(`the files contain the run ${oneLine(run.id)} twice`)
        runs.set(run.id, run)
      }
      histogram.add(histogramOf(report))
      addCounts(statuses, report.statuses)
      addCounts(errors, report.errors)
      repeated += report.repeated
      unsent += report.unsent
    },
    report(): LoadReport {
      const all = [...runs.values()]
      const starts = all.map(({ startedAt }) => Date.parse(startedAt))
      const ends = all.map(({ seconds }, index) => (starts[index] ?? 0) + seconds * 1000)
      const started = starts.reduce((first, start) => Math.min(first, start))
      const seconds = (ends.reduce((last, end) => Math.max(last, end)) - started) / 1000
      const answered = histogram.total()
      return {
        hookproof: packageVersion(),
        startedAt: new Date(started).toISOString(),
        seconds,
        answered,
        perSecond: answered / seconds,
        repeated,
        unsent,
        latency: latencyOf(histogram),
        histogram: { unit: 'microseconds', encoded: encodeHistogram(histogram) },
        statuses: Object.fromEntries(statuses),
        errors: Object.fromEntries(errors),
        runs: all,
      }
    },
  }
}

/** @throws RangeError when it is broken, or does not fit the other numbers of the report */
function histogramOf({ histogram: { encoded }, answered, statuses }: LoadReport): Histogram {
  const histogram = decode(encoded)
  const responses = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  if (histogram.total() !== answered || responses !== answered) {
    throw new RangeError(
      `its histogram has ${histogram.total()} latencies and its statuses ${responses} responses, but "answered" is ${answered}`,
    )
  }
  return histogram
}

function decode(encoded: string): Histogram {
  try {
    return decodeHistogram(encoded)
  } catch (error) {
    throw new RangeError(`the histogram cannot be read: ${reasonOf(error)}`)
  }
}

/** @throws UsageError when the file cannot be read; RangeError with the first problem when it is not a result */
async function readReport(file: string, io: Io): Promise<LoadReport> {
  const value = parse(await read(file, io))
  const violations = validate('load', value)
  if (violations.length === 0) return value as LoadReport
  const more = violations.length > 1 ? `, and ${violations.length - 1} more` : ''
  throw new RangeError(oneLine(explain(violations.slice(0, 1))) + more)
}

async function read(file: string, io: Io): Promise<string> {
  try {
    return await readText(pathOf(io, file), { maxBytes: MAX_BYTES })
  } catch (error) {
    throw new UsageError(
      `cannot read the result ${file}: ${reasonOf(error)}; pass a file written by \`hookproof load --json\``,
    )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RangeError('it is not JSON')
  }
}

function unusable(file: string, problem: string): UsageError {
  return new UsageError(
    `cannot merge ${file}: ${problem}; pass files written by \`hookproof load --json\`, each once`,
  )
}
