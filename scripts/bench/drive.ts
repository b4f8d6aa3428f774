import type { LoadResult } from '../../load/run.ts'
import { median } from '../shared/numbers.ts'
import { CLIENT_CORE, runPinned, startServer } from './pinned.ts'

/** The measurements of one variant in one round. */
export interface Sample {
  readonly perSecond: number
  /** CPU time of the server per response, in microseconds. */
  readonly cpuMicroseconds: number
  /** The share of its core that the server used, from 0 to 1; near 1 if the client saturated it. */
  readonly busy: number
  /** With 50 connections at full speed, in milliseconds; NaN if not measured. */
  readonly p99: number
  /** The p99 at a fixed rate (see FIXED_RATE_SHARE), in milliseconds; NaN if not measured. */
  readonly fixedRateP99: number
  /** The p50 of one client with one connection, in milliseconds; NaN if not measured. */
  readonly singleClientP50: number
}

export interface DriveOptions {
  readonly rounds: number
  /** How long each measurement takes. */
  readonly seconds: number
  /** The variants whose latency is measured with 50 connections, at full speed and at a fixed rate. */
  readonly timed?: readonly string[]
  /** The variants that are also measured with one connection. */
  readonly singleClient?: readonly string[]
  /** The arguments of each server, such as the path of its database; called in each round. */
  readonly argsFor?: (variant: string) => readonly string[]
}

/** The fixed rate, as a share of the capacity of the first variant in the same round. */
export const FIXED_RATE_SHARE = 0.6

/** Measuring at a fixed rate takes longer: a client that still warms up must delay less than 1% of the deliveries. */
const FIXED_RATE_FACTOR = 5

/** Enough connections that some deliveries always wait for the server, even while others wait for the disk. */
const SATURATING_CONNECTIONS = 200

/** Before this many responses, a measurement would include JIT compilation. */
const WARM_UP_RESPONSES = 5000
const MOST_WARM_UPS = 3

/** Measures the variants in turn, round after round, each time in a new process after a warm-up. */
export async function drive<Name extends string>(
  variants: readonly Name[],
  { rounds, seconds, timed = [], singleClient = [], argsFor = () => [] }: DriveOptions,
): Promise<Record<Name, Sample[]>> {
  const samples = Object.fromEntries(variants.map((name) => [name, []])) as unknown as Record<Name, Sample[]>
  for (let round = 0; round < rounds; round += 1) {
    let rate: number | undefined
    for (const variant of variants) {
      const server = await startServer(variant, argsFor(variant))
      const { url } = server
      try {
        await warmUp(url)
        // First, while all variants have had the same load.
        const single = singleClient.includes(variant) && (await loadFromSingleClient(url, seconds))
        const before = server.cpuSeconds()
        const result = await load(url, { connections: SATURATING_CONNECTIONS, seconds })
        const cpu = server.cpuSeconds() - before
        requireAccepted(variant, result)
        rate ??= result.perSecond * FIXED_RATE_SHARE
        const isTimed = timed.includes(variant)
        const saturated = isTimed && (await load(url, { connections: 50, seconds }))
        const fixedRate =
          isTimed && (await load(url, { connections: 50, seconds: seconds * FIXED_RATE_FACTOR, rate }))
        samples[variant].push({
          perSecond: result.perSecond,
          cpuMicroseconds: (cpu * 1e6) / result.answered,
          busy: cpu / result.seconds,
          p99: saturated ? saturated.latency.p99 : Number.NaN,
          fixedRateP99: fixedRate ? fixedRate.latency.p99 : Number.NaN,
          singleClientP50: single ? single.latency.p50 : Number.NaN,
        })
      } finally {
        await server.stop()
      }
    }
  }
  return samples
}

/** Warms up first: one client runs other code paths than many. */
async function loadFromSingleClient(url: string, seconds: number): Promise<LoadResult> {
  await load(url, { connections: 1, seconds: seconds * 2 })
  return load(url, { connections: 1, seconds })
}

async function warmUp(url: string): Promise<void> {
  let answered = 0
  for (let count = 0; count < MOST_WARM_UPS && answered < WARM_UP_RESPONSES; count += 1) {
    answered += (await load(url, { connections: 50, seconds: 1 })).answered
  }
}

/** @throws Error after any other response than 200, since a refusal takes less time */
function requireAccepted(name: string, { answered, statuses }: LoadResult): void {
  if (answered > 0 && statuses['200'] === answered) return
  throw new Error(`bench: expected only 200 from ${name}, received ${JSON.stringify(statuses)}`)
}

export interface LoadOptions {
  readonly connections: number
  readonly seconds: number
  /** Deliveries per second; as many as possible by default. */
  readonly rate?: number
}

/** Runs `hookproof load` on the client's core: individually signed deliveries of random payments. */
export async function load(url: string, { connections, seconds, rate }: LoadOptions): Promise<LoadResult> {
  const args = ['load', url, '--json', '--duration', String(seconds), '--connections', String(connections)]
  if (rate !== undefined) args.push('--rate', String(Math.round(rate)))
  return JSON.parse(await runPinned(CLIENT_CORE, process.execPath, 'dist/cli/main.js', ...args))
}

export const valuesOf = (samples: readonly Sample[], measurement: keyof Sample): number[] =>
  samples.map((sample) => sample[measurement])

/** `14602/s, 59 µs CPU each, core 87% busy` */
export function describe(samples: readonly Sample[]): string {
  const rate = Math.round(median(valuesOf(samples, 'perSecond')))
  const cpu = median(valuesOf(samples, 'cpuMicroseconds')).toFixed(0)
  return `${rate}/s, ${cpu} µs CPU each, core ${Math.round(median(valuesOf(samples, 'busy')) * 100)}% busy`
}
