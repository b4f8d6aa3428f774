import { spawnSync } from 'node:child_process'
import { startBundled } from '../../../cli/commands/check/start-bundled.ts'
import { median } from '../../../scripts/shared/numbers.ts'

const ROUNDS = 5

/** How long the command takes to grade a running receiver in the core profile, and how long an empty program takes. */
export interface WallTime {
  /** Medians, in seconds, of the entire process. */
  readonly check: number
  readonly empty: number
}

/**
 * Times the built command against the bundled receiver, alternately with an empty program: their ratio is nearly the same
 * on every machine.
 *
 * @throws Error when the receiver does not pass
 */
export async function wallTimeOfCore(): Promise<WallTime> {
  const receiver = await startBundled({ env: process.env })
  const spent = { check: [] as number[], empty: [] as number[] }
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      spent.empty.push(secondsOf(['-e', '0'], {}))
      const args = ['dist/cli/main.js', 'check', receiver.url, '--profile', 'core']
      spent.check.push(secondsOf(args, { HOOKPROOF_SECRET: receiver.secret }))
    }
  } finally {
    await receiver.stop()
  }
  return { check: median(spent.check), empty: median(spent.empty) }
}

function secondsOf(args: readonly string[], env: Readonly<Record<string, string>>): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')} exited with code ${status}: ${stderr}`)
  return (performance.now() - started) / 1000
}
