import type { CheckOptions } from '../../conformance/check.ts'
import type { CrashOptions } from '../../conformance/crash/options.ts'
import type { HarnessError } from '../../conformance/engine/errors.ts'

/** The options of the library's `check` that a user of the command line sets. */
type Named = Exclude<
  keyof CheckOptions,
  | 'started'
  | 'signal'
  | 'ended'
  | 'reproduceWith'
  | 'onStart'
  | 'onVerdict'
  | 'onWaiting'
  | 'onNotice'
  | 'observeCommandCwd'
>

/** How the command line spells each option of the library's `check`. */
export const FLAGS: Readonly<Record<Named, string>> = {
  url: 'the URL',
  secret: '--secret',
  signatureHeader: '--signature-header',
  headers: '--header',
  observe: '--observe',
  observeCommand: '--observe-command',
  profile: '--profile',
  contract: '--contract',
  mode: '--mode',
  only: '--only',
  skip: '--skip',
  seed: '--seed',
  concurrency: '--concurrency',
  rate: '--rate',
  timeoutMs: '--timeout',
  ackWithinMs: '--ack-within',
  waitMs: '--wait',
  framework: '--framework',
  ca: '--ca',
  insecure: '--insecure',
}

type NamedOfCrash =
  | 'start'
  | 'killCommand'
  | 'rotateEnv'
  | 'rounds'
  | 'round'
  | 'recoverWithinMs'
  | 'fsyncTrace'

/** The same for the options that only `crash` has. */
const FLAGS_OF_CRASH: Readonly<Record<NamedOfCrash & keyof CrashOptions, string>> = {
  start: '--start',
  killCommand: '--kill-command',
  rotateEnv: '--rotate-env',
  rounds: '--rounds',
  round: '--round',
  recoverWithinMs: '--recover-within',
  fsyncTrace: '--fsync-trace',
}

/**
 * The message of an error of the library with its option names replaced by flags: `"waitMs"` becomes `--wait`. Names
 * that the error does not list, and further occurrences, stay as they are: they may be quoted values.
 */
export function withFlags(
  { message, names }: Pick<HarnessError, 'message' | 'names'>,
  flags: Readonly<Record<string, string>> = { ...FLAGS, ...FLAGS_OF_CRASH },
): string {
  return names.reduce(
    (text, name) => (Object.hasOwn(flags, name) ? text.replace(`"${name}"`, flags[name] ?? name) : text),
    message,
  )
}
