import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runSandbox } from './sandbox-support.ts'
import { built, environment, launch, recorder } from './support.ts'

/** A file that is always full. */
const FULL = '/dev/full'

/** Runs the command with its output into the full file. */
async function intoFull(
  words: readonly string[],
  env = {},
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [built(), ...words], {
    env: environment(env),
    stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stderr }
}

describe.skipIf(!existsSync(FULL))('an output that can not be written', { timeout: 60_000 }, () => {
  it.each<[string, () => Promise<string[]> | string[]]>([
    ['trigger', async () => ['trigger', 'payment.completed', '--sandbox', (await runSandbox()).url]],
    ['events list', async () => ['events', 'list', '--sandbox', (await runSandbox()).url]],
    ['listen', async () => ['listen', '--sandbox', (await runSandbox()).url]],
    ['sandbox', () => ['sandbox', '--memory', '--port', '0']],
    ['cases', () => ['cases']],
    ['--version', () => ['--version']],
  ])('ends %s with 2 and one line', async (_name, words) => {
    const { code, stderr } = await intoFull(await words())
    expect(stderr).toBe('hookproof: the output can not be written: the disk is full [usage]\n')
    expect(code).toBe(2)
  })
})

it('a reader that has seen enough ends listen without a word', { timeout: 60_000 }, async () => {
  const on = await runSandbox()
  const { url } = await recorder()
  const listen = launch(['listen', '--forward-to', url, '--sandbox', on.url])
  if (listen.child.stdout === null) throw new Error('its output is not read')
  await once(listen.child.stdout, 'data')
  listen.child.stdout.destroy()
  spawnSync(process.execPath, [built(), 'trigger', 'payment.completed', '--sandbox', on.url])
  expect(await listen.done).toMatchObject({ code: 0, stderr: '' })
})
