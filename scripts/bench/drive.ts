import type { LoadResult } from '../../load/run.ts'
import { median } from './figure.ts'
import { CLIENT_CORE, runPinned, startServer } from './pinned.ts'

/** What one variant did in one round. */
export interface Sample {
  readonly perSecond: number
  /** Processor time of the server for each answer, in microseconds. */
  readonly cpuMicroseconds: number
  /** The share of its core that the server used; a client that saturates it brings this near 1. */
  readonly busy: number
  /** Milliseconds. */
  readonly p50: number
  /** Of 50 connections, each as fast as it can; NaN where it was not asked for. */
  readonly p99: number
  /** The p99 at the rate that PACE tells; NaN where it was not asked for. */
  readonly pacedP99: number
  /** The p50 of one client on one connection, in milliseconds; NaN where it was not asked for. */
  readonly aloneP50: number
}

export interface DriveOptions {
  readonly rounds: number
  /** How long each drive lasts. */
  readonly seconds: number
  /** Whose acknowledgement is timed: by 50 connections, as fast as they can and then at the rate that PACE tells. */
  readonly timed?: readonly string[]
  /** Which to drive by one connection, too. */
  readonly alone?: readonly string[]
  /** Words for each server, such as the path of its database, made anew for each round. */
  readonly wordsFor?: (variant: string) => readonly string[] | Promise<readonly string[]>
}

/** The share of what the first variant could do in the same round; at this rate it has time to spare. */
export const PACE = 0.6

/** At a given rate a client that still warms up is late, which is to be less than a hundredth of what is measured. */
const LONGER = 5

/** So many deliveries at once that some always wait for the server, also while others wait for the disk. */
const ENOUGH_TO_SATURATE = 200

/** Until so many deliveries were answered, what is measured is the compiler. */
const WARM = 5000
const MOST_WARM_UPS = 3

/** Drives each variant in turn, round after round, each time in a fresh process that has been warmed up. */
export async function drive<Name extends string>(
  variants: readonly Name[],
  { rounds, seconds, timed = [], alone = [], wordsFor = () => [] }: DriveOptions,
): Promise<Record<Name, Sample[]>> {
  const samples = Object.fromEntries(variants.map((name) => [name, []])) as unknown as Record<Name, Sample[]>
  for (let round = 0; round < rounds; round += 1) {
    let rate: number | undefined
    for (const variant of variants) {
      const server = await startServer(variant, await wordsFor(variant))
      const { url } = server
      try {
        await warmUp(url)
        // First, before what the variants are put through differs.
        const byOne = alone.includes(variant) && (await loadAlone(url, seconds))
        const before = server.cpuSeconds()
        const result = await load(url, { connections: ENOUGH_TO_SATURATE, seconds })
        const sample = sampleOf(result, server.cpuSeconds() - before, variant)
        rate ??= sample.perSecond * PACE
        const isTimed = timed.includes(variant)
        const saturated = isTimed && (await load(url, { connections: 50, seconds }))
        const atPace = isTimed && (await load(url, { connections: 50, seconds: seconds * LONGER, rate }))
        samples[variant].push({
          ...sample,
          p99: saturated ? saturated.latency.p99 : Number.NaN,
          pacedP99: atPace ? atPace.latency.p99 : Number.NaN,
          aloneP50: byOne ? byOne.latency.p50 : Number.NaN,
        })
      } finally {
        await server.stop()
      }
    }
  }
  return samples
}

/** One client takes other ways through the code than many: these are to be warm, too. */
async function loadAlone(url: string, seconds: number): Promise<LoadResult> {
  await load(url, { connections: 1, seconds: seconds * 2 })
  return load(url, { connections: 1, seconds })
}

export async function warmUp(url: string): Promise<void> {
  let answered = 0
  for (let count = 0; count < MOST_WARM_UPS && answered < WARM; count += 1) {
    answered += (await load(url, { connections: 50, seconds: 1 })).answered
  }
}

function sampleOf(
  { answered, perSecond, seconds, statuses, latency }: LoadResult,
  cpu: number,
  variant: string,
): Omit<Sample, 'aloneP50' | 'p99' | 'pacedP99'> {
  requireAccepted(variant, { answered, statuses })
  const { p50 } = latency
  return { perSecond, cpuMicroseconds: (cpu * 1e6) / answered, busy: cpu / seconds, p50 }
}

/** @throws Error if anything but 200 was answered: to refuse is quick. */
export function requireAccepted(name: string, result: Pick<LoadResult, 'answered' | 'statuses'>): void {
  const { answered, statuses } = result
  if (answered > 0 && statuses['200'] === answered) return
  throw new Error(`bench: ${name} answered ${JSON.stringify(statuses)}`)
}

export interface Drive {
  readonly connections: number
  readonly seconds: number
  /** Deliveries a second; as many as it can, if left out. */
  readonly rate?: number
  readonly core?: string
}

/** Individually signed deliveries of random payments, by `hookproof load`, on the client's core unless told otherwise. */
export async function load(
  url: string,
  { connections, seconds, rate, core = CLIENT_CORE }: Drive,
): Promise<LoadResult> {
  const words = ['load', url, '--json', '--duration', String(seconds), '--connections', String(connections)]
  if (rate !== undefined) words.push('--rate', String(Math.round(rate)))
  return JSON.parse(await runPinned(core, process.execPath, 'dist/cli/main.js', ...words))
}

export const of = (samples: readonly Sample[], what: keyof Sample): number[] =>
  samples.map((one) => one[what])

/** Rate, processor time and saturation of a variant, in words. */
export function told(samples: readonly Sample[]): string {
  const rate = Math.round(median(of(samples, 'perSecond')))
  const cpu = median(of(samples, 'cpuMicroseconds')).toFixed(0)
  return `${rate}/s, ${cpu} µs each, core ${Math.round(median(of(samples, 'busy')) * 100)} % busy`
}
