import type { ExpectationKind, Verdict } from '../../contracts/webhook/model.ts'
import { isAcknowledged } from '../../engine/exchange.ts'
import { type Answerer, answererOf } from '../answerer.ts'
import type { Recognize } from '../cause.ts'
import type { CauseData, Said } from '../statement.ts'
import { contentTypeOf, MOST, type Symptoms, type Trial } from '../symptoms.ts'
import { zerosLost } from './header.ts'

type Received = CauseData['nothing_accepted']['received']

/** Almost no valid delivery was accepted: what fails because of that follows from it. */
export const nothingAccepted: Recognize = (symptoms) => {
  const { valid, open } = symptoms
  const wrong = valid.filter(({ exchange }) => !isAcknowledged(exchange))
  if (wrong.length === 0 || wrong.length < valid.length * MOST || zerosLost(symptoms).length > 0) return []
  const [status, times] = mostCommon(wrong.map((trial) => trial.status))
  // 2xx and redirects have a cause of their own.
  if (status !== undefined && status < 400) return []
  const received = { status, times, of: valid.length, isAll: wrong.length === valid.length }
  const by = commonAnswerer(wrong.filter((trial) => trial.status === status))
  const statement = stated(received, by, symptoms)
  return [
    {
      ...statement,
      precedes: true,
      observed: !GUESSED.includes(statement.code) || symptoms.readsHeader === true,
      explains: new Set(open.filter((verdict) => isAboutValid(verdict) || gotOnly(verdict, status))),
    },
  ]
}

/** What is only most likely. */
const GUESSED: readonly Said['code'][] = ['wrong_secret', 'handler_throws']

/** What a receiver that accepts nothing fails; how it answers what it must refuse is another matter. */
const KINDS: readonly ExpectationKind[] = ['accepted', 'control-accepted', 'effects', 'timing']

/** Whether nothing was answered in another way than valid deliveries are. */
function gotOnly({ exchanges }: Verdict, status: number | undefined): boolean {
  return exchanges.every(({ answer, unanswered }) => unanswered === true || answer?.status === status)
}

function isAboutValid({ problems }: Verdict): boolean {
  return problems.every(({ kind }) => KINDS.includes(kind))
}

function stated(received: Received, by: Answerer | undefined, symptoms: Symptoms): Said {
  const { status } = received
  const [given] = symptoms.given
  if (given !== undefined) return given
  const isReceiver =
    by === undefined || by.kind === 'framework' || (status === 401 && readsTheHeader(symptoms))
  if (!isReceiver) return { code: 'nothing_accepted', data: { received, by } }
  if (symptoms.acceptsAgain) return { code: 'nothing_accepted', data: { received, isAcceptedAgain: true } }
  // The code of the reference receiver.
  if (bodies(symptoms).some((text) => text.includes('body_already_read')))
    return { code: 'body_already_read', data: {} }
  if (onlyJsonIsRefused(symptoms)) return { code: 'body_already_read', data: { received } }
  if (status === EXPIRED || (FORBIDDEN.includes(status ?? 0) && bodies(symptoms).some(namesCsrf)))
    return { code: 'csrf_protection', data: { received } }
  if (status === undefined || status === 500) return { code: 'handler_throws', data: { received } }
  if (status === 401 && readsTheHeader(symptoms)) return { code: 'wrong_secret', data: { received } }
  const hasOneMode = symptoms.service.hasOneMode === true
  const isParsedFirst = symptoms.parsesFirst
  const data = {
    received,
    ...(hasOneMode && { hasOneMode }),
    ...(by !== undefined && { by }),
    ...(isParsedFirst && { isParsedFirst }),
  }
  return { code: 'nothing_accepted', data }
}

/** What answered all of them. */
function commonAnswerer(trials: readonly Trial[]): Answerer | undefined {
  const [first, ...others] = trials.map(({ exchange }) => exchange.answer && answererOf(exchange.answer))
  return others.every((other) => other?.kind === first?.kind && other?.product === first?.product)
    ? first
    : undefined
}

/** Laravel's status for a missing token, which its page calls an expired one. Nothing else uses it. */
const EXPIRED = 419
/** Most answer 403, some 400 or 422. */
const FORBIDDEN = [400, 403, 422]
const namesCsrf = (text: string) => /\bcsrf\b|authenticity ?token/i.test(text)

/** Types that a parser for JSON, or one for forms beside it, may read as well. */
const MAY_BE_PARSED = /\+json$|^application\/x-www-form-urlencoded$/

/** Whether the declared content type decides, and nothing else. */
function onlyJsonIsRefused({ valid }: Symptoms): boolean {
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
function readsTheHeader({ trials, readsHeader = false }: Symptoms): boolean {
  const refused = trials.filter(({ shouldAccept }) => shouldAccept === false)
  const early = refused.filter(({ correct }) => correct === 'missing' || correct === 'stale')
  // The first section of a contract sends none.
  if (early.length === 0) return readsHeader
  const forged = refused.filter(({ correct }) => correct === 'forged')
  return (
    early.length > 0 &&
    early.every(({ status }) => status === 400) &&
    forged.some(({ status }) => status === 401)
  )
}

function bodies({ valid }: Symptoms): string[] {
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
