import { type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import type { CheckCommandOptions } from './options.ts'

/** The options that a run of crashes has no use for. */
const UNUSED = {
  only: '--only',
  skip: '--skip',
  repeat: '--repeat',
  baseline: '--baseline',
  updateBaseline: '--update-baseline',
  concurrency: '--concurrency',
  rate: '--rate',
  ackWithin: '--ack-within',
  wait: '--wait',
  framework: '--framework',
} as const satisfies Partial<Record<keyof CheckCommandOptions, string>>

/** `hookproof check --profile durable`: the same as `hookproof crash`. @throws UsageError for an option that it lacks */
export async function durable(
  url: string | undefined,
  options: CheckCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const unused = Object.entries(UNUSED).find(([name]) => Object.hasOwn(options, name))
  if (unused !== undefined) throw new UsageError(`--profile durable does not use ${unused[1]}: leave it out`)
  const { crash } = await import('../crash/crash.ts')
  return crash(url, options, io)
}
