import type { CauseData } from '../../../diagnosis/statement.ts'
import { unreadableText } from '../failures.ts'
import { capitalized, type Text, type Words } from './words.ts'

/** With more deliveries in flight, none of them stands out. */
const NAMED = 3
/** The events beside which payments are lost. */
const BESIDE: Readonly<Record<CauseData['lost_beside_another']['beside'] & string, string>> = {
  'unknown-failure': 'a payment.failed with an unknown failure_code',
  'unknown-event': 'an event with an unknown name',
  failed: 'a payment.failed',
  partial: 'a payment.partial',
  refund: 'a payment.refunded whose completion has not arrived',
  nul: 'an event with U+0000 in its metadata',
  emoji: 'an event with an emoji in its metadata',
  'long-amount': 'a payment of 30 digits',
  'unknown-method': 'an event of an unknown method',
  'unknown-currency': 'a payment in an unknown currency',
  'odd-amount': 'a payment whose amount is no decimal',
}

/** The receiver ended, hangs or loses what it works on, by itself or with several requests at once. */
export const RUN_WORDS = {
  blocked_by_unfinished_body: () => ({
    sentence:
      'A request whose body is not complete holds up all others: there are too few workers for slow senders.',
    fix: 'Read bodies asynchronously or behind a server that buffers them (gunicorn: a threaded or asynchronous worker class), and limit the time that a body may take.',
  }),
  connection_not_reset: () => ({
    sentence: 'Only the first delivery on a connection is accepted.',
    fix: 'Start every request with an empty buffer: data from one delivery is kept for the next one on its connection.',
  }),
  crashed: crashedText,
  effects_unreadable: (data, { dedupe }) => ({
    sentence: `The effects that the receiver shows cannot be read${data ? `: ${unreadableText(data.why)}` : ''}.`,
    fix:
      dedupe === undefined
        ? 'Return {"effects": [{"event", "effect", "amount", "currency", "livemode"}]} for the payment, oldest first, with strings for all but livemode; schemas/observation.json describes it.'
        : 'Return {"handled": 1} for a key whose delivery was handled once, and 0 for an unknown one; schemas/handled.json describes it.',
  }),
  events_debounced: () => ({
    sentence:
      'Of several events of one payment in quick succession, only the last is handled: each replaces the one that is waiting.',
    fix: 'Handle every acknowledged event; do not replace a waiting job with a later one for the same payment.',
  }),
  fails_when_concurrent: (data) =>
    data?.isTurnedAway === true
      ? {
          sentence:
            'Valid deliveries get 503 when several arrive at the same moment, although each one alone is accepted: they are over a limit of requests, connections or waiting jobs.',
          fix: 'Raise that limit for the webhook route, in the proxy and in the receiver: many customers may pay at once. If the log shows an error instead, such as a locked database, wait for the lock and retry the transaction.',
        }
      : {
          sentence:
            'Valid deliveries get an error (5xx) when several arrive at the same moment, although each one alone is accepted: the store is locked, or they share a connection.',
          fix: 'Take the write lock when the transaction begins and wait for it (SQLite: BEGIN IMMEDIATE and a busy timeout), give each request its own connection, and retry a transaction that the database aborted.',
        },
  locked_out: ({ status } = {}, { items }) => {
    const fix = `Refuse each bad signature by itself, and count none against valid ${items}: a signature cannot be guessed. Where the rate has to be limited, limit that of each client, in front of the receiver.`
    // A receiver whose store has failed meanwhile answers 503 as well.
    return status === 503
      ? {
          sentence:
            'After bad signatures the receiver accepts nothing any more (status 503), from any sender: they lock it, or it has failed.',
          fix: `Check the receiver's log: if it shows an error, such as one of its store, that is the cause. If not: ${fix}`,
        }
      : {
          sentence: `Bad signatures lock the receiver: it then turns valid deliveries away too${status === undefined ? '' : ` (status ${status})`}, from any sender.`,
          fix,
        }
  },
  lost_beside_another: (data) => ({
    sentence: data?.beside
      ? `An event that fails in the worker takes others with it: acknowledged payments are lost together with ${BESIDE[data.beside]}.`
      : 'An event that fails in the worker takes others with it: acknowledged payments beside it are lost.',
    fix: 'Catch errors per event: keep the failed event for a retry, and continue with the rest of the batch.',
  }),
  lost_in_burst: (_, { done }) => ({
    sentence: `Acknowledged deliveries are lost in a burst: those that arrive one by one, or a few at once, are all ${done}, but not when many arrive together.`,
    fix: 'Store the delivery durably before the 200. If a queue is full, answer 503 instead of dropping what was acknowledged.',
  }),
  lost_now_and_then: (_, { items, key }) => ({
    sentence: `Some acknowledged ${items} are lost, even when they arrive one after another.`,
    fix: `Count the ${items} from one lost one to the next: if the number stays the same, a queue or a worker drops them. Otherwise two may share a key, such as a short hash: use ${key} itself.`,
  }),
  lost_when_concurrent: (_, { items }) => ({
    sentence: `Some of the ${items} that arrive at the same moment are lost: requests share a variable, or one overwrites what another has stored.`,
    fix: 'Keep the state of a request in local variables, and change stored data with an insert or in a transaction, never by reading, changing and rewriting all of it.',
  }),
  no_effects: () => ({
    sentence: 'Payments are acknowledged, but no effect of any of them was observed.',
    fix: "Check that --observe reads from this receiver's database, and that the worker that handles stored deliveries is running. If the receiver ignores test events by design, use --mode live.",
  }),
  requests_mixed_up: (data, { item, done }) => ({
    sentence: `Requests that arrive at the same moment are mixed up: they share a variable, so that ${data?.isMoney ? `a ${item} is ${done} with the amount of another` : `even a forged ${item} is ${done} beside a valid one`}.`,
    fix: 'Keep the body and the event in variables local to the request, never in a module or a shared object, and handle exactly the bytes that were verified.',
  }),
  slow_acknowledgment: (_, { acknowledge }) => ({
    sentence: 'Valid deliveries are acknowledged too late.',
    fix: `Store the delivery, ${acknowledge}, and do the work afterwards, outside the request.`,
  }),
  slow_effects: () => ({
    sentence: 'Effects appear later than the suite waits for them.',
    fix: 'Set --wait above the time that the receiver takes to handle an acknowledged delivery.',
  }),
  places_not_released: () => ({
    sentence:
      'Since senders broke off in the middle of a body, every delivery gets an error (5xx): each of them keeps its place among those that may be handled at the same time.',
    fix: "Count a request down, and give back its slot or connection, however it ends: in a finally, and when its connection closes before the body is complete (Node.js: the event 'close'). If a limit of the rate answers so instead, exempt the suite or use --rate.",
  }),
  stopped_answering: stoppedText,
  work_canceled: (_, { item, done }) => ({
    sentence: `Work is canceled when the sender disconnects before the response: the ${item} counts as handled, so its redelivery is acknowledged and never ${done}.`,
    fix: 'Mark an event as handled in the transaction that stores or does its work, and do not cancel that when the connection closes: in Go, use context.WithoutCancel instead of the context of the request.',
  }),
  work_stopped: (_, { item, done }) => ({
    sentence: `The receiver has stopped working: it acknowledges every ${item}, but from some point of the run on, none is ${done}.`,
    fix: 'Find the first error in its log: it ended the worker. Catch errors per event, keep the failed event for a retry, and continue with the next one.',
  }),
} satisfies Partial<Words>

