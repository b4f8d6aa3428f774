import { isAcknowledged } from '../../engine/exchange.ts'
import { answererOf } from '../answerer.ts'
import type { Candidate, Recognize } from '../cause.ts'
import type { Acknowledged, RefusalKind, Said } from '../statement.ts'
import { isJson, isOpen, MOST, type Symptoms, type Trial } from '../symptoms.ts'

const KINDS = ['missing', 'malformed', 'stale', 'forged'] as const satisfies readonly RefusalKind[]

/** So small a share of the valid deliveries may be refused without casting doubt on how others are refused. */
const FEW = 0.2

/** Refusals that should happen and do, but with another status; none when they do not agree. */
function refusalStatus({ trials, valid, service }: Symptoms): Candidate[] {
  const { refusesWith } = service
  if (refusesWith === undefined) return []
  const refusals = trials.filter(
    (trial) =>
      trial.shouldAccept === false &&
      trial.status !== undefined &&
      trial.status >= 400 &&
      isJson(trial.delivery.body) &&
      isOfReceiver(trial),
  )
  const { unreadable, forged } = refusesWith
  const required = { missing: unreadable, malformed: unreadable, stale: unreadable, forged }
  const isRefused = (kind: RefusalKind) =>
    trials.filter(({ correct, accepted }) => correct === kind && accepted === true).length <
    refusals.filter(({ correct }) => correct === kind).length
  // What is accepted as a rule is refused for another reason.
  const usual = new Map(KINDS.filter(isRefused).flatMap((kind) => entryOf(kind, refusals)))
  const wrong = KINDS.filter((kind) => {
    const status = usual.get(kind)
    return status !== undefined && status !== required[kind]
  })
  if (wrong.length === 0) return []
  // A status that most valid deliveries get too says nothing about refusals; a few may be refused for another mistake.
  const isUsual = (kind: RefusalKind) =>
    valid.filter(({ status }) => status === usual.get(kind)).length > valid.length * FEW
  if (wrong.some(isUsual)) return []
  const explains = new Set(
    trials
      .filter(({ shouldAccept, status, correct }) =>
        wrong.some(
          (kind) => shouldAccept === false && (correct ?? kind) === kind && status === usual.get(kind),
        ),
      )
      .map(({ verdict }) => verdict)
      .filter(isOpen),
  )
  return explains.size === 0 ? [] : [{ ...said(usual, wrong, required), explains }]
}

/** Whether nothing shows that something in front of the receiver has answered. */
function isOfReceiver({ exchange: { answer } }: Trial): boolean {
  const by = answer === undefined ? undefined : answererOf(answer)
  return by === undefined || by.kind === 'framework'
}

/** The status that nearly every refusal of a kind got; nothing when they differ more. */
function entryOf(kind: RefusalKind, refusals: readonly Trial[]): [RefusalKind, number][] {
  const statuses = refusals.filter(({ correct }) => correct === kind).flatMap(({ status }) => status ?? [])
  const counts = statuses.map((status) => [status, statuses.filter((one) => one === status).length] as const)
  const [usual] = counts.toSorted((a, b) => b[1] - a[1])
  return usual !== undefined && usual[1] >= statuses.length * MOST ? [[kind, usual[0]]] : []
}

function said(
  usual: ReadonlyMap<RefusalKind, number>,
  kinds: readonly RefusalKind[],
  required: Readonly<Record<RefusalKind, number>>,
): Said {
  const statuses = new Set(usual.values())
  const [status = 0] = statuses
  const wrong = kinds.map((kind) => ({ kind, status: usual.get(kind) ?? 0, required: required[kind] }))
  if (wrong.some((one) => one.status >= 500))
    return { code: 'refusal_with_5xx', data: { wrong, isOne: wrong.length > 1 && statuses.size === 1 } }
  if (statuses.size === 1 && usual.size > 1) return { code: 'one_refusal_status', data: { status } }
  const { forged, missing } = required
  if (usual.get('forged') === missing && (usual.get('missing') === forged || usual.get('stale') === forged))
    return { code: 'statuses_swapped' }
  return { code: 'wrong_refusal_status', data: { wrong } }
}

/** A body that is not JSON is answered before its signature is checked, although it is forged. */
function parsedFirst({ trials, service }: Symptoms): Candidate[] {
  const { refusesWith } = service
  if (refusesWith === undefined) return []
  const forged = trials.filter(({ correct, shouldAccept }) => correct === 'forged' && shouldAccept === false)
  const unreadable = forged.filter(({ delivery }) => !isJson(delivery.body))
  const otherwise = unreadable.filter(
    ({ status }) => status !== refusesWith.forged && status !== undefined && status >= 400,
  )
  const readable = forged.filter(({ delivery }) => isJson(delivery.body))
  if (otherwise.length < 2 || otherwise.length < unreadable.length) return []
  if (readable.length === 0 || readable.some(({ status }) => status !== refusesWith.forged)) return []
  const statuses = [...new Set(otherwise.flatMap(({ status }) => status ?? []))]
  const explains = new Set(
    trials
      .filter(
        ({ delivery, status }) => !isJson(delivery.body) && status !== undefined && statuses.includes(status),
      )
      .map(({ verdict }) => verdict)
      .filter(isOpen),
  )
  if (explains.size === 0) return []
  return [
    {
      code: 'body_parsed_first',
      data: { statuses },
      explains,
    },
  ]
}

