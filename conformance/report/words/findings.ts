import { either } from '../../contracts/alternatives.ts'
import { LEAST_SECRET_CHARACTERS } from '../../contracts/secret.ts'
import type {
  Exchange,
  Expected,
  ExpectedData,
  Open,
  OpenData,
  Problematic,
  Reason,
  ReasonData,
  Secrecy,
  Wrong,
  WrongData,
} from '../../contracts/webhook/finding.ts'
import { CRASH_EXPECTED, crashText } from './crash.ts'
import { failureText, wireText } from './failures.ts'

/** How many payments or deliveries a sentence names. */
const NAMED = 3

type Words<Data, Rest extends unknown[] = []> = {
  readonly [Code in keyof Data]: string | ((data: Data[Code], ...rest: Rest) => string)
}

const WITHHELD: Readonly<Record<Secrecy, string>> = {
  secret: 'the signing secret',
  signature: 'the expected signature',
  trace: 'a stack trace',
}

const EXPECTED: Words<ExpectedData> = {
  accepted: 'every delivery is accepted with status 200',
  accepted_or_busy: ({ statuses }) =>
    `a copy is accepted with status 200, and each other one too, or with ${statuses.join(', ')} while the first is handled`,
  accepted_unless_busy: ({ statuses }) =>
    `every delivery is accepted with status 200, or with ${statuses.join(', ')} while another event of its payment is handled`,
  control_accepted: 'the control, a valid delivery beside the changed one, is accepted',
  accepted_afterwards: 'the valid delivery after the unusual requests is accepted',
  accepted_after_refusals: 'the valid delivery after bad signatures is accepted, at once or a minute later',
  accepted_meanwhile:
    'the valid delivery is accepted with status 200 while other connections hold unfinished bodies',
  accepted_while_expanding:
    'valid deliveries are accepted in time, although compressed bodies arrive that expand to 100 MB each',
  refused: ({ statuses }) => `the delivery is refused with status ${either(statuses)}`,
  refused_before: ({ what, statuses }) =>
    `the ${what} delivery before it is refused with status ${either(statuses)}`,
  refused_within: ({ from, to, others }) =>
    `the delivery is refused with a status from ${from} to ${to}${others.map((status) => ` or ${status}`).join('')}`,
  refused_with_4xx: 'the delivery is refused with a status from 400 to 499',
  refused_or_closed: 'the delivery is refused with a status from 400 to 499, or the connection is closed',
  stale_not_accepted: 'the delivery is refused with status 400, or otherwise because of its headers',
  not_accepted: 'no unsigned or forged delivery is accepted',
  not_let_in: 'the delivery is not accepted',
  acknowledged: 'every delivery is acknowledged with a status from 200 to 299',
  acknowledged_or_busy: ({ statuses }) =>
    `a copy is acknowledged with a status from 200 to 299, and each other one too, or with ${statuses.join(', ')}`,
  handled_once: 'every delivery that was acknowledged is handled once',
  handled_once_together: 'of several deliveries that report the same change, only one is handled, once',
  not_handled: 'the delivery is not handled',
  accepted_or_refused: ({ statuses }) =>
    `the delivery is accepted, or refused with status ${either(statuses)}`,
  challenge_answered: 'a status from 200 to 299 and the challenge in the response',
  answered: 'the delivery is answered with a status below 500',
  answered_before: 'the unusual delivery before it is answered with a status below 500',
  answered_in_time: 'every delivery is answered in time',
  clock_advances: "what is inside the window by the receiver's clock at first is inside it seconds later",
  stale_although_seen:
    'once it is outside the window, a t is refused with status 400, although it was accepted before',
  nothing_disclosed: ({ what }) => `no response contains ${WITHHELD[what]}`,
  nothing_disclosed_in_the_run: ({ what }) => `no response of the run contains ${WITHHELD[what]}`,
  fulfilled_once: 'every payment is fulfilled once, for its amount',
  fulfilled_if_acknowledged: 'every payment that was acknowledged is fulfilled once, for its amount',
  fulfilled_exactly_if_at_all: 'every payment is fulfilled once and for exactly its amount, if at all',
  fulfilled_once_as_live: 'every payment is fulfilled once as a live one, for its amount',
  fulfilled_then_reversed: 'the payment is fulfilled once, then reversed once',
  nothing_handled: 'nothing is fulfilled or reversed',
  nothing_left_fulfilled: 'nothing remains fulfilled, and nothing is done twice',
  nothing_done_later: 'no payment of the run is handled again later',
  nothing_lost: 'every acknowledged payment of the run is processed',
  not_fulfilled_as_live: 'no test payment is fulfilled as a live one',
  not_reversed_as_settled: 'no reversal is recorded for the amount or currency of settled_via',
  livemode_shown: "every effect shows its event's livemode",
  live_effects: 'the live effects of each payment follow from its live events',
  sparse_like_full:
    'if simulated payments are fulfilled, those with few fields are too, each once and for its amount',
  effects_of_sequences: 'the effects of each payment follow from its events',
  ...CRASH_EXPECTED,
}

