import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startBundled } from '../../cli/commands/check/start-bundled.ts'
import { median } from '../shared/numbers.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { type Figure, medianRatio, type Row, roundsOf } from './figure.ts'

const ROUNDS = roundsOf(9)
const CLI = 'dist/cli/main.js'
const BASELINE = 'bare Node.js'

/** The wall time of the command, compared with a Node.js process that does nothing. */
export const command: Figure = {
  name: 'command',
  measure: () => withTemporaryFolder(measure),
}

async function measure(folder: string): Promise<Row[]> {
  const receiver = await startBundled({ env: process.env })
  const env = { ...process.env, HOOKPROOF_SECRET: receiver.secret }
  const commands: Readonly<Record<string, string[]>> = {
    [BASELINE]: ['-e', '0'],
    'hookproof --version': [CLI, '--version'],
    'hookproof check, core profile': [CLI, 'check', receiver.url, '--profile', 'core'],
    'hookproof check, full profile': [CLI, 'check', receiver.url, '--observe', receiver.observe ?? ''],
    'hookproof check with the bundled receiver': [
      CLI,
      'check',
      '--bundled',
      '--report',
      `json=${join(folder, 'report.json')}`,
    ],
  }
  const seconds = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]))
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, args] of Object.entries(commands)) {
        const took = secondsFor(name, args, env)
        // The first round only fills the disk cache.
        if (round > 0) seconds.get(name)?.push(took)
      }
    }
  } finally {
    await receiver.stop()
  }
  const [[, baselines = []] = [], ...others] = seconds
  return others.map(([name, values]) => ({
    figure: name,
    baseline: BASELINE,
    ratio: medianRatio(values, baselines),
    target: '',
    details: `${median(values).toFixed(3)} s vs. ${median(baselines).toFixed(3)} s`,
  }))
}

function secondsFor(name: string, args: readonly string[], env: NodeJS.ProcessEnv): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} exited with code ${status}: ${stderr}`)
  return (performance.now() - started) / 1000
}
