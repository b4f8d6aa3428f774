import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatCount } from '../../shared/numbers.ts'
import { randomFrom } from '../shared/random.ts'
import { start } from '../shared/receiver.ts'
import { integrityProblems, storedBodies } from '../shared/sqlite.ts'
import { createTraffic } from '../shared/traffic.ts'
import type { AttackName } from './attacks.ts'

/** Apps of users of the library, each with one of its three handlers and `protect(server)`. */
export const FRAMEWORKS = ['Express', 'Fastify', 'Hono'] as const
export type Framework = (typeof FRAMEWORKS)[number]

/** What an app of a user is attacked with: what its own framework or its server could let through. */
const COMMON: readonly AttackName[] = [
  'churned bodies',
  'churned uploads',
  'aborted uploads',
  'pipelining',
  'held bodies',
]

/** Each one-byte chunk costs a web stream so much that Hono does not withstand 400 such clients: SECURITY.md. */
export const attacksOn = (framework: Framework): readonly AttackName[] =>
  framework === 'Hono' ? COMMON : [...COMMON, 'one-byte chunks, 400 clients']

const APP = fileURLToPath(new URL('library-app.ts', import.meta.url))

/** Starts such an app with an inbox of its own. @param folder a folder for the inbox */
export async function openApp(framework: Framework, dist: string, folder: string, seed: string) {
  const path = join(folder, `${framework}.sqlite`)
  const program = ['--import', 'tsx', APP, framework, path]
  const app = await start({ dist, env: {}, program })
  const name = `${seed} ${framework}`
  const traffic = createTraffic(randomFrom(name), name)

  /** Ends the app, and compares its inbox with what was acknowledged. */
  async function finish(): Promise<{ readonly figure: string; readonly violations: readonly string[] }> {
    // It logs what it refuses, so only an end that nobody asked for is wrong.
    const violations = app.isRunning() ? [] : [`it has ended: ${app.stderr().slice(0, 500)}`]
    await app.kill()
    violations.push(...integrityProblems(path))
    const stored = new Set(storedBodies(path).map((body) => body.toString()))
    const acknowledged = traffic.sent.filter((event) => event.acknowledged)
    const lost = acknowledged.filter(({ body }) => !stored.has(body.toString())).length
    if (lost > 0) violations.push(`${lost} acknowledged deliveries are not in its inbox`)
    if (stored.size > traffic.sent.length)
      violations.push(`its inbox has ${stored.size} events of ${traffic.sent.length} that were sent`)
    return { figure: `${formatCount(acknowledged.length)} acknowledged, ${lost} lost`, violations }
  }
  return { ...app, traffic, finish }
}
