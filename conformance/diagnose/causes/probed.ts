import type { Verdict } from '../../case/model.ts'
import type { Recognize } from '../cause.ts'
import { type Evidence, fulfilledTwice, isOpen } from '../evidence.ts'
import type { ProbedCode } from '../findings.ts'
import { effectsWithoutSignature } from '../forged-effects.ts'
import type { Statement } from '../statement.ts'

const STATEMENTS = {
  blocked_by_unfinished_body: {
    sentence:
      'A request whose body is not complete holds up all others: there are too few workers for slow senders.',
    fix: 'Read bodies asynchronously or put a server in front that buffers them (gunicorn: a threaded or asynchronous worker class), and limit the time that a body may take.',
  },
  connection_trusted: {
    sentence: 'After one valid delivery, a connection needs no signature any more.',
    fix: 'Verify every request; remember nothing about a connection. Proxies send the requests of many senders by one.',
  },
  deduplicated_per_process: {
    sentence:
      'A redelivery that arrives by another connection is handled again: each process remembers what it handled by itself.',
    fix: 'Remember what was handled in a store that all processes and machines share, under a unique key.',
  },
  deduplication_forgotten: {
    sentence:
      'Redeliveries are recognized for a while only: after other payments, or after some time, they are handled again.',
    fix: 'Remember payments permanently, in the store, not in a cache that drops the oldest.',
  },
  stopped_answering: {
    sentence:
      'The receiver stopped answering during the run, and still accepts connections: a request holds up all later ones.',
    fix: 'Free the worker, the lock and the database connection of a request when its sender breaks off, when it fails and after a time limit.',
  },
} as const satisfies Record<ProbedCode, Omit<Statement, 'code'>>

const lacksAnswer = ({ exchanges }: Verdict) => exchanges.some(({ error }) => error?.code === 'timeout')

function explainedBy(code: ProbedCode, { open, trials }: Evidence): Verdict[] {
  if (code === 'blocked_by_unfinished_body' || code === 'stopped_answering') return open.filter(lacksAnswer)
  if (code !== 'connection_trusted') return open.filter(fulfilledTwice)
  const letIn = trials.filter(({ shouldAccept, accepted }) => shouldAccept === false && accepted === true)
  return letIn.map(({ verdict }) => verdict).filter(isOpen)
}

/** What a probe after the cases has proven. */
export const probedCauses: Recognize = (evidence) =>
  evidence.probed.map((code) => ({
    code,
    ...STATEMENTS[code],
    observed: true,
    first: code === 'stopped_answering',
    explains: new Set(explainedBy(code, evidence)),
    also: new Set(code === 'connection_trusted' ? effectsWithoutSignature(evidence) : []),
  }))
