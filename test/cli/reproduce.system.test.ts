import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { shellQuoted } from '../../fixtures/shell.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import { onWindows } from '../support/prerequisites.ts'
import { built, environment, freePort, hookproof, temporaryFolder } from './support.ts'

const COMMAND = shellQuoted([process.execPath, built()])
const SECRETS = { HEADER_X_GATE: 'open sesame', QUERY_TOKEN: 'f00ba4f00ba4' }

/** Accepts everything that has the right header and query, and does nothing. */
const receiver = (port: number) => `
  require('node:http').createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost')
    const known = request.headers['x-gate'] === 'open sesame' && url.searchParams.get('token') === 'f00ba4f00ba4'
    request.resume().on('end', () => {
      response.statusCode = known ? 200 : 403
      response.end(url.pathname === '/observe' ? '{"effects":[]}' : '')
    })
  }).listen(${port}, '127.0.0.1')`

/** Runs a command as a user would paste it; HOOKPROOF_SECRET is set. */
async function paste(command: string | null | undefined, env: Readonly<Record<string, string>>) {
  const line = String(command).replace('npx hookproof', COMMAND)
  return promisify(execFile)('/bin/sh', ['-c', line], { env: environment(env) }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )
}

test.skipIf(onWindows)(
  'a command to reproduce reaches the same verdict when it is pasted, with the receiver started again',
  async () => {
    const port = await freePort()
    const folder = temporaryFolder()
    const script = join(folder, "it's a receiver.cjs")
    writeFileSync(script, receiver(port))
    const at = (path: string) => `http://127.0.0.1:${port}/${path}?lang=en&token=${SECRETS.QUERY_TOKEN}`
    const ids = ['refusals/empty-key', 'effects/completed-is-fulfilled']
    const { stdout } = await hookproof([
      'check',
      at('hooks'),
      '--start',
      shellQuoted([process.execPath, script]),
      '--observe',
      at('observe'),
      '--header',
      `X-Gate: ${SECRETS.HEADER_X_GATE}`,
      '--wait',
      '0.2',
      '--report',
      'json',
      ...ids.flatMap((id) => ['--only', id]),
    ])
    const { verdicts } = JSON.parse(stdout) as ConformanceReport
    expect(verdicts.map(({ case: id, outcome }) => [id, outcome])).toEqual(ids.map((id) => [id, 'failed']))
    for (const secret of Object.values(SECRETS)) expect(stdout).not.toContain(secret)

    const commands = verdicts.map(({ reproduce }) => reproduce)
    for (const [index, command] of commands.entries()) {
      expect(await paste(command, SECRETS)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(ids[index] ?? ''),
      })
    }
    expect(await paste(commands[0], {})).toMatchObject({ stderr: expect.stringContaining('QUERY_TOKEN') })
  },
)
