import type { CrashCaseId } from '../../conformance/crash/catalogue.ts'

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
  'starts-without-a-secret': ['startup/started-with-an-empty-secret', 'startup/started-without-a-secret'],
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
] as const