/** What an expectation states, as a clause. */
export function expectedText(expected: Expected): string {
  return said(EXPECTED, expected)
}

const WRONG: Words<WrongData, [Pick<Problematic, 'exchanges'>]> = {
  answer: ({ several }, { exchanges: [first] = [] }) =>
    several && first !== undefined ? `${outcomeOf(first)} (${subjectOf(first)})` : outcomeOf(first),
  answer_afterwards: ({ causes }, { exchanges: [first] = [] }) => afterwards(first, causes),
  nothing_could_follow: ({ causes }) =>
    `no valid delivery could follow ${causes.join('; or ')}: the receiver is gone`,
  locked_out: ({ status }) => `status ${status} to every valid delivery, also a minute later`,
  answer_while_expanding: (_, { exchanges: [first] = [] }) => besideCompressed(first),
  ended_while_expanding: (_, { exchanges: [first] = [] }) => outcomeInTime(first),
  let_in: (_, { exchanges = [] }) => {
    const names = exchanges.slice(0, NAMED).map(({ delivery }) => delivery.change ?? 'a delivery')
    const more = exchanges.length > NAMED ? `; and ${exchanges.length - NAMED} more` : ''
    return `accepted with status ${exchanges[0]?.answer?.status}: ${names.join('; ')}${more}`
  },
  late: ({ ms, limitMs }) => `a response after ${Math.round(ms)} ms; the limit is ${limitMs} ms`,
  disclosed: ({ what }, { exchanges: [first] = [] }) =>
    `a response with status ${first?.answer?.status} that contains ${WITHHELD[what]}`,
  disclosed_in_the_run: ({ what, first }) =>
    `a response that contains ${WITHHELD[what]}: status ${first.status} (${first.delivery}; ${first.case})`,
  clock_stands_still: ({ ahead, aheadAtStart }, { exchanges: [first] = [] }) =>
    `status ${first?.answer?.status} to a t that was ${aheadAtStart} s ahead at the start of the run, although one ${ahead} s ahead was accepted then: its clock does not advance`,
  not_fulfilled: ({ isTest = false }) =>
    isTest
      ? 'fulfilled, but as a test payment (livemode false); not fulfilled as a live one'
      : 'not fulfilled',
  fulfilled_often: ({ times }) => `fulfilled ${times} times`,
  reversed_often: ({ times }) => `reversed ${times} times`,
  reversed_without_refund: 'fulfilled, but reversed without a refund',
  other_amount: ({ amount, expected }) => `fulfilled for ${amount}, but amount is ${expected}`,
  amount_of_another: ({ amount, expected }) =>
    `not fulfilled for its amount of ${expected}, but for ${amount}, which is that of another payment`,
  other_currency: ({ currency, expected }) => `fulfilled in ${currency}, but currency is ${expected}`,
  handled: ({ effects }) => effects.map(({ effect, amount }) => `${effect} for ${amount}`).join(', '),
  in_order: ({ effects }) => inOrder(effects) || 'no effect',
  other_livemode: ({ livemode, expected }) => `livemode is ${livemode}, but ${expected} in the event`,
  shown_as_live: 'an effect with livemode true, but false in the event',
  reversed_as_settled: ({ amount, currency }) =>
    `reversed for ${amount} ${currency}, as settled by another rail`,
  after_sequence: ({ effects, allowed, other }) =>
    other === undefined
      ? `${outcomeText(effects)}; allowed: ${allowed.map(outcomeText).join(', or ')}`
      : wrongText(other, {}),
  wrong_later: ({ wrong }) =>
    someOf(wrong.map(({ case: id, problem }) => `${receivedText(problem)} (${id})`)),
  challenge_not_answered: (_, { exchanges: [first] = [] }) => `${outcomeOf(first)}, without the challenge`,
  not_handled: 'acknowledged, but not handled',
  handled_often: ({ times }) => `handled ${timesText(times)}`,
  handled_often_together: ({ each }) =>
    each.map(({ key, times }) => `${key}: handled ${timesText(times)}`).join('; '),
  handled_wrongly: ({ isRefused }) => (isRefused ? 'refused, but handled' : 'handled'),
  lost: ({ lost }) =>
    `acknowledged, but not fulfilled: ${someOf(lost.map(({ case: id, payment }) => `${payment} (${id})`))}`,
  found_in_crash: ({ found }) => crashText(found),
}

/** What names its payments or deliveries itself. */
const NAMING: readonly Wrong['code'][] = ['wrong_later', 'lost', 'handled_often_together']

/** What was received instead of what was expected, as a clause. */
export function receivedText(
  problem: Pick<Problematic, 'wrong' | 'payments' | 'change' | 'exchanges'>,
): string {
  const { wrong, payments: [payment] = [], change } = problem
  const text = wrongText(wrong, problem)
  if (NAMING.includes(wrong.code) || payment === undefined) return text
  if (wrong.code === 'after_sequence') return `after ${wrong.sequence.join(', ')} (${payment}): ${text}`
  return `${payment}: ${text}${change === undefined ? '' : ` (${change})`}`
}

