// Loaded into the sandbox with `node --import`. It measures how long the event loop is blocked from SIGUSR2 on. When the
// process exits, it writes the longest time to PROOF_BLOCKED_FILE, with the requests that began shortly before. The time
// counts only as far as the process used the processor, so that other programs on the machine do not change it.
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'

const EVERY_MS = 5
const file = process.env.PROOF_BLOCKED_FILE
let longest = { ms: 0, requests: [] }
let requests = []
let [at, used] = [performance.now(), process.cpuUsage()]

subscribe('http.server.request.start', ({ request }) => {
  requests = [...requests, `${request.method} ${request.url}`.slice(0, 100)].slice(-20)
})

setInterval(() => {
  const { user, system } = process.cpuUsage(used)
  const ms = Math.min(performance.now() - at - EVERY_MS, (user + system) / 1000)
  if (ms > longest.ms) longest = { ms, requests }
  requests = []
  at = performance.now()
  used = process.cpuUsage()
}, EVERY_MS).unref()

process.on('SIGUSR2', () => {
  longest = { ms: 0, requests: [] }
})
if (file !== undefined) process.on('exit', () => writeFileSync(file, JSON.stringify(longest)))
