// Measures the command's speed as ratios to bare node, in one run, alternated. Figures: CONTRIBUTING.md, "Speed".
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBundled } from '../cli/start-bundled.ts'

const ROUNDS = 9
const CLI = 'dist/cli/main.js'

const receiver = await startBundled()
const folder = mkdtempSync(join(tmpdir(), 'hookproof-bench-'))
const env = { ...process.env, HOOKPROOF_SECRET: receiver.secret }
const commands = {
  'bare node': ['-e', '0'],
  'hookproof --version': [CLI, '--version'],
  'check, receiver running': [CLI, 'check', receiver.url, '--profile', 'core'],
  'check, receiver running, with effects': [CLI, 'check', receiver.url, '--observe', receiver.observe ?? ''],
  'conformance, receiver started': [CLI, 'check', '--report', `json=${join(folder, 'report.json')}`],
}

const seconds = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]))
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, args] of Object.entries(commands)) {
    const started = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name} ended with status ${status}: ${stderr}`)
    // The first round fills the disk cache.
    if (round > 0) seconds.get(name)?.push((performance.now() - started) / 1000)
  }
}
await receiver.stop()
rmSync(folder, { recursive: true })

const floor = median(seconds.get('bare node') ?? [])
console.log(`medians of ${ROUNDS}, alternated\n`)
for (const [name, values] of seconds) {
  const value = median(values)
  console.log(`${name.padEnd(40)} ${value.toFixed(3)} s  ${(value / floor).toFixed(2)} x bare node`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