/** One sentence about a receiver that ended during the run. */
export function endText({ how, inFlight }: NonNullable<CauseData['crashed']['end']>): string {
  const what = inFlight.map(({ change, event }) => change ?? `a valid ${event ?? 'body'}`)
  return `The receiver ended during the run: ${how}. In flight: ${what.length === 0 ? 'nothing' : [...new Set(what)].join('; ')}.`
}

function crashedText(data?: CauseData['crashed']): Text {
  if (data?.end !== undefined)
    return {
      sentence: endText(data.end),
      fix: 'Check the last lines of its output, and catch every error within a request so that it does not end the process. If each of these deliveries is answered when it is sent alone, protect what requests share with a lock.',
    }
  const names = [...new Set(data?.unanswered)]
  const during =
    names.length > 0 && names.length <= NAMED
      ? `, after a delivery that got no answer (${names.join('; ')})`
      : ''
  return {
    sentence:
      data === undefined
        ? 'The receiver stopped answering during the run and refuses connections: it may have crashed.'
        : `The receiver stopped answering during the run${during}: it may have crashed.`,
    fix: 'Check its log and exit status, and catch every error within a request so that it does not end the process.',
  }
}

function stoppedText(data?: CauseData['stopped_answering']): Text {
  if (data === undefined)
    return {
      sentence:
        'The receiver stopped answering during the run, and still accepts connections: a request holds up all later ones.',
      fix: "Release a request's worker, lock and database connection when its sender disconnects, when it fails, and after a time limit.",
    }
  const { suspect, change, inFlight, brokenOff, isBrokenOffAlone } = data
  const what = suspect === undefined ? '' : ` after ${suspect} sent ${change ?? 'a valid delivery'}`
  const others = [...new Set(inFlight)].filter((one) => one !== change).slice(0, NAMED)
  const also = others.length === 0 ? '' : `; also in flight: ${others.join('; ')}`
  const senders = brokenOff === 1 ? '1 sender' : `${brokenOff} senders`
  const before = brokenOff === 0 ? '' : `; before that, ${senders} broke off`
  const endless = `Look for what never ends in the handling of ${change === undefined ? 'a delivery' : 'that delivery'}: a regular expression, a loop or a wait without a limit.`
  const gone = 'free the worker, the lock and the database connection of a request whose sender is gone'
  return {
    sentence: `The receiver stopped answering${what}${also}${before}.`,
    fix: isBrokenOffAlone
      ? `${capitalized(gone)}; a few broken connections must not use up a limit.`
      : `${endless}${brokenOff === 0 ? '' : ` If it hangs because senders broke off, ${gone}.`} If it is answered when it is sent alone to a receiver that has just started, earlier requests have used up a pool: look for a worker or a connection that a refusal or an error does not give back.`,
  }
}
