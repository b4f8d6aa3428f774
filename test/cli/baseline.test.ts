import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hookproof } from './support.ts'

const server = createServer((request, response) =>
  request.resume().on('end', () => response.end('{"effects":[]}')),
)
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
  hookproof(
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
  )

/** The last line of the report. */
const last = ({ stdout }: Awaited<ReturnType<typeof run>>) => stdout.trimEnd().split('\n').at(-1)

test('ignores known failures until one is fixed or expired, and fails for a new one', async () => {
  expect(await run()).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('--update-baseline'),
  })

  expect(await run('--update-baseline')).toMatchObject({ code: 0 })
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).failures)).toEqual(['refusals/empty-key'])

  const known = await run()
  expect(known).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('lists 1 known failure, so the exit code is 0'),
  })
  expect(known.stdout).toContain('Not conformant')
  expect(known.stdout).toContain('Known failures (in the baseline): refusals/empty-key')
  expect(last(known)).toBe('No new failures: 1 known one (exit code 0).')

  const another = await run('--only', 'refusals/key-null')
  expect(another).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/new failures, not in .*known\.json: refusals\/key-null/),
  })
  expect(last(another)).toBe('1 new failure (exit code 1).')

  writeFileSync(file, JSON.stringify({ failures: { 'transport/posted-as-json': { reason: 'x' } } }))
  const stale = await run('--skip', 'refusals/*')
  expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining('no longer fail') })
  expect(last(stale)).toBe('1 stale baseline entry (exit code 1).')

  writeFileSync(
    file,
    JSON.stringify({ failures: { 'refusals/empty-key': { reason: 'x', expires: '2020-01-01' } } }),
  )
  const expired = await run()
  expect(expired).toMatchObject({ code: 1, stderr: expect.stringContaining('expired entries in') })
  expect(last(expired)).toBe('1 expired baseline entry (exit code 1).')

  const unobserved = await run(
    '--observe',
    url,
    '--wait',
    '0.1',
    '--skip',
    'refusals/*',
    '--only',
    'effects/partial-is-not-credited',
  )
  expect(unobserved.code).toBe(3)
  expect(last(unobserved)).toBe('No new failures, but no result for 1 MUST case (exit code 3).')
})
