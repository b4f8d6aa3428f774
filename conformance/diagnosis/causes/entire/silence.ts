import type { Delivery } from '../../../contracts/payment-service/delivery.ts'
import type { Verdict } from '../../../contracts/payment-service/model.ts'
import { suspectOf } from '../../../contracts/suspect.ts'
import type { Candidate } from '../../cause.ts'
import { isOpen } from '../../evidence.ts'
import type { Findings } from '../../findings.ts'

/** With more deliveries in flight, none of them stands out. */
const NAMED = 3

/** The receiver answered nothing any more during the run, which ended there: it still accepted connections. */
export function stoppedAnswering(
  verdicts: readonly Verdict[],
  { silence }: Pick<Findings, 'silence'>,
): Candidate | undefined {
  if (silence === undefined) return undefined
  const owners = new Map(
    verdicts.flatMap((verdict) => verdict.exchanges.map(({ delivery }) => [delivery, verdict.case] as const)),
  )
  const suspect = suspectOf(silence, (delivery) => owners.get(delivery as Delivery))
  const own = verdicts.find(({ case: testCase }) => testCase === suspect?.testCase)
  const broken = own?.exchanges.find(({ unanswered }) => unanswered === true)?.delivery.change
  const change = suspect?.delivery.change ?? broken
  const what =
    suspect === undefined ? '' : ` after ${suspect.testCase.id} sent ${change ?? 'a valid delivery'}`
  const changes = silence.inFlight.flatMap((delivery) => delivery.change ?? [])
  const others = [...new Set(changes)].filter((one) => one !== change).slice(0, NAMED)
  const also = others.length === 0 ? '' : `; also in flight: ${others.join('; ')}`
  const { brokenOff } = silence
  const before =
    brokenOff === 0 ? '' : `; before that, ${brokenOff === 1 ? '1 sender' : `${brokenOff} senders`} broke off`
  const probes = new Set(silence.probes)
  const endless = `Look for what never ends in the handling of ${change === undefined ? 'a delivery' : 'that delivery'}: a regular expression, a loop or a wait without a limit.`
  const gone = 'free the worker, the lock and the database connection of a request whose sender is gone'
  return {
    code: 'stopped_answering',
    sentence: `The receiver stopped answering${what}${also}${before}.`,
    fix:
      suspect?.delivery.change === undefined && broken !== undefined
        ? `${gone.charAt(0).toUpperCase()}${gone.slice(1)}; a few broken connections must not use up a limit.`
        : `${endless}${brokenOff === 0 ? '' : ` If it hangs because senders broke off, ${gone}.`}`,
    observed: true,
    first: true,
    explains: new Set(
      verdicts.filter(
        (verdict) =>
          isOpen(verdict) &&
          (verdict.case === suspect?.testCase || verdict.exchanges.some((exchange) => probes.has(exchange))),
      ),
    ),
  }
}