const isTaken = ({ delivery, exchange: { answer } }: Trial) => isAcknowledged({ delivery, answer })

/** Every acknowledgment has one status, and that is none that acknowledges. */
function acknowledgedOtherwise({ valid, trials }: Symptoms): Candidate[] {
  const wrong = valid.filter(
    (trial) => trial.status !== undefined && trial.status >= 200 && trial.status < 400 && !isTaken(trial),
  )
  const statuses = [...new Set(wrong.flatMap(({ status }) => status ?? []))].toSorted((a, b) => a - b)
  const accepted = valid.filter(isTaken)
  if (wrong.length === 0) return []
  // That a forgery is accepted has another cause.
  const acceptsForged = new Set(
    trials
      .filter(({ shouldAccept, accepted }) => shouldAccept === false && accepted === true)
      .map(({ verdict }) => verdict),
  )
  const explains = new Set(
    wrong.map(({ verdict }) => verdict).filter((verdict) => isOpen(verdict) && !acceptsForged.has(verdict)),
  )
  if (explains.size === 0) return []
  const code = statuses.every((status) => status >= 300) ? 'redirects' : 'answers_not_200'
  const data: Acknowledged = { statuses, isAll: accepted.length === 0 }
  return [{ code, data, explains }]
}

/** Above this share of the valid deliveries, an error is no exception. */
const RARE_SHARE = 0.1

/** Some requests get 500, or no response before their connection is closed, beside refusals that are right. */
function notCaught({ trials, valid }: Symptoms): Candidate[] {
  const failing = trials.filter(
    (trial) => isOpen(trial.verdict) && ((trial.status === 500 && isOfReceiver(trial)) || wasDropped(trial)),
  )
  // Where many valid deliveries get 500, so do those of which the service does not say what is right, and for the same reason.
  const isOfMany =
    failing.filter(({ shouldAccept }) => shouldAccept === true).length > valid.length * RARE_SHARE
  const thrown = failing.filter(
    ({ shouldAccept }) => shouldAccept === false || (shouldAccept !== true && !isOfMany),
  )
  // What most valid deliveries meet has another cause.
  const isRare = valid.filter(isTaken).length > valid.length / 2
  const proper = trials.some(({ shouldAccept, status }) => shouldAccept === false && status === 401)
  if (thrown.length === 0 || !proper) return []
  return [
    {
      code: 'error_not_caught',
      data: {
        isThrown: thrown.some(({ status }) => status === 500),
        isDropped: thrown.some(wasDropped),
      },
      changes: new Map(thrown.toReversed().map(({ verdict, delivery }) => [verdict, delivery.change])),
      explains: new Set((isRare ? failing : thrown).map(({ verdict }) => verdict)),
    },
  ]
}

/** Whether the connection was closed without a response, and the receiver accepted a delivery of the same case after it. */
function wasDropped({ exchange, verdict: { exchanges } }: Trial): boolean {
  if (exchange.answer !== undefined || exchange.error?.code !== 'reset') return false
  // A request that was not sent to its end, or not as HTTP, may be dropped.
  if (exchange.delivery.transport !== undefined) return false
  const later = exchanges.slice(exchanges.indexOf(exchange) + 1)
  return later.some(isAcknowledged) && !later.some(({ error }) => error?.code === 'refused')
}

/** The right decision with the wrong status (SPEC.md 5 and 6). */
export const statusCauses: Recognize = (symptoms) => [
  ...refusalStatus(symptoms),
  ...parsedFirst(symptoms),
  ...acknowledgedOtherwise(symptoms),
  ...notCaught(symptoms),
]

const CODES = {
  secret: 'secret_disclosed',
  signature: 'signature_disclosed',
  trace: 'trace_disclosed',
} as const

function shown(what: keyof typeof CODES, { open }: Symptoms): Candidate[] {
  const problems = open.flatMap((verdict) =>
    verdict.problems
      .filter(({ wrong }) => 'what' in wrong && wrong.what === what)
      .map((problem) => ({ verdict, problem })),
  )
  if (problems.length === 0) return []
  // The case that judges the entire run names the delivery.
  const [first] = problems.flatMap(({ problem: { wrong } }) =>
    wrong.code === 'disclosed_in_the_run' ? wrong.first : [],
  )
  return [
    {
      code: CODES[what],
      data: { first },
      observed: true,
      explains: new Set(problems.map(({ verdict }) => verdict)),
    },
  ]
}

/** A response contains what helps an attacker, such as what makes valid signatures (SPEC.md 11). */
export const disclosureCauses: Recognize = (symptoms) => [
  ...shown('secret', symptoms),
  ...shown('signature', symptoms),
  ...shown('trace', symptoms),
]
