import { either } from '../../../contracts/alternatives.ts'
import type { Answerer } from '../../../diagnosis/answerer.ts'
import type {
  CauseForms,
  EventTrait,
  FirstDisclosure,
  RefusalKind,
  WrongStatuses,
} from '../../../diagnosis/statement.ts'
import { capitalized, commonestText, type Forms, type Text, type Words } from './words.ts'

const STATUSES =
  'Answer 400 when the signature header, t or v1 is missing or malformed and when t is stale, and 401 when the signature is wrong.'
const IN_ORDER =
  'Check, in this order: both sides have the same signing secret, the handler verifies the raw body instead of a parsed one, the name of the signature header, the clock, and any proxy or middleware in front of the handler.'
const RAW_FIRST =
  'Verify the raw body instead of a parsed one: in Express, mount the handler before express.json(); in Rails, read request.raw_post instead of params. If it already verifies the raw body, compare the signing secrets of both sides, then the name of the signature header and the clock.'
const IF_LIVE = ' If the receiver refuses test events by design, use --mode live.'
const REFUSALS: Readonly<Record<RefusalKind, string>> = {
  missing: 'a delivery without a signature header, t or v1',
  malformed: 'a malformed t',
  stale: 'a stale t',
  forged: 'a wrong signature',
}

const IGNORE = 'Ignore what you do not know: answer 200, and do nothing in the default branch.'
const TRAITS: Readonly<Record<EventTrait, string>> = {
  'unknown-name': 'of events that the receiver does not know',
  refund: 'of payment.refunded with the type refund',
  chargeback: 'of payment.refunded with the type chargeback',
  simulated: 'of simulated events',
  'test-mode': 'of test events (livemode false)',
  'no-livemode': 'without livemode',
  'empty-metadata': 'with empty metadata',
  'amount-requested': 'of short payments (amount_requested)',
  'settled-via': 'of mixed checkouts (settled_via)',
  'unknown-fields': 'with unknown fields',
}
const FIXES_OF_TRAITS: Readonly<Partial<Record<EventTrait, string>>> = {
  'unknown-name': IGNORE,
  'unknown-fields': IGNORE,
  'test-mode': 'Accept test events, or check the receiver with --mode live if it ignores them by design.',
}

/** Deliveries get other responses than they must (SPEC.md 6 and 8). */
export const RESPONSES_WORDS = {
  answers_not_200: (data) => ({
    sentence: data
      ? `${which(data.isAll)} acknowledged with ${either(data.statuses)} instead of 200.`
      : 'Valid deliveries are acknowledged with a status other than 200.',
    fix: 'Answer exactly 200 to every valid delivery, even if there is nothing to do.',
  }),
  csrf_protection: (data) => ({
    sentence: `${data ? commonestText(data.received) : 'No valid delivery is accepted'}: CSRF protection expects a token, which the service does not send.`,
    fix: 'Exempt the webhook route from CSRF protection: the signature protects it.',
  }),
  error_not_caught: (data, { refusesWith, acknowledge }) => {
    const answers =
      refusesWith === undefined
        ? `refuse what you cannot verify or use, and ${acknowledge} to a valid event`
        : `answer ${refusesWith.forged} if the signature is wrong, ${refusesWith.unreadable} if the header, t or a signed body is unusable, and 200 to a valid event`
    const what =
      data && either([...(data.isThrown ? ['500'] : []), ...(data.isDropped ? ['no response'] : [])])
    return {
      sentence: data
        ? `An unusual request gets ${what}, because an error is not caught (for example: ${data.change ?? 'a valid delivery'}).`
        : 'An unusual request gets 500, or no response at all, because an error is not caught.',
      fix: `Catch every error that reading the header, the signature and the body can cause: ${answers}.${
        data?.isDropped === true
          ? ' Some servers close the connection when a handler fails: in Go, check lengths and types before you index or convert, and look for "panic" in the log.'
          : ''
      }`,
    }
  },
  handler_throws: (data) => ({
    sentence: data
      ? `${commonestText(data.received)}: the handler probably throws an error.`
      : 'No valid delivery is accepted, and the response is 500 or none: the handler probably throws an error.',
    fix: "Look for the first error in the receiver's log. The usual cause is a body parser that has already consumed the body.",
  }),
  nothing_accepted: (data) => {
    if (data === undefined)
      return {
        sentence: 'No valid delivery is accepted, and no other known cause explains it.',
        fix: `${IN_ORDER}${IF_LIVE}`,
        rawBody: true,
      }
    const received = commonestText(data.received)
    if (data.isAcceptedAgain === true)
      return {
        sentence: `${received}, but one sent after the cases was accepted.`,
        fix: "Check the receiver's log for what blocked it temporarily: a restart, a rate limit, or a lock.",
      }
    if (data.by !== undefined) return answererText(received, data.by)
    const ifLive = data.hasOneMode === true ? '' : IF_LIVE
    if (data.isParsedFirst === true)
      return {
        sentence: `${received}, and a forged body that is not JSON is refused differently: something parses the body before the signature is checked.`,
        fix: `${RAW_FIRST}${ifLive}`,
        rawBody: true,
      }
    const isRefusal = [400, 401, 403].includes(data.received.status ?? 0)
    return {
      sentence: `${received}.`,
      fix: isRefusal
        ? `${IN_ORDER}${ifLive}`
        : data.received.status === 503
          ? "Check the receiver's log for the error: its store, another service that it needs, or the server behind a proxy is probably down."
          : "Check the receiver's log, the URL, and any proxy or middleware in front of the handler.",
    }
  },
  one_refusal_status: (data) => ({
    sentence: `Every refusal gets the ${data ? `status ${data.status}` : 'same status'}.`,
    fix: STATUSES,
  }),
  redelivery_refused: (_, { acknowledge }) => ({
    sentence: 'A redelivery is refused instead of acknowledged.',
    fix: `${capitalized(acknowledge)} to a delivery that is already stored: after any other status, the service sends it again.`,
  }),
  redirects: (data, { acknowledge }) => ({
    sentence: `${which(data?.isAll ?? true)} answered with a redirect${data ? ` (${data.statuses.join(', ')})` : ''}, which the service does not follow.`,
    fix: `Register and test the URL that it redirects to, with its scheme and its trailing slash, or ${acknowledge} at this one.`,
  }),
  refusal_with_5xx: (data) =>
    data === undefined
      ? {
          sentence:
            'Refused deliveries get a status of 500 or more: an error in the verification is not caught.',
          fix: STATUSES,
        }
      : { sentence: thrownText(data.wrong, data.isOne), fix: `Catch the error. ${STATUSES}` },
  refusals_acknowledged: (data) => ({
    sentence: `Refusals are answered with ${data ? `status ${either(data.statuses)}` : 'a status of 2xx'}: what should be refused has no effect, but is acknowledged.`,
    fix: 'Set the response status when you refuse a delivery: 400 if the signature header, t or v1 is missing or malformed or if t is stale, and 401 if the signature is wrong.',
  }),
  secret_disclosed: (data) => ({
    sentence: `A response shows the signing secret${whereText(data)}.`,
    fix: 'Answer with a fixed message and a code; never include configuration, environment or local variables in a response, not even in an error.',
  }),
  signature_disclosed: (data) => ({
    sentence: `A response shows the signature that the receiver expected${whereText(data)}.`,
    fix: 'Answer with a fixed message and a code; keep both signatures out of the response, in any form.',
  }),
  trace_disclosed: (data) => ({
    sentence: `A response shows a stack trace${whereText(data)}.`,
    fix: 'Answer with a fixed message and a code, and write the trace to your own log; turn the debug mode of the framework off.',
  }),
  statuses_swapped: () => ({ sentence: 'The statuses 400 and 401 are swapped.', fix: STATUSES }),
  wrong_refusal_status: (data) => ({
    sentence: `Refusals have the wrong status${data ? `: ${data.wrong.map(insteadText).join(', ')}` : ''}.`,
    fix: STATUSES,
  }),
} satisfies Partial<Words>

