import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { check } from '../../conformance/index.ts'
import { freePort } from '../shared/free-port.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { acknowledgmentMs } from './acknowledgment.ts'
import type { Example } from './example.ts'
import { failureOf, start } from './process.ts'
import { lostAfterRestart } from './restart.ts'

/** The result of an example. */
export interface Grade {
  /** Everything that is not as it should be, one line each; empty for an example that is right. */
  readonly faults: readonly string[]
  /** The conclusion, and the number of cases. */
  readonly result: string
  readonly acknowledgmentMs: number
}

/**
 * Installs an example, starts it with an empty database, grades it in the full profile, and restarts it if it is durable.
 * @param only globs of cases; all by default
 * @throws Error if it cannot be installed, does not start, or does not answer
 */
export async function grade(example: Example, only: readonly string[] = []): Promise<Grade> {
  const failure = failureOf(example.install, example.folder)
  if (failure !== undefined) throw new Error(`"${example.install}" failed: ${failure}`)
  return withTemporaryFolder(async (folder) => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const secret = `whsec_${randomBytes(16).toString('hex')}`
    const env = {
      ...process.env,
      PORT: String(port),
      WEBHOOK_SECRET: secret,
      OBSERVE: '1',
      DATABASE: join(folder, 'webhooks.sqlite'),
    }
    const launch = () => start(example.start, example.folder, { env, port })
    let receiver = await launch()
    try {
      const url = `${origin}/webhooks`
      const report = await check({ url, secret, profile: 'full', observe: `${origin}/observe`, only })
      const others = report.verdicts.filter(({ outcome }) => outcome !== 'passed')
      const faults = others.map((verdict) => `${verdict.outcome} (${verdict.level}): ${verdict.case}`)
      if (report.conclusion !== 'conformant') faults.push(`the conclusion is ${report.conclusion}`)
      const passed = report.verdicts.length - others.length
      const result = `${report.conclusion}, ${passed} of ${report.verdicts.length} cases`
      const time = await acknowledgmentMs(url, secret)
      const restart = async () => {
        receiver = await launch()
      }
      if (example.durable) faults.push(...(await lostAfterRestart({ origin, secret }, receiver, restart)))
      return { faults, result, acknowledgmentMs: time }
    } finally {
      await receiver.kill()
    }
  })
}
