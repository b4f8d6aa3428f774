import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { crashProgress } from '../../cli/commands/crash/progress.ts'
import { openReceiverLog } from '../../cli/commands/crash/receiver-log.ts'
import { onWindows, requires } from '../support/prerequisites.ts'
import { freePort, hookproof, temporaryFolder, testIo } from './support.ts'

const TARGET = 'http://127.0.0.1:9/webhooks'
const OBSERVE = ['--observe', 'http://127.0.0.1:9/observe']
const START = ['--start', 'true']

test.each<[string, string[], string]>([
  ['no URL', [...START, ...OBSERVE], 'pass the URL at which the receiver will listen'],
  [
    'no --start',
    [TARGET, ...OBSERVE],
    'pass --start "<command>", or write "start" in hookproof.config.json: the receiver must be killed and started again',
  ],
  [
    'no way to observe',
    [TARGET, ...START],
    'pass --observe or --observe-command: without the effects nothing shows',
  ],
  [
    'a round that does not exist',
    [TARGET, ...START, ...OBSERVE, '--round', '11'],
    '--round is 11, but --rounds is 10',
  ],
  [
    'a rotation without the old secret',
    [TARGET, ...START, ...OBSERVE, '--rotate-env', 'SECRETS={new}'],
    'a value of --rotate-env must contain {old} for the old secret, such as "{new} {old}"',
  ],
  [
    'an unknown version of the contract',
    [TARGET, ...START, ...OBSERVE, '--contract', '0.9'],
    '--contract must be one of 1.0, 1.1, not 0.9',
  ],
  [
    'a log that cannot be written',
    [TARGET, ...START, ...OBSERVE, '--receiver-log', '/'],
    "cannot write the receiver's log /",
  ],
])('hookproof crash: with %s, one line says what to do', async (_, args, line) => {
  const { code, stderr } = await hookproof(['crash', ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(line)
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .filter((text) => text.includes('[')),
  ).toHaveLength(1)
})

test('hookproof check --profile durable is the same command, and names an option that it has no use for', async () => {
  const durable = ['check', TARGET, '--profile', 'durable']
  const { stderr } = await hookproof([...durable, ...OBSERVE])
  expect(stderr).toContain('pass --start "<command>"')
  const { code, stderr: unused } = await hookproof([...durable, ...START, '--only', 'duplicates'])
  expect(code).toBe(2)
  expect(unused).toContain('--profile durable does not use --only: leave it out')
})

test('hookproof check: an unknown version of the contract is exit code 2, with those that exist', async () => {
  const { code, stderr } = await hookproof(['check', TARGET, '--contract', '0.9'])
  expect(code).toBe(2)
  expect(stderr).toContain('--contract must be one of 1.0, 1.1, not 0.9')
})

test.skipIf(onWindows)('hookproof crash: a start command that ends is one line and exit code 2', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const command = 'echo "cannot read the config" >&2; exit 3'
  const { code, stderr } = await hookproof(['crash', url, '--start', command, '--observe', url])
  expect(code).toBe(2)
  expect(stderr.split('\n').at(-2)).toBe(
    'hookproof: the --start command did not start the receiver: it ended with exit status 3; last output: cannot read the config [not_started]',
  )
})

test('hookproof crash: another program at the address is not killed', async () => {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => {
    server.once('listening', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, stderr } = await hookproof(['crash', url, ...START, '--observe', url])
  expect(code).toBe(2)
  expect(stderr).toContain('something already listens at 127.0.0.1')
})

test('hookproof crash --verbose prints what the last lines of the short report promise', async () => {
  const file = join(temporaryFolder(), 'receiver.mjs')
  writeFileSync(
    file,
    `import { createServer } from 'node:http'
    createServer((request, response) => request.resume().on('end', () => response.end('{"effects":[]}'))).listen(process.env.PORT)`,
  )
  const url = `http://127.0.0.1:${await freePort()}`
  const start = ['--start', `node ${file}`, '--observe', url, '--rounds', '1', '--recover-within', '0.1']
  const short = await hookproof(['crash', url, ...start])
  expect(short.stdout).toContain('All details: --verbose')
  const { code, stdout } = await hookproof(['crash', url, ...start, '--verbose'])
  expect(code).toBe(1)
  expect(stdout).toContain('Failures, most severe first')
})

test("the receiver's log ends at its limit", () => {
  const { io } = testIo({ cwd: temporaryFolder() })
  const log = openReceiverLog('receiver.log', io)
  for (let n = 0; n < 12; n += 1) log.write('x'.repeat(1024 * 1024))
  log.close()
  const text = readFileSync(join(io.cwd, 'receiver.log'), 'utf8')
  expect(text.length).toBeLessThan(10.1 * 1024 * 1024)
  expect(text.trimEnd().split('\n').at(-1)).toBe('[the log ends here, at 10 MiB]')
})

requires(existsSync('/dev/full') ? undefined : 'this system has no /dev/full').test(
  'a receiver log on a full disk is one line, and the run goes on',
  () => {
    const { io, stderr } = testIo()
    const log = openReceiverLog('/dev/full', io)
    for (const line of ['one', 'two']) log.write(line)
    expect(log.close()).toBe(false)
    expect(log.close()).toBe(false)
    log.write('after the end')
    expect(stderr()).toMatch(/^hookproof: the receiver's log \/dev\/full is incomplete: [^\n]+\n$/)
  },
)

test('hookproof cases and explain show what hookproof crash judges', async () => {
  const listed = await hookproof(['cases', 'durability'])
  expect(listed.stdout).toMatch(/^durability\/nothing-lost-in-a-crash +MUST +6\.7 +durable$/m)
  const explained = await hookproof(['explain', 'durability/nothing-lost-in-a-crash'])
  expect(explained.stdout).toContain(
    'every payment that was acknowledged, before a SIGKILL or after the restart, has its effect',
  )
})

test('a run that is silent for 10 s prints what it waits for', () => {
  const lines: string[] = []
  let ms = 0
  const progress = crashProgress(
    (line) => lines.push(line),
    () => ms,
  )
  progress.step('round 1')
  for (ms = 0; ms <= 25_000; ms += 1_000) progress.waiting(`waiting at ${ms}`)
  expect(lines).toEqual(['round 1', 'waiting at 10000', 'waiting at 20000'])
})
