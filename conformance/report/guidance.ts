import { SHIPPED_AFTER_REFUND } from '../contracts/webhook/finding.ts'
import type {
  CatalogueCase,
  Exchange,
  ExpectationKind,
  Guidance,
  Observation,
  Problem,
} from '../contracts/webhook/model.ts'
import { isAcknowledged } from '../engine/exchange.ts'

/**
 * What a problem means and how to fix it, by what was observed. A case states this for the reading that it is about; any
 * other observation has guidance of its own, so that a refused delivery never reads as one that was fulfilled twice.
 *
 * @param testCase the case that has the problem
 * @param exchanges all deliveries of the case
 */
export function guidanceFor(
  testCase: CatalogueCase,
  problem: Problem,
  exchanges: readonly Exchange[] = [],
): Guidance {
  if (problem.guidance !== undefined) return problem.guidance
  const observation = observationOf(problem)
  if (observation === undefined || aboutOf(testCase, problem.kind).includes(observation)) return testCase
  const guidance = BY_OBSERVATION[observation](problem, testCase)
  // What one delivery is refused for, and not another one of the same case, is what the case is about.
  const isAboutCase =
    observation === 'rejected' && problem.kind === 'accepted' && exchanges.some(isAcceptedProbe)
  return isAboutCase
    ? {
        ...guidance,
        fix: `Answer ${acknowledging(problem)} instead of ${statusOf(problem)}. ${testCase.fix}`,
      }
    : guidance
}

/**
 * The problem that explains the others of its case: the most severe, but a delivery that was rejected comes before the
 * effect that is missing because of it.
 *
 * @param problems most severe first
 */
export function mainProblem(problems: readonly Problem[]): Problem | undefined {
  const [first] = problems
  const absent: readonly (Observation | undefined)[] = ['not-fulfilled', 'not-reversed', 'not-handled']
  const rejected = problems.find(({ kind }) => kind === 'accepted')
  return first !== undefined && rejected !== undefined && absent.includes(observationOf(first))
    ? rejected
    : first
}

/** What was observed; undefined when the problem does not say. */
export function observationOf({ kind, exchanges, observed }: Problem): Observation | undefined {
  if (observed !== undefined) return observed
  const [worst] = exchanges ?? []
  if (worst === undefined) return undefined
  if (kind === 'timing') return 'late'
  if (kind === 'disclosure') return 'disclosed'
  const mayBeAccepted = kind === 'accepted' || kind === 'control-accepted' || kind === 'accepted-or-refused'
  const { answer } = worst
  if (answer === undefined) return mayBeAccepted ? 'no-response' : 'refused-without-response'
  if (answer.status >= 500) return mayBeAccepted ? 'server-error' : 'refused-with-server-error'
  if (kind === 'accepted-or-refused') return 'refused-with-other-status'
  const isSuccess = answer.status >= 200 && answer.status < 300
  if (mayBeAccepted) return isSuccess ? 'acknowledged-otherwise' : 'rejected'
  return isSuccess ? 'let-in' : 'refused-with-other-status'
}

/** The observations that a case is about when it does not say so itself. */
function aboutOf(testCase: CatalogueCase, kind: ExpectationKind): readonly Observation[] {
  if (testCase.about !== undefined) return testCase.about
  // The guidance of a case about effects is that of the effects.
  if (testCase.needs === 'effects') return testCase.expect.flatMap(({ about = [] }) => about)
  switch (kind) {
    case 'accepted':
      return ['rejected', 'server-error', 'no-response']
    case 'accepted-or-refused':
      return ['server-error', 'no-response']
    case 'answered':
    case 'context-answered':
      return ['refused-with-server-error', 'refused-without-response']
    case 'refused':
    case 'context-refused':
      return ['let-in']
    case 'timing':
      return ['late']
    case 'disclosure':
      return ['disclosed']
    case 'control-accepted':
    case 'effects':
      return []
  }
}

const logged = "The receiver's log and the response body may name the reason."

