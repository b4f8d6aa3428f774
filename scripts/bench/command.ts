import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBundled } from '../../cli/commands/check/start-bundled.ts'
import { type Figure, median, medianRatio } from './figure.ts'

const ROUNDS = 9
const CLI = 'dist/cli/main.js'

/** What the command takes from its start to its end, beside a node that does nothing. */
export const command: Figure = {
  name: 'command',
  async measure() {
    const receiver = await startBundled({ env: process.env })
    const folder = mkdtempSync(join(tmpdir(), 'hookproof-bench-'))
    const env = { ...process.env, HOOKPROOF_SECRET: receiver.secret }
    const commands: Readonly<Record<string, string[]>> = {
      'bare node': ['-e', '0'],
      'hookproof --version': [CLI, '--version'],
      'check, receiver running': [CLI, 'check', receiver.url, '--profile', 'core'],
      'check, receiver running, with effects': [
        CLI,
        'check',
        receiver.url,
        '--observe',
        receiver.observe ?? '',
      ],
      'check, receiver started': [CLI, 'check', '--report', `json=${join(folder, 'report.json')}`],
    }
    const seconds = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]))
    try {
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const [name, args] of Object.entries(commands)) {
          const took = secondsFor(name, args, env)
          // The first round fills the disk cache.
          if (round > 0) seconds.get(name)?.push(took)
        }
      }
    } finally {
      await receiver.stop()
      rmSync(folder, { recursive: true })
    }
    const [[, floors = []] = [], ...others] = seconds
    return others.map(([name, values]) => ({
      figure: name,
      against: 'bare node',
      ratio: medianRatio(values, floors),
      wanted: '',
      detail: `${median(values).toFixed(3)} s against ${median(floors).toFixed(3)} s`,
    }))
  },
}

function secondsFor(name: string, args: readonly string[], env: NodeJS.ProcessEnv): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} ended with status ${status}: ${stderr}`)
  return (performance.now() - started) / 1000
}
