import type { Candidate, Recognize } from '../cause.ts'
import { type Evidence, isJson, isOpen, type Trial } from '../evidence.ts'
import type { Statement } from '../statement.ts'
import type { Judgement } from '../verifier.ts'
import { MOST } from './entire/run.ts'

type Refusal = Exclude<Judgement, 'accepted'>

/** The status that SPEC.md requires for each kind of refusal. */
const REQUIRED = { missing: 400, malformed: 400, stale: 400, forged: 401 } as const satisfies Record<
  Refusal,
  number
>
const KINDS = ['missing', 'malformed', 'stale', 'forged'] as const satisfies readonly Refusal[]
const WORDS: Readonly<Record<Refusal, string>> = {
  missing: 'a delivery without a signature header, t or v1',
  malformed: 'a malformed t',
  stale: 'a stale t',
  forged: 'a wrong signature',
}
const FIX =
  'Answer 400 when the signature header, t or v1 is missing or malformed and when t is stale, and 401 when the signature is wrong.'

/** So small a share of the valid deliveries may be refused without casting doubt on how others are refused. */
const FEW = 0.2

/** Refusals that should happen and do, but with another status; none when they do not agree. */
function refusalStatus({ trials, valid }: Evidence): Candidate[] {
  const refusals = trials.filter(
    ({ shouldAccept, status, delivery }) =>
      shouldAccept === false && status !== undefined && status >= 400 && isJson(delivery.body),
  )
  const usual = new Map(KINDS.flatMap((kind) => entryOf(kind, refusals)))
  const wrong = KINDS.filter((kind) => {
    const status = usual.get(kind)
    return status !== undefined && status !== REQUIRED[kind]
  })
  if (wrong.length === 0) return []
  // A status that most valid deliveries get too says nothing about refusals; a few may be refused for another mistake.
  const isUsual = (kind: Refusal) =>
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
  return explains.size === 0 ? [] : [{ ...statement(usual, wrong), explains }]
}

/** The status that nearly every refusal of a kind got; nothing when they differ more. */
function entryOf(kind: Refusal, refusals: readonly Trial[]): [Refusal, number][] {
  const statuses = refusals.filter(({ correct }) => correct === kind).flatMap(({ status }) => status ?? [])
  const counts = statuses.map((status) => [status, statuses.filter((one) => one === status).length] as const)
  const [usual] = counts.toSorted((a, b) => b[1] - a[1])
  return usual !== undefined && usual[1] >= statuses.length * MOST ? [[kind, usual[0]]] : []
}

