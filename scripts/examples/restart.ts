import { crash } from '../../conformance/index.ts'
import type { Example } from './example.ts'
import { faultsOf } from './faults.ts'
import type { Setting } from './running.ts'

/** One of each kind of moment: on a 200, some time after it, before the effect, and again while the receiver starts. */
const ROUNDS = 4
const RECOVER_WITHIN_MS = 20_000

/**
 * Kills an example while it handles payments, and starts it again with the same database (`hookproof crash`).
 * @returns what is not as it should be, one line each
 * @throws Error if it does not start
 */
export async function faultsAfterCrashes(
  example: Example,
  { url, observe, secret, env }: Setting,
): Promise<string[]> {
  const report = await crash({
    url,
    observe,
    secret,
    start: example.start,
    cwd: example.folder,
    env,
    rounds: ROUNDS,
    recoverWithinMs: RECOVER_WITHIN_MS,
  })
  return faultsOf(report)
}
