import { isAcknowledged } from '../../../engine/exchange.ts'
import type { Wrong } from '../finding.ts'
import type { Evidence, Exchange, Expectation, Finding, Observation } from '../model.ts'
import { isSuccess } from './statuses.ts'

/** How often the receiver handled the delivery with a key. */
const timesOf = (evidence: Evidence, key: string) => evidence.effects(key).length

/**
 * Every probe that was acknowledged is handled once, however often it was sent. That one is not handled counts only beside a
 * delivery of the same event that is: a receiver may handle no such events.
 */
export const handledOnce: Expectation = {
  kind: 'effects',
  expected: { code: 'handled_once' },
  about: ['handled-again'],
  check: (evidence) => {
    const probes = probesOf(evidence)
    const again = [...probes.keys()].find((key) => timesOf(evidence, key) > 1)
    if (again !== undefined) return handledOften(timesOf(evidence, again), [again])
    const absent = [...probes].filter(
      ([key, exchanges]) => timesOf(evidence, key) === 0 && exchanges.some(isAcknowledged),
    )
    const [first] = absent
    if (first === undefined) return undefined
    const [key, exchanges] = absent.find(([, [sent]]) => isHandledElsewhere(evidence, sent)) ?? first
    return isHandledElsewhere(evidence, exchanges[0])
      ? { wrong: { code: 'not_handled' }, observed: 'not-handled', payments: [key], severity: 'money' }
      : { untested: { code: 'nothing_shown_as_handled' } }
  },
}

/** The same where the probes must not have been lost: that is what the case is about. */
export const handled: Expectation = { ...handledOnce, about: ['not-handled'] }

/** All probes together are handled once: they report the same. */
export const handledOnceTogether: Expectation = {
  ...handledOnce,
  expected: { code: 'handled_once_together' },
  check: (evidence) => {
    const payments = [...probesOf(evidence).keys()]
    const each = payments.map((key) => ({ key, times: timesOf(evidence, key) }))
    if (each.reduce((sum, { times }) => sum + times, 0) <= 1) return undefined
    const wrong: Wrong = { code: 'handled_often_together', each }
    return decisive(wrong, 'handled-again', { payments, severity: 'money' })
  },
}

/** No probe is handled. */
export const notHandled: Expectation = {
  kind: 'effects',
  expected: { code: 'not_handled' },
  about: ['handled-not-due'],
  check: (evidence) => {
    const found = [...probesOf(evidence)].find(([key]) => timesOf(evidence, key) > 0)
    if (found === undefined) return undefined
    const [key, [exchange]] = found
    const wrong: Wrong = { code: 'handled_wrongly', isRefused: !isSuccess(exchange?.answer) }
    const change = exchange?.delivery.change
    return decisive(wrong, 'handled-not-due', { payments: [key], change, severity: 'security' })
  },
}

function handledOften(times: number, payments: readonly string[]): Finding {
  return decisive({ code: 'handled_often', times }, 'handled-again', { payments, severity: 'money' })
}

function decisive(
  wrong: Wrong,
  observed: Observation,
  more: Pick<Extract<NonNullable<Finding>, { wrong: Wrong }>, 'payments' | 'change' | 'severity'>,
): Finding {
  return { wrong, observed, decisive: true, ...more }
}

/** Whether the receiver handled another delivery of the case with the same event. */
function isHandledElsewhere(evidence: Evidence, exchange: Exchange | undefined): boolean {
  return evidence.exchanges.some(
    ({ delivery: { key, event } }) =>
      event === exchange?.delivery.event && key !== undefined && timesOf(evidence, key) > 0,
  )
}

/** The exchanges of the probes, by their keys. */
function probesOf({ exchanges }: Evidence): ReadonlyMap<string, readonly Exchange[]> {
  const found = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const { key, role } = exchange.delivery
    if (role !== 'probe' || key === undefined) continue
    found.set(key, [...(found.get(key) ?? []), exchange])
  }
  return found
}
