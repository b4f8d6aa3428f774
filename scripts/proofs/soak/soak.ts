// Half of what the receiver can do, for a while: its memory must stay flat, and nothing may fail.
// npm run proof:soak -- [--minutes <number>] [--quick] [--seed <text>] [--write]
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { addressOf } from '../../../load/address.ts'
import { type LoadOptions, type LoadResult, runLoad } from '../../../load/run.ts'
import { inFolder } from '../shared/folder.ts'
import { inThousands, prove } from '../shared/program.ts'
import { SECRET, start } from '../shared/receiver.ts'
import { damageIn, drained } from '../shared/sqlite.ts'
import { slopeOf } from './slope.ts'

const MINUTES = 10
const QUICK_MINUTES = 1
const CAPACITY_MS = 4000
const SAMPLE_MS = 5000
const CONNECTIONS = 50
const SHARE_OF_REPETITIONS = 0.1
/** How much the process and its heap may grow over the last two thirds, by the straight line through the samples. */
const BOUND_MIB = { resident: 24, heap: 8 }
const MIB = 1024 * 1024

await prove('soak', ({ dist, seed, quick, amount }) =>
  inFolder(async (folder) => {
    const minutes = amount ?? (quick ? QUICK_MINUTES : MINUTES)
    const path = join(folder, 'inbox.sqlite')
    const receiver = await start({ dist, env: { INBOX: path }, inside: true, flags: ['--expose-gc'] })
    const url = new URL(`http://127.0.0.1:${receiver.port}/webhooks`)
    const load: Omit<LoadOptions, 'durationMs'> = {
      url,
      address: await addressOf(url),
      secret: SECRET,
      signatureHeader: 'X-Service-Signature',
      headers: [],
      connections: CONNECTIONS,
      duplicates: SHARE_OF_REPETITIONS,
      timeoutMs: 10_000,
      seed,
    }
    await runLoad({ ...load, durationMs: 2000 })
    await drained(path)
    const capacity = await capacityOf(() => runLoad({ ...load, durationMs: CAPACITY_MS }), path)

    const samples: { seconds: number; resident: number; heap: number }[] = []
    const ended = new AbortController()
    const begun = performance.now()
    async function sample(): Promise<void> {
      while (!ended.signal.aborted) {
        const { heap } = await receiver.tell({ memory: true })
        samples.push({
          seconds: (performance.now() - begun) / 1000,
          resident: receiver.residentMiB(),
          heap: heap / MIB,
        })
        await wait(SAMPLE_MS, undefined, { signal: ended.signal }).catch(() => {})
      }
    }
    const sampling = sample()
    const rate = Math.max(1, Math.floor(capacity.handled / 2))
    const soak = await runLoad({ ...load, durationMs: minutes * 60_000, rate })
    ended.abort()
    await sampling

    const broken: string[] = []
    const open = await drained(path)
    if (open > 0) broken.push(`${open} events were still open 30 s after the last delivery`)
    for (const status of Object.keys(soak.statuses)) {
      if (status !== '200') broken.push(`${soak.statuses[status]} deliveries were answered ${status}`)
    }
    for (const [reason, count] of Object.entries(soak.errors))
      broken.push(`${count} deliveries got no answer: ${reason}`)
    const seconds = soak.seconds
    const late = samples.filter((one) => one.seconds >= seconds / 3)
    const grown = (kind: 'resident' | 'heap'): number =>
      slopeOf(late.map((one) => [one.seconds, one[kind]])) * ((seconds * 2) / 3)
    for (const kind of ['resident', 'heap'] as const) {
      const mib = grown(kind)
      if (!(mib <= BOUND_MIB[kind]))
        broken.push(`${kind} memory grew by ${mib.toFixed(1)} MiB; the bound is ${BOUND_MIB[kind]} MiB`)
    }
    const code = await receiver.stop()
    if (code !== 0) broken.push(`the receiver ended with exit code ${code}: ${receiver.stderr()}`)
    broken.push(...damageIn(path))

    const { p50, p99, max } = soak.latency
    const memory = (kind: 'resident' | 'heap'): string =>
      `${samples[0]?.[kind].toFixed(0)} MiB at first, ${samples.at(-1)?.[kind].toFixed(0)} MiB at last, ` +
      `${grown(kind).toFixed(1)} MiB grown over the last two thirds (bound ${BOUND_MIB[kind]} MiB)`
    return {
      figures: [
        [
          'capacity',
          `${inThousands(capacity.handled)} a second acknowledged and handled; ${inThousands(capacity.acknowledged)} acknowledged in a burst`,
        ],
        ['soaked', `${minutes} min at ${inThousands(rate)} a second, ${inThousands(soak.answered)} answered`],
        [
          'acknowledged in',
          `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${max.toFixed(0)} ms`,
        ],
        [
          'errors',
          String(
            soak.answered -
              (soak.statuses['200'] ?? 0) +
              Object.values(soak.errors).reduce((a, b) => a + b, 0),
          ),
        ],
        ['process', memory('resident')],
        ['heap after collection', memory('heap')],
        ['open at the end', String(open)],
        ['file', `${inThousands(Math.round(statSync(path).size / MIB))} MiB`],
      ],
      broken,
    }
  }),
)

/** A second: what is acknowledged in a burst, and what is left of that when the time to handle it all is counted too. */
async function capacityOf(
  burst: () => Promise<LoadResult>,
  path: string,
): Promise<{ acknowledged: number; handled: number }> {
  const begun = performance.now()
  const { answered, perSecond } = await burst()
  const open = await drained(path, 300_000)
  if (open > 0) throw new Error(`${open} events of a burst of ${answered} were not handled within 5 minutes`)
  const seconds = (performance.now() - begun) / 1000
  return { acknowledged: Math.round(perSecond), handled: Math.round(answered / seconds) }
}
