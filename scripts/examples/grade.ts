import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type ConformanceReport, check } from '../../conformance/index.ts'
import { freePort } from '../shared/free-port.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { acknowledgmentMs } from './acknowledgment.ts'
import type { Example } from './example.ts'
import { faultsOf } from './faults.ts'
import { failureOf, start } from './process.ts'
import { faultsAfterCrashes } from './restart.ts'

/** The result of an example. */
export interface Grade {
  /** Everything that is not as it should be, one line each; empty for an example that is right. */
  readonly faults: readonly string[]
  /** The conclusion, and the number of cases. */
  readonly result: string
  readonly acknowledgmentMs: number
}

/**
 * Installs an example, starts it with an empty database, grades it in the full profile, and kills it if it is durable.
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
    const url = new URL('/webhooks', origin)
    const receiver = await start(example.start, { cwd: example.folder, env, url, secret })
    let report: ConformanceReport
    let time: number
    try {
      report = await check({ url: url.href, secret, profile: 'full', observe: `${origin}/observe`, only })
      time = await acknowledgmentMs(url.href, secret)
    } finally {
      await receiver.kill()
    }
    const faults = faultsOf(report)
    if (example.durable && only.length === 0)
      faults.push(...(await faultsAfterCrashes(example, { origin, secret, env })))
    const { counts, verdicts, conclusion } = report
    const result = `${conclusion}, ${counts.passed} of ${verdicts.length} cases`
    return { faults, result, acknowledgmentMs: time }
  })
}