function statement(usual: ReadonlyMap<Refusal, number>, wrong: readonly Refusal[]): Statement {
  const statuses = new Set(usual.values())
  const [only] = statuses
  if (wrong.some((kind) => (usual.get(kind) ?? 0) >= 500)) {
    // A status below 500 was chosen, so only the others come from an error.
    const isThrown = (kind: Refusal) => (usual.get(kind) ?? 0) >= 500
    const chosen = wrong.filter((kind) => !isThrown(kind))
    const gets = (kinds: readonly Refusal[]) =>
      kinds.map((kind) => `${WORDS[kind]} gets ${usual.get(kind)}`).join(', ')
    const isAll = wrong.length > 1 && statuses.size === 1
    const thrown = isAll ? `A refusal gets ${only}` : capitalized(gets(wrong.filter(isThrown)))
    const others = chosen.map((kind) => `; ${gets([kind])} instead of ${REQUIRED[kind]}`).join('')
    return {
      code: 'refusal_with_5xx',
      sentence: `${thrown}, because an error in the verification is not caught${others}.`,
      fix: `Catch the error. ${FIX}`,
    }
  }
  if (statuses.size === 1 && usual.size > 1) {
    return {
      code: 'one_refusal_status',
      sentence: `Every refusal gets the status ${only}.`,
      fix: FIX,
    }
  }
  if (usual.get('forged') === 400 && (usual.get('missing') === 401 || usual.get('stale') === 401)) {
    return { code: 'statuses_swapped', sentence: 'The statuses 400 and 401 are swapped.', fix: FIX }
  }
  const parts = wrong.map((kind) => `${WORDS[kind]} gets ${usual.get(kind)} instead of ${REQUIRED[kind]}`)
  return {
    code: 'wrong_refusal_status',
    sentence: `Refusals have the wrong status: ${parts.join(', ')}.`,
    fix: FIX,
  }
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** A body that is not JSON is answered before its signature is checked, although it is forged. */
function parsedFirst({ trials }: Evidence): Candidate[] {
  const forged = trials.filter(({ correct, shouldAccept }) => correct === 'forged' && shouldAccept === false)
  const unreadable = forged.filter(({ delivery }) => !isJson(delivery.body))
  const otherwise = unreadable.filter(({ status }) => status !== 401 && status !== undefined && status >= 400)
  const readable = forged.filter(({ delivery }) => isJson(delivery.body))
  if (otherwise.length < 2 || otherwise.length < unreadable.length) return []
  if (readable.length === 0 || readable.some(({ status }) => status !== 401)) return []
  const statuses = [...new Set(otherwise.map(({ status }) => status))]
  const explains = new Set(
    trials
      .filter(({ delivery, status }) => !isJson(delivery.body) && statuses.includes(status))
      .map(({ verdict }) => verdict)
      .filter(isOpen),
  )
  if (explains.size === 0) return []
  return [
    {
      code: 'body_parsed_first',
      sentence: `The body is parsed before the signature is checked: a forged body that is not JSON gets ${statuses.join(' or ')}.`,
      fix: 'Verify the raw body first and answer 401 if the signature is wrong; parse it only afterwards, and answer 400 if it is not JSON.',
      explains,
    },
  ]
}

/** Every acknowledgment has one status, and that is not 200. */
function acknowledgedOtherwise({ valid, trials }: Evidence): Candidate[] {
  const wrong = valid.filter(
    ({ status, exchange }) => status !== undefined && status > 200 && status < 400 && exchange.answer,
  )
  const statuses = [...new Set(wrong.flatMap(({ status }) => status ?? []))].toSorted((a, b) => a - b)
  const accepted = valid.filter(({ status }) => status === 200)
  if (wrong.length === 0) return []
  const all = accepted.length === 0
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
  const redirect = statuses.every((status) => status >= 300)
  const which = all ? 'Valid deliveries are' : 'Some valid deliveries are'
  return [
    redirect
      ? {
          code: 'redirects',
          sentence: `${which} answered with a redirect (${statuses.join(', ')}), which the service does not follow.`,
          fix: 'Register and test the URL that it redirects to, with its scheme and its trailing slash, or answer 200 at this one.',
          explains,
        }
      : {
          code: 'answers_not_200',
          sentence: `${which} acknowledged with ${statuses.join(' or ')} instead of 200.`,
          fix: 'Answer exactly 200 to every valid delivery, even if there is nothing to do.',
          explains,
        },
  ]
}

/** Some requests get 500, or no response before their connection is closed, beside refusals that are right. */
function notCaught({ trials }: Evidence): Candidate[] {
  const thrown = trials.filter(
    (trial) =>
      trial.shouldAccept !== true && isOpen(trial.verdict) && (trial.status === 500 || wasDropped(trial)),
  )
  const proper = trials.some(({ shouldAccept, status }) => shouldAccept === false && status === 401)
  const [first] = thrown
  if (first === undefined || !proper) return []
  const received = [
    ...(thrown.some(({ status }) => status === 500) ? ['500'] : []),
    ...(thrown.some(wasDropped) ? ['no response'] : []),
  ].join(' or ')
  const more = thrown.some(wasDropped) ? ` ${RECOVER}` : ''
  return [
    {
      code: 'error_not_caught',
      sentence: `An unusual request gets ${received}, because an error is not caught (first: ${first.delivery.change ?? 'a valid delivery'}).`,
      fix: `${CATCH}${more}`,
      explains: new Set(thrown.map(({ verdict }) => verdict)),
    },
  ]
}
const CATCH =
  'Catch every error that reading the header, the signature and the body can cause: answer 401 if the signature is wrong, 400 if the header, t or a signed body is unusable, and 200 to a valid event.'
const RECOVER =
  'Some servers close the connection when a handler fails: in Go, check lengths and types before you index or convert, and look for "panic" in the log.'

/** Whether the connection was closed without a response, and the receiver accepted a delivery of the same case after it. */
function wasDropped({ exchange, verdict: { exchanges } }: Trial): boolean {
  if (exchange.answer !== undefined || exchange.error?.code !== 'reset') return false
  // A request that was not sent to its end, or not as HTTP, may be dropped.
  if (exchange.delivery.transport !== undefined) return false
  const later = exchanges.slice(exchanges.indexOf(exchange) + 1)
  return (
    later.some(({ answer }) => answer?.status === 200) &&
    !later.some(({ error }) => error?.code === 'refused')
  )
}

/** The right decision with the wrong status (SPEC.md 5 and 6). */
export const statusCauses: Recognize = (evidence) => [
  ...refusalStatus(evidence),
  ...parsedFirst(evidence),
  ...acknowledgedOtherwise(evidence),
  ...notCaught(evidence),
]
