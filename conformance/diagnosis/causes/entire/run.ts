import type { CaseId } from '../../../contracts/payment-service/cases/index.ts'
import type { Candidate, Recognize } from '../../cause.ts'
import { type Evidence, isOpen } from '../../evidence.ts'

/** At least this share of the valid deliveries, rejected, has one cause. */
export const MOST = 0.8

/** With more deliveries in flight, none of them stands out. */
const NAMED = 3

/** The receiver answered before the first case, and refuses connections now. */
function crashed({ verdicts, open }: Evidence): Candidate[] {
  const explains = new Set(
    verdicts.filter(
      (verdict) => isOpen(verdict) && verdict.exchanges.some(({ error }) => error?.code === 'refused'),
    ),
  )
  if (explains.size === 0) return []
  const unanswered = open.flatMap(({ exchanges }) => exchanges.filter(({ error }) => error?.code === 'reset'))
  const names = new Set(unanswered.flatMap(({ delivery }) => delivery.change ?? []))
  const during =
    names.size > 0 && names.size <= NAMED
      ? `, after a delivery that got no answer (${[...names].join('; ')})`
      : ''
  return [
    {
      code: 'crashed',
      sentence: `The receiver stopped answering during the run${during}: it may have crashed.`,
      first: true,
      fix: 'Check its log and exit status, and catch every error within a request so that it does not end the process.',
      observed: true,
      explains,
    },
  ]
}

/** Every valid delivery that was not accepted ran into a time limit. */
function slowAcknowledgment({ valid, verdicts }: Evidence): Candidate[] {
  const late = verdicts.filter(
    (verdict) =>
      isOpen(verdict) &&
      (verdict.exchanges.some(({ error }) => error?.code === 'timeout') ||
        verdict.problems.some(({ kind }) => kind === 'timing')),
  )
  const timing = late.some(({ case: { expect } }) => expect.some(({ kind }) => kind === 'timing'))
  const otherwise = valid.some(({ exchange, status }) => status !== 200 && exchange.error?.code !== 'timeout')
  if (!timing || otherwise) return []
  return [
    {
      code: 'slow_acknowledgment',
      sentence: 'Valid deliveries are acknowledged too late.',
      fix: 'Store the delivery, answer 200, and do the work afterwards, outside the request.',
      observed: true,
      explains: new Set(late),
    },
  ]
}

/** The case in which compressed bodies arrive that expand to gigabytes. */
const EXPANDING: CaseId = 'robustness/good-while-compressed-bodies-expand'

/** Nothing else was tested so that the network, or the number of connections, is no reason. */
function expandsFirst({ open }: Evidence): Candidate[] {
  const explains = open.filter(
    ({ case: { id }, problems }) => id === EXPANDING && problems.some(({ kind }) => kind === 'accepted'),
  )
  if (explains.length === 0) return []
  return [
    {
      code: 'body_expanded_first',
      sentence:
        'A compressed body is expanded without a limit before its signature is checked, which holds up all others.',
      fix: 'Verify the bytes as they arrive, before any decompression, or limit the decompressed size.',
      observed: true,
      explains: new Set(explains),
    },
  ]
}

/** Something that happens to the whole receiver. */
export const runCauses: Recognize = (evidence) => [
  ...crashed(evidence),
  ...expandsFirst(evidence),
  ...slowAcknowledgment(evidence),
]
