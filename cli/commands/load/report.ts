import { packageVersion } from '../../../conformance/report/package.ts'
import type { LoadResult } from '../../../load/run.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'

/** Prints the result. @returns whether every delivery was sent and accepted, as an exit code */
export function printResult(
  result: LoadResult,
  {
    json,
    acknowledgedBy: [from, to],
  }: { readonly json: boolean; readonly acknowledgedBy: readonly [from: number, to: number] },
  { stdout }: Io,
): ExitCode {
  stdout.write(json ? `${JSON.stringify({ hookproof: packageVersion(), ...result })}\n` : textOf(result))
  const { answered, unsent, statuses, errors } = result
  const counts = Object.entries(statuses).map(([status, count]) =>
    Number(status) >= from && Number(status) <= to ? count : 0,
  )
  const acknowledged = counts.reduce((sum, count) => sum + count, 0)
  const accepted = acknowledged === answered && unsent === 0 && Object.keys(errors).length === 0
  return accepted ? EXIT.ok : EXIT.failed
}

function textOf(result: LoadResult): string {
  const { seconds, answered, perSecond, repeated, unsent, latency, statuses, errors } = result
  const counts = (numbers: Readonly<Record<string, number>>) =>
    Object.entries(numbers)
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ')
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  const times = Object.entries(latency).map(([name, value]) => `${name.replace('_', '.')} ${ms(value)}`)
  return [
    `${answered} signed deliveries in ${seconds.toFixed(1)} s: ${Math.round(perSecond)} per second`,
    `latency in ms: ${times.join(', ')}`,
    `responses: ${counts(statuses)}`,
    ...(repeated === 0 ? [] : [`duplicates: ${repeated}`]),
    ...(Object.keys(errors).length === 0 ? [] : [`no response: ${counts(errors)}`]),
    ...(unsent === 0 ? [] : [`not sent, because no connection was free: ${unsent}`]),
    '',
  ].join('\n')
}
