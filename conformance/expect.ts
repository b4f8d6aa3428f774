import type { Answer, Evidence, Exchange, Expectation, Finding, Gravity } from './model.ts'

/** Every probe is answered with exactly 200 (SPEC.md 6.1). */
export const accepted = probes('every delivery is accepted with status 200', (exchange) =>
  isAccepted(exchange) ? undefined : { problem: describe(exchange), gravity: 'protocol' },
)

/** Every control is answered with exactly 200; the runner adds this to each case. */
export const controlsAccepted: Expectation = {
  says: 'the control, a genuine delivery beside the changed one, is accepted with status 200',
  check: (evidence) =>
    first(
      evidence.exchanges,
      ({ delivery }) => delivery.role === 'control',
      (exchange) => (isAccepted(exchange) ? undefined : { problem: describe(exchange), gravity: 'protocol' }),
    ),
}

/** Every probe is refused with one of the statuses; anything else, no answer included, is no refusal. */
export function refused(...statuses: [number, ...number[]]): Expectation {
  const wanted = statuses.join(' or ')
  return probes(`the delivery is refused with status ${wanted}`, (exchange) => {
    if (exchange.answer !== undefined && statuses.includes(exchange.answer.status)) return undefined
    return { problem: describe(exchange), gravity: gravityOfAcceptance(exchange) }
  })
}

/** Every probe is refused with a status in the range or one of the others. */
export function refusedWithin(from: number, to: number, ...others: number[]): Expectation {
  return probes(
    `the delivery is refused with a status from ${from} to ${to}${others.map((s) => ` or ${s}`).join('')}`,
    (exchange) => {
      const status = exchange.answer?.status ?? 0
      if ((status >= from && status <= to) || others.includes(status)) return undefined
      return { problem: describe(exchange), gravity: 'protocol' }
    },
  )
}

/** Every probe is either accepted or refused with one of the statuses: the contract leaves it open. */
export function acceptedOrRefused(...statuses: [number, ...number[]]): Expectation {
  return probes(`the delivery is accepted, or refused with status ${statuses.join(' or ')}`, (exchange) =>
    isAccepted(exchange) || (exchange.answer !== undefined && statuses.includes(exchange.answer.status))
      ? undefined
      : { problem: describe(exchange), gravity: 'protocol' },
  )
}

/** Every probe gets an answer, and it is below 500. */
export const answeredBelow500 = probes('the delivery is answered with a status below 500', (exchange) =>
  exchange.answer !== undefined && exchange.answer.status < 500
    ? undefined
    : { problem: describe(exchange), gravity: 'protocol' },
)

/** Every probe is answered within the time that the run allows (SPEC.md 6.2). */
export const answeredInTime: Expectation = {
  says: 'every delivery is answered in time',
  check: (evidence) =>
    first(
      evidence.exchanges,
      ({ delivery }) => delivery.role === 'probe',
      ({ answer }) =>
        answer !== undefined && answer.ms > evidence.ackWithinMs
          ? {
              problem: `an answer after ${Math.round(answer.ms)} ms, where ${evidence.ackWithinMs} ms are allowed`,
              gravity: 'protocol',
            }
          : undefined,
    ),
}

/** No answer contains one of the texts that `secrets` finds for its exchange (SPEC.md 11). */
export function nothingDisclosed(
  what: string,
  find: (exchange: Exchange, evidence: Evidence) => readonly RegExp[],
): Expectation {
  return {
    says: `no answer contains ${what}`,
    check: (evidence) =>
      first(
        evidence.exchanges,
        () => true,
        (exchange) => {
          if (exchange.answer === undefined) return undefined
          const shown = textOf(exchange.answer)
          return find(exchange, evidence).some((pattern) => pattern.test(shown))
            ? { problem: `status ${exchange.answer.status} with ${what} in it`, gravity: 'security' }
            : undefined
        },
      ),
  }
}

/** True for an answer of exactly 200. */
export function isAccepted({ answer }: Exchange): boolean {
  return answer?.status === 200
}

/** Tells in a few words what came back, and after what. */
export function describe(exchange: Exchange): string {
  const { delivery, answer, error } = exchange
  const subject = delivery.change === undefined ? '' : ` to the delivery with ${delivery.change}`
  if (answer !== undefined) return `status ${answer.status}${subject}`
  return `no answer${subject}: ${error?.message ?? 'none was waited for'}`
}

function probes(says: string, judge: (exchange: Exchange) => Finding): Expectation {
  return {
    says,
    check: (evidence) => first(evidence.exchanges, ({ delivery }) => delivery.role === 'probe', judge),
  }
}

function first(
  exchanges: readonly Exchange[],
  applies: (exchange: Exchange) => boolean,
  judge: (exchange: Exchange) => Finding,
): Finding {
  for (const exchange of exchanges) {
    // A delivery that breaks off is not there to be answered.
    if (exchange.unanswered === true || !applies(exchange)) continue
    const finding = judge(exchange)
    if (finding !== undefined) return finding
  }
  return undefined
}

function gravityOfAcceptance({ answer }: Exchange): Gravity {
  return answer !== undefined && answer.status >= 200 && answer.status < 300 ? 'security' : 'protocol'
}

function textOf({ headers, body }: Answer): string {
  return `${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body.toString('latin1')}`
}
