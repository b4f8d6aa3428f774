import { suspectOf } from '../../contracts/suspect.ts'
import type { Delivery } from '../../contracts/webhook/delivery.ts'
import type { Verdict } from '../../contracts/webhook/model.ts'
import type { Unreadable } from '../../engine/errors.ts'
import { isAcknowledged } from '../../engine/exchange.ts'
import type { Silence } from '../../engine/pace/silence.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { brokenOffIn, isFailedByServer } from '../investigate/connections.ts'
import { showsLoss } from '../investigate/loss.ts'
import type { End, Said } from '../statement.ts'
import {
  fulfilledTwice,
  isOpen,
  lacksEffects,
  type ProbedCode,
  type Symptoms,
  showsAny,
} from '../symptoms.ts'
import { effectsWithoutSignature } from './forgeries.ts'

/** The receiver answered before the first case, and refuses connections now. */
function crashed({ verdicts, open }: Symptoms): Candidate[] {
  const explains = new Set(
    verdicts.filter(
      (verdict) => isOpen(verdict) && verdict.exchanges.some(({ error }) => error?.code === 'refused'),
    ),
  )
  if (explains.size === 0) return []
  const unanswered = open.flatMap(({ exchanges }) => exchanges.filter(({ error }) => error?.code === 'reset'))
  return [
    {
      code: 'crashed',
      data: { unanswered: unanswered.flatMap(({ delivery }) => delivery.change ?? []) },
      first: true,
      observed: true,
      explains,
    },
  ]
}

/** Every valid delivery that was not accepted ran into a time limit. */
function slowAcknowledgment({ valid, verdicts }: Symptoms): Candidate[] {
  const late = verdicts.filter(
    (verdict) =>
      isOpen(verdict) &&
      (verdict.exchanges.some(({ error }) => error?.code === 'timeout') ||
        verdict.problems.some(({ kind }) => kind === 'timing')),
  )
  const timing = late.some(({ case: { expect } }) => expect.some(({ kind }) => kind === 'timing'))
  const otherwise = valid.some(
    ({ exchange }) => !isAcknowledged(exchange) && exchange.error?.code !== 'timeout',
  )
  if (!timing || otherwise) return []
  return [
    {
      code: 'slow_acknowledgment',
      observed: true,
      explains: new Set(late),
    },
  ]
}

/** Nothing was accepted any more after bad signatures, from nobody. What valid deliveries got since then follows from it. */
function lockedOut({ open, trials }: Symptoms): Candidate[] {
  const [found] = open.flatMap((verdict) =>
    verdict.problems.flatMap(({ wrong }) =>
      wrong.code === 'locked_out' ? [{ verdict, status: wrong.status }] : [],
    ),
  )
  if (found === undefined) return []
  const { status } = found
  const turnedAway = trials.filter((trial) => trial.shouldAccept === true && trial.status === status)
  return [
    {
      code: 'locked_out',
      data: { status },
      observed: true,
      first: true,
      explains: new Set([found.verdict, ...turnedAway.map(({ verdict }) => verdict).filter(isOpen)]),
    },
  ]
}

/** In its case nothing else was tested, so that the network, or the number of connections, is no reason. */
function expandsFirst({ open }: Symptoms): Candidate[] {
  const explains = open.filter(({ problems }) =>
    problems.some(({ expected }) => expected.code === 'accepted_while_expanding'),
  )
  if (explains.length === 0) return []
  return [
    {
      code: 'body_expanded_first',
      observed: true,
      explains: new Set(explains),
    },
  ]
}

/** Something that happens to the whole receiver. */
export const runCauses: Recognize = (symptoms) => [
  ...crashed(symptoms),
  ...lockedOut(symptoms),
  ...expandsFirst(symptoms),
  ...slowAcknowledgment(symptoms),
]

/**
 * The process of the receiver ended: what was in flight then failed for that reason, whatever it contained.
 *
 * @param end undefined when the receiver still runs, or was not started by the suite
 */
export function endedInRun(verdicts: readonly Verdict[], end: End | undefined): Candidate | undefined {
  if (end === undefined) return undefined
  const explains = new Set(
    verdicts.filter(
      (verdict) => isOpen(verdict) && verdict.exchanges.some(({ error }) => error !== undefined),
    ),
  )
  if (explains.size === 0) return undefined
  return {
    code: 'crashed',
    data: { end },
    first: true,
    observed: true,
    explains,
  }
}

