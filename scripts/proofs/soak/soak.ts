// Loads the receiver with half of its capacity for minutes: its memory must not grow, and nothing may fail.
// npm run proof -- soak [--minutes <number>] [--quick] [--seed <text>] [--write]
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { addressOf } from '../../../load/connection.ts'
import { type LoadOptions, type LoadResult, runLoad } from '../../../load/run.ts'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { prove } from '../shared/prove.ts'
import { SECRET, start } from '../shared/receiver.ts'
import { integrityProblems, waitUntilProcessed } from '../shared/sqlite.ts'
import { slopeOf } from '../shared/statistics.ts'

const MINUTES = 10
const QUICK_MINUTES = 1
const CAPACITY_MS = 4000
const SAMPLE_MS = 5000
const CONNECTIONS = 50
const SHARE_OF_DUPLICATES = 0.1
/** How much the process and its heap may grow over the last two thirds, by linear regression. */
const LIMIT_MIB = { resident: 24, heap: 8 }
const MIB = 1024 * 1024

await prove('soak', ({ dist, seed, quick, amount }) =>
  withTemporaryFolder(async (folder) => {
    const minutes = amount ?? (quick ? QUICK_MINUTES : MINUTES)
    const path = join(folder, 'inbox.sqlite')
    const receiver = await start({ dist, env: { INBOX: path }, hook: true, flags: ['--expose-gc'] })
    const url = new URL(`http://127.0.0.1:${receiver.port}/webhooks`)
    const load: Omit<LoadOptions, 'durationMs'> = {
      url,
      address: await addressOf(url),
      secret: SECRET,
      signatureHeader: 'X-Service-Signature',
      headers: [],
      connections: CONNECTIONS,
      duplicates: SHARE_OF_DUPLICATES,
      timeoutMs: 10_000,
      seed,
    }
    await runLoad({ ...load, durationMs: 2000 })
    await waitUntilProcessed(path)
    const capacity = await capacityOf(() => runLoad({ ...load, durationMs: CAPACITY_MS }), path)

    const samples: { seconds: number; resident: number; heap: number }[] = []
    const finished = new AbortController()
    const started = performance.now()
    async function sampleMemory(): Promise<void> {
      while (!finished.signal.aborted) {
        const { heap } = await receiver.callHook({ collectGarbage: true })
        samples.push({
          seconds: (performance.now() - started) / 1000,
          resident: receiver.residentMiB(),
          heap: heap / MIB,
        })
        await wait(SAMPLE_MS, undefined, { signal: finished.signal }).catch(() => {})
      }
    }
    const sampling = sampleMemory()
    const rate = Math.max(1, Math.floor(capacity.processed / 2))
    const soak = await runLoad({ ...load, durationMs: minutes * 60_000, rate })
    finished.abort()
    await sampling

    const violations: string[] = []
    const open = await waitUntilProcessed(path)
    if (open > 0) violations.push(`${open} events were still open 30 s after the last delivery`)
    for (const status of Object.keys(soak.statuses)) {
      if (status !== '200') violations.push(`${soak.statuses[status]} deliveries were answered ${status}`)
    }
    for (const [reason, count] of Object.entries(soak.errors))
      violations.push(`${count} deliveries got no response: ${reason}`)
    const seconds = soak.seconds
    const late = samples.filter((sample) => sample.seconds >= seconds / 3)
    const growthOf = (kind: 'resident' | 'heap'): number =>
      slopeOf(late.map((sample) => [sample.seconds, sample[kind]])) * ((seconds * 2) / 3)
    for (const kind of ['resident', 'heap'] as const) {
      const mib = growthOf(kind)
      if (!(mib <= LIMIT_MIB[kind]))
        violations.push(`${kind} memory grew by ${mib.toFixed(1)} MiB; the limit is ${LIMIT_MIB[kind]} MiB`)
    }
    const code = await receiver.stop()
    if (code !== 0) violations.push(`the receiver exited with code ${code}: ${receiver.stderr()}`)
    violations.push(...integrityProblems(path))

    const { p50, p99, max } = soak.latency
    const memory = (kind: 'resident' | 'heap'): string =>
      `${samples[0]?.[kind].toFixed(0)} MiB at the start, ${samples.at(-1)?.[kind].toFixed(0)} MiB at the end, ` +
      `growth of ${growthOf(kind).toFixed(1)} MiB over the last two thirds (limit ${LIMIT_MIB[kind]} MiB)`
    return {
      figures: [
        [
          'capacity',
          `${formatCount(capacity.processed)}/s acknowledged and processed; ${formatCount(capacity.acknowledged)}/s acknowledged in a burst`,
        ],
        ['load', `${minutes} min at ${formatCount(rate)}/s, ${formatCount(soak.answered)} responses`],
        [
          'acknowledgment latency',
          `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms`,
        ],
        [
          'errors',
          String(
            soak.answered -
              (soak.statuses['200'] ?? 0) +
              Object.values(soak.errors).reduce((a, b) => a + b, 0),
          ),
        ],
        ['process memory', memory('resident')],
        ['heap after garbage collection', memory('heap')],
        ['unprocessed at the end', String(open)],
        ['file size', `${formatCount(Math.round(statSync(path).size / MIB))} MiB`],
      ],
      violations,
    }
  }),
)

/** Deliveries per second: acknowledged during a burst, and processed when the time to process the backlog counts too. */
async function capacityOf(
  burst: () => Promise<LoadResult>,
  path: string,
): Promise<{ acknowledged: number; processed: number }> {
  const started = performance.now()
  const { answered, perSecond } = await burst()
  const open = await waitUntilProcessed(path, 300_000)
  if (open > 0)
    throw new Error(`${open} of ${answered} events of a burst were not processed within 5 minutes`)
  const seconds = (performance.now() - started) / 1000
  return { acknowledged: Math.round(perSecond), processed: Math.round(answered / seconds) }
}
