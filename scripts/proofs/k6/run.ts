import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The exit codes of k6 for a threshold that was crossed, and for a script that aborts. */
export const K6_EXIT = { thresholds: 99, aborted: 108 } as const

interface Metric {
  readonly count?: number
  readonly passes?: number
  readonly fails?: number
}

export interface K6Run {
  readonly code: number
  /** Everything that k6 printed. */
  readonly output: string
  /** Number of HTTP requests. */
  readonly requests: number
  /** Number of responses with status 200, according to the script's check. */
  readonly acknowledged: number
  /** Number of other responses, and of requests without one. */
  readonly refused: number
  /** Number of deliveries that were due but not sent. */
  readonly dropped: number
}

/** Runs a script with k6 and reads the numbers that k6 writes. @param secret HOOKPROOF_SECRET; without one it is not set */
export async function runK6(
  k6: string,
  script: string,
  { folder, secret }: { folder: string; secret?: string },
): Promise<K6Run> {
  const summaryFile = join(folder, `summary-${Math.random()}.json`)
  const args = ['run', '--quiet', '--no-color', '--no-usage-report', '--summary-export', summaryFile, script]
  const { HOOKPROOF_SECRET: _, ...env } = process.env
  const child = spawn(k6, args, {
    env: secret === undefined ? env : { ...env, HOOKPROOF_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => void (output += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const [code] = (await once(child, 'close')) as [number | null]

  const summary: unknown = JSON.parse(await readFile(summaryFile, 'utf8').catch(() => '{}'))
  const { metrics = {} } = summary as { metrics?: Readonly<Record<string, Metric>> }
  return {
    code: code ?? -1,
    output,
    requests: metrics['http_reqs']?.count ?? 0,
    acknowledged: metrics['checks']?.passes ?? 0,
    refused: metrics['checks']?.fails ?? 0,
    dropped: metrics['dropped_iterations']?.count ?? 0,
  }
}
