import { answererOf } from '../../diagnosis/answerer.ts'
import {
  EngineError,
  type EngineFailure,
  type Got,
  type NotKilled,
  type NotStarted,
  type ObservationFailure,
  type Unreadable,
} from '../../engine/errors.ts'
import type { Answer, WireError } from '../../engine/exchange.ts'
import { HarnessError } from '../../harness-error.ts'
import { shownUrl } from '../redact.ts'
import { excerpt, oneLine, printable } from '../text.ts'
import { answererName } from './causes/responses.ts'

/** A sentence, and the options of `check` that it names. */
type Named = readonly [text: string, ...names: string[]]

/** How to fix what cannot be reached. */
const FIXES: Readonly<Record<Exclude<WireError['code'], 'tls'>, Named>> = {
  refused: ['start the receiver, or use the address that it listens on'],
  reset: ['check that an HTTP server listens there'],
  timeout: ['find out why the receiver does not respond, or raise "timeoutMs"', 'timeoutMs'],
  dns: ['check the host name'],
  unreachable: ['check the address and the network'],
  garbled: ['check that an HTTP server listens there'],
  local: [
    'raise the open-file limit (ulimit -n), close other programs, or lower "concurrency"',
    'concurrency',
  ],
}

/** By the error code of Node.js; the first match applies. */
const TLS_FIXES: readonly (readonly [nodeCode: RegExp, fix: Named])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_|UNTRUSTED|ISSUER/,
    [
      'the certificate is self-signed or from an unknown CA: trust it with "ca" or NODE_EXTRA_CA_CERTS, or skip the check with "insecure"',
      'ca',
      'insecure',
    ],
  ],
  [
    /ALTNAME|HOSTNAME/,
    ['use a host name that the certificate contains, or skip the check with "insecure"', 'insecure'],
  ],
  [/EXPIRED|NOT_YET_VALID/, ['renew the certificate, or skip the check with "insecure"', 'insecure']],
]

const NO_TLS: Named = ['check whether the URL should start with http://']

const WIRE: Readonly<Record<WireError['code'], string>> = {
  refused: 'the connection was refused',
  reset: 'the connection was closed before a response arrived',
  timeout: 'no response arrived in time',
  dns: 'the host name could not be resolved',
  tls: 'the TLS handshake failed',
  unreachable: 'the host could not be reached',
  garbled: 'the response was not HTTP',
  local: 'this machine could not open a connection',
}

/** Why there was no response, as a clause. */
export function wireText({ code, nodeCode, afterMs, wasRepeated }: WireError): string {
  if (afterMs !== undefined) return `no response arrived within ${afterMs} ms`
  if (wasRepeated === true) return 'the connection was closed twice'
  return nodeCode === undefined || code === 'timeout' ? WIRE[code] : `${WIRE[code]} (${nodeCode})`
}

/** Why a run could not take place, and how to fix it, as one line that is safe to print. */
export function failureText(failure: EngineFailure): string {
  return safeLine(namedText(failure)[0])
}

/** The error that a caller of `check` or `crash` gets for a failure. */
export function harnessError(
  failure: EngineFailure,
  { bodyOf, ...options }: ErrorOptions & { readonly bodyOf?: BodyOf | undefined } = {},
): HarnessError {
  const [text, ...names] = namedText(failure, bodyOf)
  return new HarnessError(failure.code, safeLine(text), { ...options, names })
}

/** The body of an answer, without secrets. */
type BodyOf = (answer: Answer) => string

/** What a caller of `check` or `crash` gets for what was thrown in the run. Only with `bodyOf` it quotes an answer. */
export function inWords(error: unknown, bodyOf?: BodyOf): unknown {
  return error instanceof EngineError ? harnessError(error.failure, { cause: error.cause, bodyOf }) : error
}

const safeLine = (text: string) => printable(oneLine(text))

/** An address, or a command, without the values of a query that may be secrets. */
const shown = (source: string) =>
  /^https?:/i.test(source) && URL.canParse(source) ? shownUrl(new URL(source)) : source

function namedText(failure: EngineFailure, bodyOf: BodyOf = () => ''): Named {
  switch (failure.code) {
    case 'unreachable': {
      const { of, address, error, isOneAtATime = false } = failure
      if (isOneAtATime)
        return [
          `${shown(address)} does not respond while another connection to the receiver is open, even an idle one: let it serve several at once, with more threads or processes, or close each connection after its response`,
        ]
      const what = of === 'observer' ? `the observe URL ${shown(address)}` : shown(address)
      const [fix, ...names] = fixOf(error)
      return [
        `could not reach ${what}: ${error === undefined ? 'there was no response' : wireText(error)}; ${fix}`,
        ...names,
      ]
    }
    case 'no_endpoint': {
      const by = answererOf(failure.answer)
      const who = by === undefined ? '' : `, by ${answererName(by)}`
      return [
        `${shown(failure.url)} answered ${failure.answer.status} to a valid delivery${who}: check the path of the webhook endpoint`,
      ]
    }
    case 'unavailable':
      return [
        `${turnedAwayText(failure)}: it fails, or limits the rate; check the receiver's log, and only if that shows a limit, raise it or send slower with "rate"${bodyText(bodyOf(failure.answer))}`,
        'rate',
      ]
    case 'blocked':
      return [
        `${turnedAwayText(failure)}: it blocks this machine, probably because of the invalid ones; exempt this machine from the ban list, or send slower with "rate"${bodyText(bodyOf(failure.answer))}`,
        'rate',
      ]
    case 'rate_limited':
      return [
        `${turnedAwayText(failure)}: it limits the rate; send slower with "rate", for example 10 deliveries a second, or raise the limit${bodyText(bodyOf(failure.answer))}`,
        'rate',
      ]
    case 'observation_failed': {
      const { source = 'the function in "observe"', why } = failure
      return [`could not observe effects with ${shown(source)}: ${observationText(why)}`]
    }
    case 'seed_used':
      return [
        `the receiver already shows effects of a run with "seed" ${failure.seed}: use another "seed", or check that the observer filters effects by the id that it is asked for`,
        'seed',
      ]
    case 'not_started':
      return notStartedText(failure.why)
    case 'not_killed':
      return notKilledText(failure.why)
    case 'internal':
      return [`the case ${failure.case} could not be sent: ${failure.thrown}`]
  }
}

