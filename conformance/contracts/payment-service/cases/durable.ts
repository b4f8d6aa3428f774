import type { CrashExpectedData } from '../../webhook/crash-finding.ts'
import type { CatalogueCase, Expectation, Section } from '../../webhook/model.ts'
import { casesOf } from '../../webhook/section.ts'
import { CONTRACT } from '../requirements/contract.generated.ts'
import { type CaseOfRequirement, requirement, section } from '../section.ts'

/** Declares a case that a run of crashes judges, not deliveries of its own. */
function judgedByRun(
  code: keyof CrashExpectedData,
  guidance: Pick<CaseOfRequirement, 'impact' | 'fix'> = {},
): CaseOfRequirement {
  const expectation: Expectation = {
    kind: 'effects',
    expected: { code },
    check: () => undefined,
  }
  return { needs: 'crash', send: () => [], expect: [expectation], ...guidance }
}

const durability = section(
  'durability',
  'Durability',
  requirement(
    'A receiver MUST store a delivery durably before it acknowledges it.',
    {
      impact: 'A crash loses a payment that the customer has made, and the service does not send it again.',
      fix: 'Commit the delivery to a database or a synced file, and answer 200 only afterwards; process what is stored and not yet done at each start.',
    },
    {
      'kept-over-a-restart': judgedByRun('kept_over_restart', {
        impact: 'Every restart, including a deployment, loses all payments.',
        fix: 'Keep deliveries and effects in a database or a file, not in the memory of the process.',
      }),
      'nothing-lost-in-a-crash': judgedByRun('nothing_lost_in_crash'),
    },
  ),
  requirement(
    'A receiver MUST acknowledge a redelivery with status 200.',
    {
      impact:
        'A payment that a crash interrupted is never completed, although the service delivers it again.',
      fix: 'Let a claim or lock on a delivery end with the process that holds it, or after a short time.',
    },
    {
      'redelivery-accepted-after-a-crash': judgedByRun('redelivery_accepted_after_crash'),
    },
  ),
  requirement(
    'A receiver MUST handle a delivery and its redeliveries once.',
    {
      impact: 'A crash makes the merchant ship the goods twice.',
      fix: 'Write the effect and the mark that the delivery is done in one transaction, or give the effect an idempotency key that a retry repeats.',
    },
    {
      'nothing-doubled-after-a-crash': judgedByRun('nothing_doubled_after_crash'),
    },
  ),
  requirement(
    'A refused delivery MUST have no effect.',
    {
      impact:
        'Anyone can send a forged payment and wait: the next start of the receiver has its goods shipped, although it was refused.',
      fix: 'Verify a delivery before you store it for processing, or process at a start only what is marked as verified.',
    },
    {
      'refused-not-handled-after-a-crash': judgedByRun('refused_not_handled_after_crash'),
    },
  ),
)

const startup = section(
  'startup',
  'Start without a secret',
  requirement(
    'A receiver without a signing secret MUST NOT accept any delivery.',
    {
      impact: 'Where the secret is not configured, anyone can forge a payment.',
      fix: 'Refuse to start when the signing secret is empty or absent. Code that runs for each request, as in PHP, answers 500 to every delivery instead.',
    },
    {
      'started-with-an-empty-secret': judgedByRun('refused_with_empty_secret'),
      'started-without-a-secret': judgedByRun('refused_without_secret'),
    },
  ),
)

const rotation = section(
  'rotation',
  'Secret rotation',
  requirement(
    'A receiver with two signing secrets SHOULD accept a delivery signed with either.',
    {
      impact: 'Payments are refused while the secret is rotated.',
      fix: 'Read the secrets as a list, and accept a delivery when one of them has signed it.',
    },
    {
      'both-secrets-accepted': judgedByRun('both_secrets_accepted'),
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    {
      impact: 'Anyone who has the old secret can forge a payment, although it was replaced.',
      fix: 'Verify with the configured secrets alone: keep no secret in the store or in the code.',
    },
    {
      'old-secret-refused-afterwards': judgedByRun('old_secret_refused'),
    },
  ),
)

const output = section(
  'output',
  'Output',
  requirement(
    'A receiver MUST NOT write the signing secret to its output.',
    {
      impact: 'Anyone who reads the logs can sign payments.',
      fix: 'Leave the secret out of logs, also out of printed configuration, environments and errors; rotate a secret that was logged.',
    },
    { 'no-secret-in-the-output': judgedByRun('no_secret_printed') },
  ),
  requirement(
    'A receiver SHOULD NOT write the complete signature of a valid delivery to its output.',
    {
      impact: 'Anyone who reads the logs can replay the delivery while its time is inside the window.',
      fix: 'Log at most the first characters of a signature.',
    },
    { 'no-signature-in-the-output': judgedByRun('no_signature_printed') },
  ),
)

const sections = [durability, startup, rotation, output] as const

type IdsOf<S> = S extends Section<infer Id, infer Name> ? `${Id}/${Name}` : never

/** The id of a case that `hookproof crash` judges. */
export type CrashCaseId = IdsOf<(typeof sections)[number]>

/** The cases that `hookproof crash` judges, besides the catalogue of `hookproof check`. */
export const CRASH_CASES: readonly CatalogueCase[] = sections.flatMap((section) => casesOf(section, CONTRACT))