function wrongText(wrong: Wrong, problem: Pick<Problematic, 'exchanges'>): string {
  return said(WRONG, wrong, problem)
}

const OPEN: Words<OpenData> = {
  gone_before: 'the receiver refused connections before the first request of this case',
  answer_meanwhile: ({ exchange, mayLimit }) =>
    `${outcomeOf(exchange)} while others were open: ${mayLimit ? 'the receiver may limit connections' : 'that may have another reason'}`,
  may_block: ({ exchange, causes }) =>
    `${afterwards(exchange, causes)}: the receiver may block a client that sends such requests`,
  as_uncompressed: ({ exchange }) =>
    `${besideCompressed(exchange)}: bodies that are not compressed may have the same effect`,
  secret_too_short: `a response contains the characters of the signing secret, but by chance or not is open: test with a secret of at least ${LEAST_SECRET_CHARACTERS} characters`,
  no_effect_shown: 'the receiver showed no effect of the payment',
  nothing_shown_as_handled:
    'the receiver shows no delivery of this event as handled: count each that it handles, whatever its event',
  livemode_not_shown: 'the receiver showed an effect without livemode',
  livemode_of_test_not_shown: 'the receiver showed an effect of a test payment without livemode',
  open_in_crash: ({ found }) => crashText(found),
}

/** Why an expectation could not be tested, as a clause. */
export function openText(open: Open): string {
  return said(OPEN, open)
}

const REASONS: Words<ReasonData> = {
  open: ({ open }) => openText(open),
  control_rejected: ({ problem }) =>
    `the control, a valid delivery, was not accepted: ${receivedText(problem)}`,
  answers_late: ({ ms }) =>
    `its answers took ${Math.round(ms / 1000)} s, so when the receiver compared \`t\` with its clock is open`,
  queued: ({ ms }) =>
    `a delivery waited ${Math.round(ms / 1000)} s behind others, which the receiver was still answering: lower --concurrency, or run it on a machine that is less busy`,
  interrupted: 'the run was interrupted before the case was judged',
  stopped_answering: 'the receiver stopped answering before the case was judged',
  nothing_accepted: 'the run ended with its first section, in which no valid delivery was accepted',
  locked_out: 'the receiver accepted nothing any more before the case was judged',
  not_observed: 'effects were not observed: no observe URL or command was given',
  control_effect_unseen: 'the effect of a valid control payment was not observed in time',
  receiver_ended: ({ how }) => `the receiver ended during the run (${how})`,
  rate_too_low: ({ together, rate }) =>
    `it sends ${together} deliveries at the same time, and the rate is limited to ${rate} a second`,
  observation_failed: ({ failure }) => failureText(failure),
}

/** Why a case has no result, as a clause. */
export function reasonText(reason: Reason): string {
  return said(REASONS, reason)
}

function said<Data, Rest extends unknown[]>(
  words: Words<Data, Rest>,
  data: { readonly code: keyof Data },
  ...rest: Rest
): string {
  const text = words[data.code]
  // The code of the data chooses the function for it.
  return typeof text === 'string' ? text : (text as (data: unknown, ...rest: Rest) => string)(data, ...rest)
}

function outcomeOf(exchange: Exchange | undefined): string {
  const { answer, error } = exchange ?? {}
  return answer === undefined
    ? `no response: ${error === undefined ? 'none' : wireText(error)}`
    : `status ${answer.status}`
}

function outcomeInTime(exchange: Exchange | undefined): string {
  const { answer } = exchange ?? {}
  return answer?.status === 200 ? `a response after ${Math.round(answer.ms)} ms` : outcomeOf(exchange)
}

const timesText = (times: number) => (times === 1 ? 'once' : `${times} times`)
const subjectOf = ({ delivery }: Exchange) => delivery.change ?? delivery.event ?? 'a body'
const afterwards = (exchange: Exchange | undefined, causes: readonly string[]) =>
  `${outcomeOf(exchange)} (a valid delivery after ${causes.join('; or ')})`
const besideCompressed = (exchange: Exchange | undefined) =>
  `${outcomeInTime(exchange)} (a valid delivery beside compressed bodies)`
const inOrder = (effects: readonly string[]) => effects.join(', then ')

function someOf(all: readonly string[]): string {
  const more = all.length > NAMED ? `, and ${all.length - NAMED} more` : ''
  return `${all.slice(0, NAMED).join(', ')}${more}`
}

/** The effects of one payment, in words. */
function outcomeText(effects: readonly string[]): string {
  const [first, second, ...others] = effects
  if (first === undefined) return 'no effect'
  if (second === undefined) return first === 'reversed' ? 'reversed only' : first
  const isUsual = others.length === 0 && first === 'fulfilled' && second === 'reversed'
  return isUsual ? 'fulfilled and then reversed' : inOrder(effects)
}