const BY_OBSERVATION: Readonly<Record<Observation, (problem: Problem, testCase: CatalogueCase) => Guidance>> =
  {
    rejected: (problem) => rejected(statusOf(problem), acknowledging(problem)),
    'acknowledged-otherwise': (problem) => ({
      impact: 'The service treats the delivery as lost and sends it again, or disables the endpoint.',
      fix: `Answer ${acknowledging(problem)} instead of ${statusOf(problem)}.`,
    }),
    'server-error': (problem) => ({
      impact: 'The handler fails on a valid delivery, so its event is not recorded.',
      fix: `Fix the error of the handler, and answer ${acknowledging(problem)} once the delivery is stored. ${logged}`,
    }),
    'no-response': () => ({
      impact: 'A valid delivery gets no response, so the sender treats it as lost.',
      fix: "Answer every request. The receiver's log shows whether the handler hangs or the process ended.",
    }),
    'let-in': ({ severity }) => ({
      impact:
        severity === 'security'
          ? 'An attacker can have a delivery accepted that the receiver must refuse.'
          : 'The receiver accepts a delivery that it must refuse.',
      fix: 'Check the signature and the time before you do anything with the body.',
    }),
    'refused-with-other-status': (problem) => refusedOtherwise(statusOf(problem)),
    'refused-with-server-error': (_, { fix }) => ({
      impact:
        'The handler fails on the delivery instead of refusing it; an error that nobody catches can end the process.',
      fix: `Refuse the delivery instead of failing. ${fix}`,
    }),
    'refused-without-response': (_, { fix }) => ({
      impact: 'The delivery gets no response: the handler hangs or the process ended, perhaps for everyone.',
      fix: `Refuse the delivery; the receiver's log shows whether the handler hangs or the process ended. ${fix}`,
    }),
    late: (problem) => ({
      impact: 'The service may time out and send the delivery again.',
      fix: `Store the delivery, answer ${acknowledging(problem)}, and do the work afterwards.`,
    }),
    disclosed: () => ({
      impact: 'A response contains what an attacker can use.',
      fix: 'Answer with a fixed message and a code; keep the details in your own log.',
    }),
    'not-fulfilled': () => ({
      impact: 'The customer has paid and gets nothing.',
      fix: 'Store the delivery before the 200, process it from the store, and retry what failed.',
    }),
    'fulfilled-again': () => ({
      impact: 'The merchant ships the goods more than once.',
      fix: 'Insert the payment and event under a unique key first; handle the event only when the insert succeeded.',
    }),
    'fulfilled-wrongly': () => ({
      impact: 'The merchant credits another amount or currency than was paid.',
      fix: 'Credit `amount` in `currency` of the event, and keep amounts as decimal strings.',
    }),
    'fulfilled-not-due': () => ({
      impact: 'The merchant hands over goods that were not paid for.',
      fix: 'Fulfill only on a payment.completed that was verified.',
    }),
    'not-reversed': () => ({
      impact: 'The customer keeps the goods and gets the money back.',
      fix: 'On payment.refunded, reverse what the payment fulfilled, once, for both types.',
    }),
    'reversed-again': () => ({
      impact: 'The merchant reverses the order, or records the refund, more than once.',
      fix: 'Reverse a payment under its own unique key, so that another refund finds it already reversed.',
    }),
    'reversed-not-due': () => ({
      impact: 'The order of a customer who has paid is reversed.',
      fix: 'Reverse only on payment.refunded, and only what this payment had fulfilled.',
    }),
    'fulfilled-after-refund': () => SHIPPED_AFTER_REFUND,
    'not-handled': () => ({
      impact: 'The event is lost: the service does not send again what was acknowledged.',
      fix: 'Store the delivery before you acknowledge it, handle it from the store, and retry what failed.',
    }),
    'handled-again': () => ({
      impact: 'What the event stands for is done twice.',
      fix: 'Insert the id of the delivery under a unique key first, and handle the event only when that succeeded.',
    }),
    'handled-not-due': () => ({
      impact: 'A delivery that must be refused has its effect nevertheless.',
      fix: 'Verify the signature and the time before you do anything with the body.',
    }),
  }

function refusedOtherwise(status: number | undefined): Guidance {
  const impact =
    'The delivery is not accepted, but it gets the wrong status: logs then show the wrong reason.'
  const isRedirect = status !== undefined && status >= 300 && status < 400
  return isRedirect
    ? { impact, fix: `Answer at this URL instead of redirecting with ${status}.` }
    : { impact, fix: `Handle the delivery at this URL, and refuse it with 400 or 401 instead of ${status}.` }
}

function rejected(status: number | undefined, instead: string): Guidance {
  const lost = 'A valid delivery is refused, so its event is not recorded.'
  if (status !== undefined && status >= 300 && status < 400) {
    return { impact: lost, fix: 'Handle the delivery at this URL instead of redirecting it.' }
  }
  if (status === 413) return { impact: lost, fix: 'Raise the size limit of the body parser.' }
  if (status === 429) return { impact: lost, fix: 'Exempt the webhook endpoint from the rate limit.' }
  return { impact: lost, fix: `Answer ${instead} instead of ${status}. ${logged}` }
}

function isAcceptedProbe(exchange: Exchange): boolean {
  return exchange.delivery.role === 'probe' && isAcknowledged(exchange)
}

/** By what a receiver acknowledges the delivery that the problem is about. */
function acknowledging({ exchanges }: Problem): string {
  const [from, to] = exchanges?.[0]?.delivery.acknowledgedBy ?? [200, 200]
  return from === to ? String(from) : `a status from ${from} to ${to}`
}

function statusOf({ exchanges }: Problem): number | undefined {
  return exchanges?.[0]?.answer?.status
}