function fixOf(error: WireError | undefined): Named {
  const { code, nodeCode = '' } = error ?? { code: 'reset' }
  if (code !== 'tls') return FIXES[code]
  return TLS_FIXES.find(([pattern]) => pattern.test(nodeCode))?.[1] ?? NO_TLS
}

function turnedAwayText({
  url,
  answer,
  after,
}: Extract<EngineFailure, { code: 'blocked' | 'rate_limited' | 'unavailable' }>): string {
  return `${shown(url)} answers ${answer.status} to every valid delivery, after ${after} deliveries in which it accepted valid ones`
}

/** The beginning of a response body, after what is said about it. */
function bodyText(body: string): string {
  const beginning = excerpt(body)
  return beginning === undefined ? '' : `; response body: ${beginning}`
}

/** Why a receiver did not start, as a clause with what it printed last. */
export function notStartedText(why: NotStarted): Named {
  const printed = why.last === undefined ? 'it printed nothing' : `last output: ${why.last}`
  return why.code === 'ended'
    ? [`the "start" command did not start the receiver: it ended with ${why.how}; ${printed}`, 'start']
    : [`the "start" command is running, but ${silenceText(why)} ${printed}`, 'start']
}

function silenceText(why: Exclude<NotStarted, { code: 'ended' }>): string {
  switch (why.code) {
    case 'not_listening':
      return `nothing listens at ${why.host} after ${why.ms / 1000} s: does it use another port?`
    case 'no_answer':
      return `it answers no valid delivery${why.error === undefined ? '' : ` (${wireText(why.error)})`};`
    case 'not_accepted':
      return `it answers ${why.status} to a valid delivery: check its signing secret and the path of the URL;`
  }
}

function notKilledText(why: NotKilled): Named {
  switch (why.code) {
    case 'still_listening':
      return [
        `something still listens at ${why.host} after the kill: the "start" command started it outside its process group; pass "killCommand"`,
        'start',
        'killCommand',
      ]
    case 'still_running':
      return [
        'a process of the "start" command still runs after SIGKILL: pass "killCommand"',
        'start',
        'killCommand',
      ]
    case 'kill_command_late':
      return [`the "killCommand" did not end within ${why.ms / 1000} s`, 'killCommand']
    case 'kill_command_failed':
      return [`the "killCommand" failed with ${why.signal ?? `exit status ${why.status}`}`, 'killCommand']
  }
}

const LOOKS = {
  empty: ': it is empty',
  html: ': it is HTML',
  single_quotes: ': strings need double quotes, as json.dumps writes them',
}

function observationText(why: ObservationFailure): string {
  switch (why.code) {
    case 'too_long':
      return `the output is longer than ${why.bytes} bytes`
    case 'too_deep':
      return `the output is nested more than ${why.levels} levels deep`
    case 'too_late':
      return `it took more than ${why.ms} ms${lastOutput(why.last)}`
    case 'not_json':
      return `the output is not JSON${why.looks === undefined ? '' : LOOKS[why.looks]}`
    case 'exited':
      return `it exited with status ${why.status}${lastOutput(why.last)}`
    case 'threw':
      return `it threw: ${why.thrown}`
    case 'undecodable':
      return why.thrown
    case 'other_status':
      return `it answered ${why.status} instead of 200`
    case 'unknown_encoding':
      return `it answered with the content encoding "${why.encoding}"`
    case 'unreadable':
      return `the output is not an observation: ${unreadableText(why)}`
  }
}

const lastOutput = (last: string | undefined) =>
  last === undefined || last === '' ? '' : `; last output: ${last}`

/**
 * What an observation should contain and contains instead: `/effects/0/amount: expected decimal text such as "25.00", got
 * the number 25`.
 */
export function unreadableText({ places, more }: Unreadable): string {
  const named = places.map(
    ({ path, expected, got }) => `${path || '(root)'}: expected ${expected}, got ${gotText(got)}`,
  )
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** How many fields are named instead of one that is missing. */
const MOST_FIELDS = 6

function gotText(got: Got): string {
  switch (got.kind) {
    case 'nothing':
    case 'null':
      return got.kind
    case 'list':
      return 'a list'
    case 'object':
      return 'an object'
    case 'fields':
      return got.names.length === 0
        ? 'no field'
        : `only ${got.names.slice(0, MOST_FIELDS).join(', ')}${got.names.length > MOST_FIELDS ? ' and others' : ''}`
    case 'text':
      return `text of ${got.length} characters`
    case 'value':
      return got.type === 'string' ? got.json : `the ${got.type} ${got.json}`
  }
}