export const RESPONSES_FORMS = {
  event_refused: (which) => ({
    sentence: `Valid deliveries ${refusedText(which)} are refused.`,
    fix:
      ('trait' in which && FIXES_OF_TRAITS[which.trait]) ||
      'Answer 200 to every valid delivery, and decide afterwards whether there is work to do.',
  }),
} satisfies Partial<Forms>

/** Who answered instead of the handler comes before anything that may be wrong with it. */
function answererText(received: string, by: Answerer): Text {
  const sentence = `${received}, and ${answererName(by)} answered, not the handler.`
  switch (by.kind) {
    case 'login':
      return {
        sentence,
        fix: 'Exempt the webhook route from the login: the service sends no credentials. To test behind it, pass them, for example --header "Authorization: Basic ...".',
      }
    case 'firewall':
      return {
        sentence,
        fix: 'Let POST requests to the webhook route through there, and this machine, or test the receiver at an address behind it.',
      }
    case 'proxy':
      return {
        sentence,
        fix: 'Check that the receiver runs, and listens where the proxy forwards this route to; the log of the proxy says why it answered.',
      }
    case 'framework':
      return {
        sentence,
        fix: "Look for the error in the receiver's log: a route, a body parser or another middleware refused the request before the handler.",
      }
  }
}

const KINDS: Readonly<Record<Answerer['kind'], string>> = {
  login: 'a login',
  firewall: 'a CDN or firewall',
  proxy: 'a proxy',
  framework: 'the framework',
}

/** What answered, as a clause: "a proxy (nginx)". */
export function answererName({ kind, product }: Answerer): string {
  return `${KINDS[kind]}${product === undefined ? '' : ` (${product})`}`
}

/** Which valid deliveries are refused, after "valid deliveries". */
function refusedText(which: CauseForms['event_refused']): string {
  if ('trait' in which) return TRAITS[which.trait]
  if ('name' in which) return `of payment.${which.name}`
  const names = which.allBut.map((name) => `payment.${name}`)
  const list = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
  return `of every event except ${list}`
}

const which = (isAll: boolean) => (isAll ? 'Valid deliveries are' : 'Some valid deliveries are')

function whereText(data: FirstDisclosure | undefined): string {
  return data?.first === undefined ? '' : `: status ${data.first.status} (${data.first.delivery})`
}

type WrongStatus = WrongStatuses['wrong'][number]

const insteadText = ({ kind, status, required }: WrongStatus) =>
  `${REFUSALS[kind]} gets ${status} instead of ${required}`

/** A status below 500 was chosen, so only the others come from an error. */
function thrownText(wrong: readonly WrongStatus[], isOne: boolean): string {
  const thrown = wrong.filter(({ status }) => status >= 500)
  const others = wrong.filter(({ status }) => status < 500).map((one) => `; ${insteadText(one)}`)
  const what = isOne
    ? `A refusal gets ${wrong[0]?.status}`
    : capitalized(thrown.map(({ kind, status }) => `${REFUSALS[kind]} gets ${status}`).join(', '))
  return `${what}, because an error in the verification is not caught${others.join('')}.`
}
