import type { CrashCaseId } from '../../conformance/contracts/payment-service/cases/durable.ts'

/** Receivers that a crash breaks in one way each, and the cases that must detect it. */
export const CRASH_MUTANTS: Readonly<Record<string, readonly CrashCaseId[]>> = {
  memory: ['durability/kept-over-a-restart'],
  'acknowledges-first': ['durability/nothing-lost-in-a-crash'],
  'write-behind': ['durability/nothing-lost-in-a-crash'],
  'stored-on-sigterm': ['durability/nothing-lost-in-a-crash'],
  'done-before-effect': ['durability/nothing-lost-in-a-crash'],
  'effect-before-mark': ['durability/nothing-doubled-after-a-crash'],
  'no-recovery': ['durability/nothing-lost-in-a-crash'],
  'deduplication-forgotten': ['durability/nothing-doubled-after-a-crash'],
  'emptied-at-start': ['durability/nothing-lost-in-a-crash'],
  'reads-lines-of-64-kib': ['durability/nothing-lost-in-a-crash'],
  'early-refunds-in-memory': ['durability/nothing-lost-in-a-crash'],
  'buffers-refunds': ['durability/nothing-lost-in-a-crash'],
  'stores-what-it-refuses': ['durability/refused-not-handled-after-a-crash'],
  'starts-without-a-secret': ['startup/started-with-an-empty-secret', 'startup/started-without-a-secret'],
  'ignores-the-second-secret': ['rotation/both-secrets-accepted'],
  'concatenates-secrets': ['rotation/both-secrets-accepted'],
  'keeps-old-secrets': ['rotation/old-secret-refused-afterwards'],
  'prints-the-secret': ['output/no-secret-in-the-output'],
  'prints-the-secret-in-base64': ['output/no-secret-in-the-output'],
  'prints-signatures': ['output/no-signature-in-the-output'],
}

/** Correct receivers: no case may fail them. */
export const CRASH_VARIANTS = [
  'plain',
  'sync-each',
  'group-commit',
  'slow-start',
  'slow-work',
  'handles-before-answering',
  'refuses-without-a-secret',
  'one-secret',
  'old-secret-in-another-variable',
] as const

/** How these receivers get two secrets; undefined for the one that cannot have two. */
export function rotateEnvOf(behavior: string): Readonly<Record<string, string>> | undefined {
  if (behavior === 'one-secret') return undefined
  return behavior === 'old-secret-in-another-variable'
    ? { SECRET_PREVIOUS: '{old}' }
    : { HOOKPROOF_SECRET: '{new} {old}' }
}
