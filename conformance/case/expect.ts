import type { Answer, Evidence, Exchange, Expectation, Finding, Guidance, Severity } from './model.ts'

/** What is wrong with one exchange, as far as its severity; undefined when nothing is. */
type Judge = (exchange: Exchange) => Severity | undefined

/** Every probe is answered with exactly 200 (SPEC.md 6.1). */
export const accepted = probes('every delivery is accepted with status 200', (exchange) =>
  isAccepted(exchange) ? undefined : 'protocol',
)

/** Every control is answered with exactly 200; the runner adds this to each case. */
export const controlsAccepted: Expectation = {
  expected: 'the control, a genuine delivery beside the changed one, is accepted with status 200',
  check: ({ exchanges }) =>
    firstWrong(exchanges, 'control', (exchange) => (isAccepted(exchange) ? undefined : 'protocol')),
}

/** Every probe is refused with one of the statuses; anything else, no answer included, is no refusal. */
export function refused(...statuses: [number, ...number[]]): Expectation {
  return probes(
    `the delivery is refused with status ${statuses.join(' or ')}`,
    (exchange) => (hasStatus(exchange, statuses) ? undefined : severityOf(exchange)),
    statuses,
  )
}

/** As `refused`, for a delivery that is rightly signed: to accept it is a mistake, but lets no stranger in. */
export function refusedThoughSigned(...statuses: [number, ...number[]]): Expectation {
  return probes(
    `the delivery is refused with status ${statuses.join(' or ')}`,
    (exchange) => (hasStatus(exchange, statuses) ? undefined : 'protocol'),
    statuses,
  )
}

/** Every probe is refused with a status in the range or one of the others. */
export function refusedWithin(from: number, to: number, ...others: number[]): Expectation {
  const also = others.map((status) => ` or ${status}`).join('')
  return probes(`the delivery is refused with a status from ${from} to ${to}${also}`, (exchange) => {
    const status = exchange.answer?.status ?? 0
    return (status >= from && status <= to) || others.includes(status) ? undefined : 'protocol'
  })
}

/** Every probe is either accepted or refused with one of the statuses: the contract leaves it open. */
export function acceptedOrRefused(...statuses: [number, ...number[]]): Expectation {
  return probes(`the delivery is accepted, or refused with status ${statuses.join(' or ')}`, (exchange) =>
    isAccepted(exchange) || hasStatus(exchange, statuses) ? undefined : 'protocol',
  )
}

/** Every probe gets an answer, and it is below 500. */
export const answeredBelow500 = probes('the delivery is answered with a status below 500', ({ answer }) =>
  answer !== undefined && answer.status < 500 ? undefined : 'protocol',
)

/** Every probe is answered within the time that the run allows (SPEC.md 6.2). */
export const answeredInTime: Expectation = {
  expected: 'every delivery is answered in time',
  check: ({ exchanges, ackWithinMs }) => {
    const late = exchanges.find(
      ({ delivery, answer }) => delivery.role === 'probe' && answer !== undefined && answer.ms > ackWithinMs,
    )
    if (late?.answer === undefined) return undefined
    const problem = `an answer after ${Math.round(late.answer.ms)} ms, where ${ackWithinMs} ms are allowed`
    return { problem, severity: 'protocol' }
  },
}

/** No answer contains what one of the patterns finds in it (SPEC.md 11). */
export function nothingDisclosed(
  what: string,
  patterns: (exchange: Exchange, evidence: Evidence) => readonly RegExp[],
): Expectation {
  return {
    expected: `no answer contains ${what}`,
    check: (evidence) => {
      for (const exchange of evidence.exchanges) {
        if (exchange.answer === undefined) continue
        const shown = textOf(exchange.answer)
        if (patterns(exchange, evidence).some((pattern) => pattern.test(shown))) {
          return { problem: `status ${exchange.answer.status} with ${what} in it`, severity: 'security' }
        }
      }
      return undefined
    },
  }
}

/** `wanted` are the statuses of a refusal, where one with another status is only half wrong. */
function probes(expected: string, judge: Judge, wanted: readonly number[] = []): Expectation {
  return { expected, check: ({ exchanges }) => firstWrong(exchanges, 'probe', judge, wanted) }
}

function firstWrong(
  exchanges: readonly Exchange[],
  role: 'probe' | 'control',
  judge: Judge,
  wanted: readonly number[] = [],
): Finding {
  // A delivery that breaks off is not there to be answered.
  const judged = exchanges.filter(({ delivery, unanswered }) => delivery.role === role && unanswered !== true)
  const wrong = judged.flatMap((exchange) => {
    const severity = judge(exchange)
    return severity === undefined ? [] : [{ exchange, severity }]
  })
  const [first] = wrong
  if (first === undefined) return undefined
  const { exchange, severity } = first
  const problem = describe(exchange, judged.length > 1)
  return wanted.length > 0 && wrong.every((one) => isOtherRefusal(one.exchange))
    ? { problem, severity, guidance: answerInstead(wanted, exchange) }
    : { problem, severity }
}

/** What a receiver answers that refuses a delivery, and gives the sender another reason than the right one. */
const OTHER_REFUSALS: readonly number[] = [400, 401, 403, 406, 409, 415, 422]

function isOtherRefusal(exchange: Exchange): boolean {
  return hasStatus(exchange, OTHER_REFUSALS)
}

function answerInstead(wanted: readonly number[], { answer }: Exchange): Guidance {
  return {
    impact: 'The delivery is refused, but whoever reads the answer looks for the fault in another place.',
    fix: `Answer ${wanted.join(' or ')} in place of ${answer?.status}.`,
  }
}

/** Tells in a few words what came back, and to what where there were several. */
function describe({ delivery, answer, error }: Exchange, several: boolean): string {
  const subject = delivery.change ?? delivery.event ?? 'a body'
  const came = answer === undefined ? `no answer: ${error?.message}` : `status ${answer.status}`
  return several ? `${came} (${subject})` : came
}

function isAccepted(exchange: Exchange): boolean {
  return hasStatus(exchange, [200])
}

function hasStatus({ answer }: Exchange, statuses: readonly number[]): boolean {
  return answer !== undefined && statuses.includes(answer.status)
}

function severityOf({ answer }: Exchange): Severity {
  return answer !== undefined && answer.status >= 200 && answer.status < 300 ? 'security' : 'protocol'
}

function textOf({ headers, body }: Answer): string {
  return `${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body.toString('latin1')}`
}
