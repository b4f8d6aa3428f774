import { expect } from 'vitest'
import { type CheckOptions, check } from '../../../../conformance/check.ts'
import { CATALOGUE } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import type { ConformanceReport } from '../../../../schemas/types.ts'
import type { Finished } from '../../../support/temporary.ts'
import { serve } from '../../servers.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

export const grade = (url: string, options: Partial<CheckOptions> = {}) =>
  check({ url, secret: SECRET, profile: 'core', timeoutMs: 5_000, ...options })
export const passed = ({ verdicts }: ConformanceReport) =>
  verdicts.filter(({ outcome }) => outcome === 'passed').map(({ case: id }) => id)

/** Cases of a test run that expect a refusal because a delivery is forged, altered or stale. */
const refusals = CATALOGUE.filter(
  ({ section, level, needs, mode, number, expect: expected }) =>
    level === 'MUST' &&
    expected.some(({ kind }) => kind === 'refused' || kind === 'context-refused') &&
    needs === undefined &&
    mode !== 'live' &&
    section !== 'robustness' &&
    // The HTTP parser of Node.js refuses a NUL byte, whatever the receiver does.
    number !== '2.22',
)
export const REFUSALS = refusals.map(({ id }) => id)
/** Requirements that any status from 400 to 499 meets, and those that a closed connection meets. */
const ANY_4XX = [
  '2.20',
  '2.23',
  'time-window/stale-with-times-in-headers',
  'time-window/stale-whatever-the-request-says',
]
export const CLOSED = ['2.23']
/** Those whose status counts: to what bypasses verification any answer but 2xx is a refusal. */
export const byStatus = (...except: readonly string[]) =>
  refusals
    .filter(
      ({ section, number, id }) => section !== 'bypass' && !except.includes(number) && !except.includes(id),
    )
    .map(({ id }) => id)

/** A sample of every kind of case: one receiver of each kind gets the entire catalogue, the others this. */
export const SAMPLE: Partial<CheckOptions> = {
  only: ['transport', 'signature-header', 'time-window', 'refusals', 'disclosure', 'robustness/*json*'],
  skip: ['transport/body-that-drips'],
}

/**
 * A receiver that answers one status to everything passes nothing, and the report names that status as the cause.
 *
 * @param causes how many causes there are
 */
export async function passesNothing(
  status: number,
  finished: Finished,
  options: Partial<CheckOptions> = SAMPLE,
  causes = 'one cause',
): Promise<void> {
  const { url } = await serve((_, response) => response.writeHead(status).end(), finished)
  const report = await grade(url, options)

  expect(passed(report)).toEqual([])
  expect(report.conclusion).toBe('not-conformant')
  expect(report.diagnosis).toMatch(new RegExp(`^\\d+ failures, ${causes}: `))
  expect(report.diagnosis).toContain(String(status))
}

/** A receiver that refuses with a status that is no refusal passes no case about one, and still passes the others. */
export async function refusesNothing(status: number, finished: Finished): Promise<void> {
  const { url } = await smallReceiver({
    behavior: { status: () => status },
    finished,
  })
  const report = await grade(url, SAMPLE)

  const refusing = byStatus(...(status < 500 ? ANY_4XX : []))
  expect(refusing.filter((id) => passed(report).includes(id))).toEqual([])
  expect(passed(report)).toEqual(
    expect.arrayContaining(['transport/posted-as-json', 'time-window/a-minute-ago']),
  )
}