/** The receiver answered nothing any more during the run, which ended there: it still accepted connections. */
export function stoppedAnswering(
  verdicts: readonly Verdict[],
  silence: Silence | undefined,
): Candidate | undefined {
  if (silence === undefined) return undefined
  const owners = new Map(
    verdicts.flatMap((verdict) => verdict.exchanges.map(({ delivery }) => [delivery, verdict.case] as const)),
  )
  const suspect = suspectOf(silence, (delivery) => owners.get(delivery as Delivery))
  const own = verdicts.find(({ case: testCase }) => testCase === suspect?.testCase)
  const broken = own?.exchanges.find(({ unanswered }) => unanswered === true)?.delivery.change
  const change = suspect?.delivery.change ?? broken
  const probes = new Set(silence.probes)
  return {
    code: 'stopped_answering',
    data: {
      suspect: suspect?.testCase.id,
      change,
      inFlight: silence.inFlight.flatMap((delivery) => delivery.change ?? []),
      brokenOff: silence.brokenOff,
      isBrokenOffAlone: suspect?.delivery.change === undefined && broken !== undefined,
    },
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

/**
 * No effect that is observed is one: the cases have no result, and that says nothing about the receiver.
 *
 * @returns undefined unless several cases are untested for that reason
 */
export function unreadableEffects(verdicts: readonly Verdict[]): Candidate | undefined {
  const unread = verdicts.filter((verdict) => unreadableIn(verdict) !== undefined)
  const why = unread[0] && unreadableIn(unread[0])
  if (why === undefined || unread.length < 2 || verdicts.some(showsAny)) return undefined
  return {
    code: 'effects_unreadable',
    data: { why },
    observed: true,
    explains: new Set(unread),
  }
}

function unreadableIn({ reason }: Verdict): Unreadable | undefined {
  if (reason?.code !== 'observation_failed' || reason.failure.code !== 'observation_failed') return undefined
  const { why } = reason.failure
  return why.code === 'unreadable' ? why : undefined
}

/** Acknowledged payments, and no effect of any: it may be another receiver that is observed. */
function noEffects({ verdicts, lateEffects }: Symptoms): Candidate[] {
  const observed = verdicts.filter(
    ({ case: { needs }, exchanges, effects }) =>
      needs === 'effects' && exchanges.length > 0 && effects !== undefined,
  )
  const paid = observed.filter(({ exchanges }) =>
    exchanges.some(
      ({ delivery, answer }) =>
        delivery.role === 'control' && delivery.event === 'payment.completed' && answer?.status === 200,
    ),
  )
  const seen = observed.some((verdict) => verdict.outcome === 'passed' || showsAny(verdict))
  if (paid.length < 2 || seen || lateEffects.size > 0) return []
  return [
    {
      code: 'no_effects',
      observed: true,
      explains: new Set(paid.filter(({ outcome }) => outcome !== 'passed')),
    },
  ]
}

/** The effects were there when the run had ended. */
function slowEffects({ verdicts, lateEffects }: Symptoms): Candidate[] {
  const explains = new Set(
    verdicts.filter(
      (verdict) =>
        lacksEffects(verdict) &&
        verdict.exchanges.some(({ delivery }) => lateEffects.has(delivery.key ?? '')),
    ),
  )
  if (explains.size === 0) return []
  return [
    {
      code: 'slow_effects',
      observed: true,
      explains,
    },
  ]
}

/** Effects that are observed late or never. */
export const effectCauses: Recognize = (symptoms) => [...slowEffects(symptoms), ...noEffects(symptoms)]

const lacksAnswer = ({ exchanges }: Verdict) => exchanges.some(({ error }) => error?.code === 'timeout')

/** How often acknowledged events are lost, and when. */
const LOSSES: readonly ProbedCode[] = [
  'events_debounced',
  'lost_beside_another',
  'lost_in_burst',
  'lost_now_and_then',
  'lost_when_concurrent',
  'requests_mixed_up',
  'work_stopped',
]

/** The open verdicts in which a valid delivery got an error of the server. */
const failedByServer = ({ trials }: Pick<Symptoms, 'trials'>): Verdict[] =>
  trials
    .filter(isFailedByServer)
    .map(({ verdict }) => verdict)
    .filter(isOpen)

function explainedBy(code: ProbedCode, { open, trials }: Symptoms): Verdict[] {
  if (LOSSES.includes(code)) return open.filter(showsLoss)
  if (code === 'blocked_by_unfinished_body' || code === 'stopped_answering') return open.filter(lacksAnswer)
  if (code === 'fails_when_concurrent') return failedByServer({ trials })
  // The others have failed since then.
  if (code === 'places_not_released')
    return failedByServer({ trials }).filter((verdict) => brokenOffIn(verdict).length > 0)
  if (code !== 'connection_trusted') return open.filter(fulfilledTwice)
  const letIn = trials.filter(({ shouldAccept, accepted }) => shouldAccept === false && accepted === true)
  // Of some deliveries only the entire case shows that they had to be refused.
  const letInByCase = open.filter(({ problems }) => problems.some(({ observed }) => observed === 'let-in'))
  return [...letIn.map(({ verdict }) => verdict).filter(isOpen), ...letInByCase]
}

function saidOf(code: ProbedCode, { lostBeside: beside, trials }: Symptoms): Said {
  if (code === 'lost_beside_another') return { code, data: { beside } }
  if (code !== 'fails_when_concurrent') return { code }
  return {
    code,
    data: { isTurnedAway: trials.filter(isFailedByServer).every(({ status }) => status === 503) },
  }
}

/** What a probe after the cases has proven. */
export const probedCauses: Recognize = (symptoms) =>
  symptoms.probed.map((code) => ({
    ...saidOf(code, symptoms),
    observed: true,
    first: code === 'stopped_answering' || code === 'places_not_released',
    explains: new Set(explainedBy(code, symptoms)),
    also: new Set(
      code === 'connection_trusted'
        ? effectsWithoutSignature(symptoms)
        : code === 'places_not_released'
          ? failedByServer(symptoms)
          : [],
    ),
  }))
