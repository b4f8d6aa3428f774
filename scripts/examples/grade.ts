import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { check } from '../../conformance/index.ts'
import { freePort } from '../shared/free-port.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { acknowledgmentMs } from './acknowledgment.ts'
import type { Example } from './example.ts'
import { failureOf, start } from './process.ts'

/** The result of an example. */
export interface Grade {
  /** Everything that is not as it should be, one line each; empty for an example that is right. */
  readonly faults: readonly string[]
  /** `conformant`, with the number of cases. */
  readonly result: string
  readonly acknowledgmentMs: number
}

/** Installs an example, starts it with an empty database and grades it in the full profile. */
export async function grade(example: Example, only: readonly string[] = []): Promise<Grade> {
  const failure = failureOf(example.install, example.folder)
  if (failure !== undefined) throw new Error(`"${example.install}" failed: ${failure}`)
  return withTemporaryFolder(async (folder) => {
    const port = await freePort()
    const secret = `whsec_${randomBytes(16).toString('hex')}`
    const env = {
      ...process.env,
      PORT: String(port),
      WEBHOOK_SECRET: secret,
      OBSERVE: '1',
      DATABASE: join(folder, 'webhooks.sqlite'),
    }
    const receiver = await start(example.start, example.folder, { env, port })
    try {
      const origin = `http://127.0.0.1:${port}`
      const url = `${origin}/webhooks`
      // The place of `hookproof crash`, for a durable store.
      const report = await check({ url, secret, profile: 'full', observe: `${origin}/observe`, only })
      const others = report.verdicts.filter(({ outcome }) => outcome !== 'passed')
      const faults = others.map((verdict) => `${verdict.outcome} (${verdict.level}): ${verdict.case}`)
      if (report.conclusion !== 'conformant') faults.push(`the conclusion is ${report.conclusion}`)
      const result = `${report.conclusion}, ${report.verdicts.length - others.length} of ${report.verdicts.length} cases`
      return { faults, result, acknowledgmentMs: await acknowledgmentMs(url, secret) }
    } finally {
      await receiver.kill()
    }
  })
}
