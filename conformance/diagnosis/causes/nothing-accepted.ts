import type { ExpectationKind, Verdict } from '../../contracts/payment-service/model.ts'
import type { Recognize } from '../cause.ts'
import type { Evidence, Trial } from '../evidence.ts'
import type { Statement } from '../statement.ts'
import { contentTypeOf } from './content.ts'
import { MOST } from './entire/run.ts'

/** Almost no valid delivery was accepted: what fails because of that follows from it. */
export const nothingAccepted: Recognize = (evidence) => {
  const { valid, open } = evidence
  const wrong = valid.filter(({ status }) => status !== 200)
  if (wrong.length === 0 || wrong.length < valid.length * MOST) return []
  const [status, times] = mostCommon(wrong.map((trial) => trial.status))
  // 2xx and redirects have a cause of their own.
  if (status !== undefined && status < 400) return []
  const share = times === valid.length ? 'all' : `${times} of ${valid.length}`
  const head = wrong.length === valid.length ? 'No' : 'Almost no'
  const received = `${head} valid delivery was accepted: ${share} got ${status ?? 'no response'}`
  const statement = stated(received, status, evidence)
  return [
    {
      ...statement,
      precedes: true,
      observed: !GUESSED.includes(statement.code),
      explains: new Set(open.filter((verdict) => isAboutValid(verdict) || gotOnly(verdict, status))),
    },
  ]
}

/** What is only most likely. */
const GUESSED: readonly Statement['code'][] = ['wrong_secret', 'handler_throws']

/** What a receiver that accepts nothing fails; how it answers what it must refuse is another matter. */
const KINDS: readonly ExpectationKind[] = ['accepted', 'control-accepted', 'effects', 'timing']

/** Whether nothing was answered in another way than valid deliveries are. */
function gotOnly({ exchanges }: Verdict, status: number | undefined): boolean {
  return exchanges.every(({ answer, unanswered }) => unanswered === true || answer?.status === status)
}

function isAboutValid({ problems }: Verdict): boolean {
  return problems.every(({ kind }) => KINDS.includes(kind))
}

function stated(observed: string, status: number | undefined, evidence: Evidence): Statement {
  const [given] = evidence.given
  if (given !== undefined) return given
  if (evidence.acceptsAgain) {
    return {
      code: 'nothing_accepted',
      sentence: `${observed}, but one sent after the cases was accepted.`,
      fix: "Check the receiver's log for what blocked it temporarily: a restart, a rate limit, or a lock.",
    }
  }
  if (bodies(evidence).some((text) => text.includes('body_already_read'))) return ALREADY_READ
  if (onlyJsonIsRefused(evidence)) {
    return {
      code: 'body_already_read',
      sentence: `${observed}, and only deliveries that are not declared as JSON were accepted: a JSON parser reads the body before the receiver does.`,
      fix: ALREADY_READ.fix,
    }
  }
  if (status === EXPIRED || (FORBIDDEN.includes(status ?? 0) && bodies(evidence).some(namesCsrf))) {
    return {
      code: 'csrf_protection',
      sentence: `${observed}: CSRF protection expects a token, which the service does not send.`,
      fix: 'Exempt the webhook route from CSRF protection: the signature protects it.',
    }
  }
  if (status === undefined || status === 500) {
    return {
      code: 'handler_throws',
      sentence: `${observed}: the handler probably throws an error.`,
      fix: "Look for the first error in the receiver's log. The usual cause is a body parser that has already consumed the body.",
    }
  }
  if (status === 401 && readsTheHeader(evidence)) {
    return {
      code: 'wrong_secret',
      sentence: `${observed}, the status for a wrong signature: the receiver most likely has a different signing secret.`,
      fix: 'Use the same signing secret in the receiver and the suite, including whsec_ and without quotation marks or a line break. If they are the same, verify the raw body, and await the computed signature if it is a Promise.',
    }
  }
  return {
    code: 'nothing_accepted',
    sentence: `${observed}.`,
    fix:
      status === 401 || status === 403 || status === 400
        ? 'Check, in this order: both sides have the same signing secret, the handler verifies the raw body instead of a parsed one, the name of the signature header, the clock, and any proxy or middleware in front of the handler. If the receiver refuses test events by design, use --mode live.'
        : "Check the receiver's log, the URL, and any proxy or middleware in front of the handler.",
  }
}

/** Laravel's status for a missing token, which its page calls an expired one. Nothing else uses it. */
const EXPIRED = 419
/** Most answer 403, some 400 or 422. */
const FORBIDDEN = [400, 403, 422]
const namesCsrf = (text: string) => /\bcsrf\b|authenticity ?token/i.test(text)

const ALREADY_READ: Statement = {
  code: 'body_already_read',
  sentence: 'A body parser in front of the receiver has already read the body.',
  fix: 'Mount the receiver before express.json() and every other body parser, or exclude its path from them.',
}

/** Types that a parser for JSON, or one for forms beside it, may read as well. */
const MAY_BE_PARSED = /\+json$|^application\/x-www-form-urlencoded$/

/** Whether the declared content type decides, and nothing else. */
function onlyJsonIsRefused({ valid }: Evidence): boolean {
  const typeOf = ({ delivery }: Trial) =>
    contentTypeOf(delivery)?.replace(/;.*/s, '').trim().toLowerCase() ?? ''
  const isJson = (trial: Trial) => typeOf(trial) === 'application/json'
  const plain = valid.filter((trial) => !MAY_BE_PARSED.test(typeOf(trial)))
  return (
    plain.filter((trial) => !isJson(trial)).length > 1 &&
    plain.every((trial) => trial.accepted !== isJson(trial))
  )
}

/** It answers 400 to a missing or stale header and 401 to a wrong signature, so it finds the header and knows the time. */
function readsTheHeader({ trials }: Evidence): boolean {
  const refused = trials.filter(({ shouldAccept }) => shouldAccept === false)
  const early = refused.filter(({ correct }) => correct === 'missing' || correct === 'stale')
  const forged = refused.filter(({ correct }) => correct === 'forged')
  return (
    early.length > 0 &&
    early.every(({ status }) => status === 400) &&
    forged.some(({ status }) => status === 401)
  )
}

function bodies({ valid }: Evidence): string[] {
  return valid.flatMap(({ exchange }) => exchange.answer?.body.toString('latin1') ?? [])
}

function mostCommon<T>(values: readonly T[]): [value: T | undefined, times: number] {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce<[T | undefined, number]>(
    (best, entry) => (entry[1] > best[1] ? entry : best),
    [undefined, 0],
  )
}
