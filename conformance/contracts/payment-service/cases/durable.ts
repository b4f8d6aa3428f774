import type { CatalogueCase, Expectation, Section } from '../../webhook/model.ts'
import { casesOf } from '../../webhook/section.ts'
import { CONTRACT } from '../requirements/contract.generated.ts'
import { type CaseOfRequirement, requirement, section } from '../section.ts'

/** Declares a case that a run of crashes judges, not deliveries of its own. */
function judgedByRun(
  text: string,
  guidance: Pick<CaseOfRequirement, 'impact' | 'fix'> = {},
): CaseOfRequirement {
  const expectation: Expectation = {
    kind: 'effects',
    expected: { code: 'text', text },
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
      'kept-over-a-restart': judgedByRun(
        'what was fulfilled before a graceful restart is still there after it',
        {
          impact: 'Every restart, including a deployment, loses all payments.',
          fix: 'Keep deliveries and effects in a database or a file, not in the memory of the process.',
        },
      ),
      'nothing-lost-in-a-crash': judgedByRun(
        'every payment that was acknowledged, before a SIGKILL or after the restart, has its effect',
      ),
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
      'redelivery-accepted-after-a-crash': judgedByRun(
        'every delivery of before the crash is accepted when it is sent again',
      ),
    },
  ),
  requirement(
    'A receiver MUST handle a delivery and its redeliveries once.',
    {
      impact: 'A crash makes the merchant ship the goods twice.',
      fix: 'Write the effect and the mark that the delivery is done in one transaction, or give the effect an idempotency key that a retry repeats.',
    },
    {
      'nothing-doubled-after-a-crash': judgedByRun(
        'every payment has its effect once, also after a crash and a redelivery',
      ),
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
      'started-with-an-empty-secret': judgedByRun(
        'with an empty secret the receiver does not start, or refuses every delivery',
      ),
      'started-without-a-secret': judgedByRun(
        'without a secret the receiver does not start, or refuses every delivery',
      ),
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
      'both-secrets-accepted': judgedByRun(
        'with the old and the new secret, the receiver accepts a delivery signed with either',
      ),
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    {
      impact: 'Anyone who has the old secret can forge a payment, although it was replaced.',
      fix: 'Verify with the configured secrets alone: keep no secret in the store or in the code.',
    },
    {
      'old-secret-refused-afterwards': judgedByRun(
        'with the new secret alone, the receiver refuses a delivery signed with the old one',
      ),
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
    { 'no-secret-in-the-output': judgedByRun('no line of the output contains the signing secret') },
  ),
  requirement(
    'A receiver SHOULD NOT write the complete signature of a valid delivery to its output.',
    {
      impact: 'Anyone who reads the logs can replay the delivery while its time is inside the window.',
      fix: 'Log at most the first characters of a signature.',
    },
    { 'no-signature-in-the-output': judgedByRun('no line of the output contains an entire signature') },
  ),
)

const sections = [durability, startup, rotation, output] as const

type IdsOf<S> = S extends Section<infer Id, infer Name> ? `${Id}/${Name}` : never

/** The id of a case that `hookproof crash` judges. */
export type CrashCaseId = IdsOf<(typeof sections)[number]>

/** The cases that `hookproof crash` judges, besides the catalogue of `hookproof check`. */
export const CRASH_CASES: readonly CatalogueCase[] = sections.flatMap((section) => casesOf(section, CONTRACT))
