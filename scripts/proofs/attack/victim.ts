import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../shared/free-port.ts'
import { formatCount } from '../../shared/numbers.ts'
import type { ProofResult } from '../shared/prove.ts'
import { start } from '../shared/receiver.ts'

/** How long the receiver may take to let go of everything after the last attack. */
const RELEASE_MS = 15_000
/** How long it may take to stop when nothing is open any more. */
const STOP_MS = 5000
/** What must be back at 0 after the attacks. */
const RELEASED = ['hookproof_held_bytes', 'hookproof_deliveries_waiting']

/** Starts the built receiver with its defaults, and metrics. */
export async function openReceiver(dist: string, inbox: string) {
  const metricsPort = await freePort()
  const env = { INBOX: inbox, METRICS_PORT: String(metricsPort) }
  const receiver = await start({ dist, env })
  const { port, stderr } = receiver

  /** What is wrong with the process itself, one line each. */
  const problems = (): string[] => [
    ...(receiver.isRunning() ? [] : ['the receiver has ended']),
    ...(stderr() === '' ? [] : [`the receiver printed ${JSON.stringify(stderr().slice(0, 500))}`]),
  ]

  async function held(): Promise<string[]> {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return RELEASED.flatMap((name) => {
      const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
      return value === '0' ? [] : [`${name} is ${value} after the attacks`]
    })
  }

  /** Checks that nothing is left of the attacks, then stops the receiver as an operator would. */
  async function finish(): Promise<ProofResult> {
    const violations = problems()
    const figures: ProofResult['figures'][number][] = []
    if (receiver.isRunning()) {
      const began = performance.now()
      let left = await held()
      while (left.length > 0 && performance.now() - began < RELEASE_MS) {
        await wait(250)
        left = await held()
      }
      violations.push(...left)
      for (const path of ['/healthz', '/readyz']) {
        const { status } = await fetch(`http://127.0.0.1:${port}${path}`)
        if (status !== 200) violations.push(`${path} answered ${status} after the attacks`)
      }
      const mib = receiver.residentMiB()
      const stopping = performance.now()
      const code = await receiver.stop()
      const stopMs = Math.round(performance.now() - stopping)
      if (code !== 0) violations.push(`the receiver exited with code ${code} on SIGTERM: ${stderr()}`)
      if (stopMs > STOP_MS) violations.push(`the receiver took ${formatCount(stopMs)} ms to stop`)
      const exit = `exit code ${code} ${formatCount(stopMs)} ms after SIGTERM`
      figures.push(['afterwards', `RSS ${mib.toFixed(0)} MiB; ${exit}`])
    }
    return { figures, violations }
  }

  return { ...receiver, problems, finish }
}
