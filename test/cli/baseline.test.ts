import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from './support.ts'

const server = createServer((request, response) => request.resume().on('end', () => response.end('ok')))
const folder = mkdtempSync(join(tmpdir(), 'hookproof-baseline-'))
const file = join(folder, 'known.json')
let url = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

const run = (...more: string[]) =>
  launch(
    [
      'check',
      url,
      '--only',
      'refusals/empty-key',
      '--only',
      'transport/posted-as-json',
      '--baseline',
      file,
      ...more,
    ],
    {
      env: { HOOKPROOF_SECRET: 'whsec_x' },
    },
  ).done

test('known failures do not count, until one is mended or one is new', async () => {
  expect(await run()).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('--update-baseline'),
  })

  expect(await run('--update-baseline')).toMatchObject({ code: 0 })
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).failures)).toEqual(['refusals/empty-key'])

  const borne = await run()
  expect(borne).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('bears 1 known failure, so the exit status is 0'),
  })
  expect(borne.stdout).toContain('Not conformant')
  expect(borne.stdout).toContain('Known failures, which the baseline bears: refusals/empty-key')

  expect(await run('--only', 'refusals/key-null')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/failures that .* does not know: refusals\/key-null/),
  })

  writeFileSync(file, JSON.stringify({ failures: { 'transport/posted-as-json': { reason: 'x' } } }))
  expect(await run('--skip', 'refusals/*')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no longer fail'),
  })

  writeFileSync(
    file,
    JSON.stringify({ failures: { 'refusals/empty-key': { reason: 'x', expires: '2020-01-01' } } }),
  )
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('whose last day is over') })
})
