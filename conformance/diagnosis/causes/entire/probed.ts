import type { Verdict } from '../../../contracts/payment-service/model.ts'
import type { Recognize } from '../../cause.ts'
import { type Evidence, fulfilledTwice, isOpen } from '../../evidence.ts'
import type { ProbedCode } from '../../findings.ts'
import { effectsWithoutSignature } from '../../forged-effects.ts'
import { isFailedByServer } from '../../probes/concurrent.ts'
import { showsLoss } from '../../probes/loss.ts'
import type { Statement } from '../../statement.ts'

const STATEMENTS = {
  blocked_by_unfinished_body: {
    sentence:
      'A request whose body is not complete holds up all others: there are too few workers for slow senders.',
    fix: 'Read bodies asynchronously or behind a server that buffers them (gunicorn: a threaded or asynchronous worker class), and limit the time that a body may take.',
  },
  connection_trusted: {
    sentence: 'After one valid delivery, a connection no longer needs a signature.',
    fix: 'Verify every request; remember nothing about a connection. Proxies send requests from many senders over one.',
  },
  deduplicated_per_process: {
    sentence:
      'A redelivery that arrives by another connection is handled again: each process remembers what it handled by itself.',
    fix: 'Remember what was handled under a unique key, in a database that all processes and machines share.',
  },
  deduplication_forgotten: {
    sentence:
      'Redeliveries are recognized for a while only: after other payments, or after some time, they are handled again.',
    fix: 'Remember payments permanently, in the database, not in a cache that drops the oldest.',
  },
  events_debounced: {
    sentence:
      'Of several events of one payment that follow one another quickly, only the last is handled: each replaces the one that waits.',
    fix: 'Handle every acknowledged event; do not replace a waiting job with a later one for the same payment.',
  },
  fails_when_concurrent: {
    sentence:
      'Valid deliveries get an error (5xx) when several arrive at the same moment, although each is accepted when it comes alone: the store is locked, or they share a connection.',
    fix: 'Take the write lock when the transaction begins and wait for it (SQLite: BEGIN IMMEDIATE and a busy timeout), give each request its own connection, and retry a transaction that the database aborted.',
  },
  lost_beside_another: {
    sentence:
      'An event that fails in the worker takes others with it: acknowledged payments beside it are lost.',
    fix: 'Catch errors per event: keep the failed event for a retry, and continue with the rest of the batch.',
  },
  lost_in_burst: {
    sentence:
      'Acknowledged deliveries are lost in a burst: all are fulfilled that arrive one by one, or a few at once, but not when many do.',
    fix: 'Store the delivery durably before the 200. If a queue is full, answer 503 instead of dropping what was acknowledged.',
  },
  lost_when_concurrent: {
    sentence:
      'Of payments that arrive at the same moment some are lost: requests share a variable, or one overwrites what another has stored.',
    fix: 'Keep the state of a request in local variables, and change stored data with an insert or in a transaction, never by reading, changing and rewriting all of it.',
  },
  requests_mixed_up: {
    sentence:
      'Requests that arrive at the same moment are mixed up: they share a variable, so that even a forged payment is fulfilled beside a valid one.',
    fix: 'Keep the body and the event in variables local to the request, never in a module or a shared object, and handle exactly the bytes that were verified.',
  },
  stopped_answering: {
    sentence:
      'The receiver stopped answering during the run, and still accepts connections: a request holds up all later ones.',
    fix: "Release a request's worker, lock and database connection when its sender disconnects, when it fails, and after a time limit.",
  },
  work_stopped: {
    sentence:
      'The receiver has stopped working: it acknowledges every payment, but since a moment of the run none is fulfilled.',
    fix: 'Find the first error in its log: it ended the worker. Catch errors per event, keep the failed event for a retry, and continue with the next one.',
  },
} as const satisfies Record<ProbedCode, Omit<Statement, 'code'>>

/** What each probe proves. */
export const PROBED_STATEMENTS: readonly Statement[] = (Object.keys(STATEMENTS) as ProbedCode[]).map(
  (code) => ({ code, ...STATEMENTS[code] }),
)

const lacksAnswer = ({ exchanges }: Verdict) => exchanges.some(({ error }) => error?.code === 'timeout')

/** How often acknowledged events are lost, and when. */
const LOSSES: readonly ProbedCode[] = [
  'events_debounced',
  'lost_beside_another',
  'lost_in_burst',
  'lost_when_concurrent',
  'requests_mixed_up',
  'work_stopped',
]

function explainedBy(code: ProbedCode, { open, trials }: Evidence): Verdict[] {
  if (LOSSES.includes(code)) return open.filter(showsLoss)
  if (code === 'blocked_by_unfinished_body' || code === 'stopped_answering') return open.filter(lacksAnswer)
  if (code === 'fails_when_concurrent') {
    return trials
      .filter(isFailedByServer)
      .map(({ verdict }) => verdict)
      .filter(isOpen)
  }
  if (code !== 'connection_trusted') return open.filter(fulfilledTwice)
  const letIn = trials.filter(({ shouldAccept, accepted }) => shouldAccept === false && accepted === true)
  return letIn.map(({ verdict }) => verdict).filter(isOpen)
}

/** What a probe after the cases has proven. */
export const probedCauses: Recognize = (evidence) =>
  evidence.probed.map((code) => ({
    code,
    ...STATEMENTS[code],
    ...(code === 'lost_beside_another' &&
      evidence.lostBeside !== undefined && {
        sentence: `An event that fails in the worker takes others with it: acknowledged payments are lost together with ${evidence.lostBeside}.`,
      }),
    observed: true,
    first: code === 'stopped_answering',
    explains: new Set(explainedBy(code, evidence)),
    also: new Set(code === 'connection_trusted' ? effectsWithoutSignature(evidence) : []),
  }))
