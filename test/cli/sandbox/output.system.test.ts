import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { requires } from '../../support/prerequisites.ts'
import { built, environment, hookproof, launch, recorder } from '../support.ts'
import { startSandbox } from './support.ts'

/** A device that is always full. */
const FULL = '/dev/full'

/** Runs the command with its output to the full device. */
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

requires(existsSync(FULL) ? undefined : `${FULL} does not exist`).describe(
  'an output that cannot be written',
  () => {
    it.each<[string, () => Promise<string[]> | string[]]>([
      ['trigger', async () => ['trigger', 'payment.completed', '--sandbox', (await startSandbox()).url]],
      ['events list', async () => ['events', 'list', '--sandbox', (await startSandbox()).url]],
      ['listen', async () => ['listen', '--sandbox', (await startSandbox()).url]],
      ['sandbox', () => ['sandbox', '--memory', '--port', '0']],
      ['cases', () => ['cases']],
      ['--version', () => ['--version']],
    ])('ends %s with exit code 2 and one line', async (_name, words) => {
      const { code, stderr } = await intoFull(await words())
      expect(stderr).toBe('hookproof: cannot write the output: the disk is full [usage]\n')
      expect(code).toBe(2)
    })
  },
)

it('listen ends without an error when its reader leaves', { timeout: 60_000 }, async () => {
  const on = await startSandbox()
  const { url } = await recorder()
  const listen = launch(['listen', '--forward-to', url, '--sandbox', on.url])
  if (listen.child.stdout === null) throw new Error('its output is not piped')
  await once(listen.child.stdout, 'data')
  listen.child.stdout.destroy()
  await hookproof(['trigger', 'payment.completed', '--sandbox', on.url])
  expect(await listen.done).toMatchObject({ code: 0, stderr: '' })
})
