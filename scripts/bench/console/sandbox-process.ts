// Runs a sandbox for the bench of the console, and reports the longest turn of its event loop: `sandbox-process.ts <file>`.
import { createSandbox } from '../../../sandbox/index.ts'
import { ENDPOINT_URL } from './fill.ts'

const [, , file = ''] = process.argv

/** How often the CPU time is read, in milliseconds. */
const INTERVAL_MS = 1

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const started = cpuMs()
const sandbox = await createSandbox({ file, routes: [`${ENDPOINT_URL}=http://127.0.0.1:1/`] })
const startMs = cpuMs() - started

// A turn that blocks delays the timer, and its CPU time is what a quiet machine would need for it.
let last = cpuMs()
let longest = 0
function tick(): void {
  const now = cpuMs()
  longest = Math.max(longest, now - last)
  last = now
  setTimeout(tick, INTERVAL_MS)
}
tick()

process.on('message', () => {
  process.send?.({ longest })
  longest = 0
})
process.on('disconnect', () => void sandbox.close().then(() => process.exit()))
process.send?.({ url: sandbox.url, testKey: sandbox.testKey, liveKey: sandbox.liveKey, startMs })
