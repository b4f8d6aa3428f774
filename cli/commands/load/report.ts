import { randomUUID } from 'node:crypto'
import { packageVersion } from '../../../conformance/report/package.ts'
import { encodeHistogram } from '../../../load/histogram-encoding.ts'
import type { LoadOptions, LoadResult } from '../../../load/run.ts'
import type { LoadReport } from '../../../schemas/types.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { counted } from '../../shared/text.ts'

/** The result of a run with everything that is needed to merge it with others. */
export function reportOf(result: LoadResult, options: LoadOptions): LoadReport {
  const { seconds, answered, perSecond, repeated, unsent, latency, histogram, statuses, errors } = result
  const { url, rate, connections, duplicates } = options
  const startedAt = result.startedAt.toISOString()
  return {
    hookproof: packageVersion(),
    startedAt,
    seconds,
    answered,
    perSecond,
    repeated,
    unsent,
    latency: { ...latency },
    histogram: { unit: 'microseconds', encoded: encodeHistogram(histogram) },
    statuses: { ...statuses },
    errors: { ...errors },
    runs: [
      {
        id: randomUUID(),
        startedAt,
        seconds,
        // The query can hold a token.
        url: `${url.origin}${url.pathname}`,
        ...(rate === undefined ? {} : { rate }),
        connections,
        duplicates,
      },
    ],
  }
}

/** Prints the result. @returns whether every delivery was sent and accepted, as an exit code */
export function printReport(report: LoadReport, json: boolean, { stdout }: Io): ExitCode {
  stdout.write(json ? `${JSON.stringify(report)}\n` : textOf(report))
  const { answered, unsent, statuses, errors } = report
  const accepted = statuses['200'] === answered && unsent === 0 && Object.keys(errors).length === 0
  return accepted ? EXIT.ok : EXIT.failed
}

function textOf(report: LoadReport): string {
  const { seconds, answered, perSecond, repeated, unsent, latency, statuses, errors, runs } = report
  const counts = (numbers: Readonly<Record<string, number>>) =>
    Object.entries(numbers)
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ')
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  const times = Object.entries(latency).map(([name, value]) => `${name.replace('_', '.')} ${ms(value)}`)
  const urls = [...new Set(runs.map(({ url }) => url))]
  return [
    ...(runs.length === 1 ? [] : [`${counted(runs.length, 'run')} on ${urls.join(', ')}`]),
    `${answered} signed deliveries in ${seconds.toFixed(1)} s: ${Math.round(perSecond)} per second`,
    `latency in ms: ${times.join(', ')}`,
    `responses: ${counts(statuses)}`,
    ...(repeated === 0 ? [] : [`duplicates: ${repeated}`]),
    ...(Object.keys(errors).length === 0 ? [] : [`no response: ${counts(errors)}`]),
    ...(unsent === 0 ? [] : [`not sent, because no connection was free: ${unsent}`]),
    '',
  ].join('\n')
}
