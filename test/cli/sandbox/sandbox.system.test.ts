import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { APPLICATION_ID } from '../../../sandbox/store/database.ts'
import { missingProgram, onWindows, requires } from '../../support/prerequisites.ts'
import { freePort, hookproof, start, temporaryFolder } from '../support.ts'
import { createPayment, interrupted, printed, startSandbox } from './support.ts'

const { DatabaseSync } = createRequire(import.meta.url)(
  '@photostructure/sqlite',
) as typeof import('@photostructure/sqlite')

/** Starts a sandbox, and returns its output for people. */
async function bannerOf(...words: string[]): Promise<string> {
  const running = start(['sandbox', '--port', '0', '--memory', ...words])
  await printed(running, /(prints each attempt|create payments with)[\s\S]*\n$/)
  return running.stdout()
}

describe('hookproof sandbox', { timeout: 60_000 }, () => {
  const curl = requires(onWindows ? 'Windows has no POSIX shell' : missingProgram('curl'))
  for (const words of [
    [],
    ['--route', 'https://shop.example/=http://localhost:3000/'],
    ['--route', 'https://shop.example/hook=http://localhost:3000/hook', '--bot-protection'],
  ])
    curl.test(`prints a curl command that works when pasted: ${words.join(' ')}`, async () => {
      const text = await bannerOf(...words)
      const [, curl = ''] = /\n(  curl [\s\S]*?)\n\n/.exec(text) ?? []
      const { stdout, stderr } = await promisify(execFile)('sh', ['-c', curl])
      expect(stderr).toBe('')
      const { id, checkout_url: url } = JSON.parse(stdout) as { id: string; checkout_url: string }
      expect(await (await fetch(url)).text()).toContain('Simulate Success')
      const [, key = ''] = /test key +(\S+)/.exec(text) ?? []
      const payments = /base URL +(\S+)/.exec(text)?.[1]
      const headers = { 'X-API-Key': key, 'User-Agent': 'shop/1.0' }
      const payment = (await (await fetch(`${payments}/payments/${id}`, { headers })).json()) as object
      const hooks = { 0: undefined, 2: 'https://shop.example/webhooks', 3: 'https://shop.example/hook' }
      expect(payment).toMatchObject({ status: 'pending', livemode: false })
      expect((payment as { webhook_url?: string }).webhook_url).toBe(hooks[words.length as 0])
      expect(text).toContain(
        words.length === 0 ? 'hookproof listen --forward-to' : 'is forwarded to http://localhost',
      )
    })

  it('prints working addresses, the live key and the signing secret', async () => {
    const text = await bannerOf()
    expect(text).toMatch(/live key +svc_live_\w{32}\n +signing secret +whsec_\w{32}\n/)
    for (const [, address = ''] of text.matchAll(/(?:dashboard|each shown once:) +(http\S+)/g)) {
      expect((await fetch(address)).status, address).toBe(200)
    }
  })

  it('stops on Ctrl-C, and continues from its file with the same keys', async () => {
    const cwd = temporaryFolder()
    const file = join(cwd, 'mine.sqlite')
    const first = await startSandbox('--file', file)
    const { id } = await createPayment(first, {})
    expect(await first.stop()).toBe(0)
    expect(readdirSync(cwd)).toEqual(['mine.sqlite'])

    const second = await startSandbox('--file', file)
    expect([second.testKey, second.secret]).toEqual([first.testKey, first.secret])
    const headers = { 'X-API-Key': second.testKey }
    expect((await fetch(`${second.apiUrl}/payments/${id}`, { headers })).status).toBe(200)
    expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
    await second.stop()

    const third = await startSandbox('--file', file, '--reset')
    expect(third.testKey).not.toBe(first.testKey)
    expect((await third.stop()) ?? 1).toBe(0)
  })

  it('deletes nothing with --reset when its port is taken', async () => {
    const file = join(temporaryFolder(), 'sandbox.sqlite')
    const first = await startSandbox('--file', file)
    await first.stop()
    const { port } = new URL((await startSandbox()).url)
    const { code, stderr } = await hookproof(['sandbox', '--port', port, '--file', file, '--reset'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--port \d+ is already in use/)
    const again = await startSandbox('--file', file)
    expect(again.testKey).toBe(first.testKey)
  })

  it('prints where its data is stored when it stops, and stores nothing with --memory', async () => {
    const cwd = temporaryFolder()
    const stored = start(['sandbox', '--port', '0'], { cwd })
    await printed(stored, 'hookproof listen')
    expect(await interrupted(stored)).toBe(0)
    expect(stored.stdout()).toMatch(/\nStopped\. All data is stored in \.\/sandbox\.sqlite\.\n$/)
    expect(existsSync(join(cwd, 'sandbox.sqlite'))).toBe(true)

    const nothing = temporaryFolder()
    const memory = start(['sandbox', '--port', '0', '--memory'], { cwd: nothing })
    await printed(memory, 'hookproof listen')
    expect(await interrupted(memory)).toBe(0)
    expect(readdirSync(nothing)).toEqual([])
  })

  it('has the same keys for the same seed', async () => {
    const keys = await Promise.all(['a', 'a', 'b'].map((seed) => startSandbox('--seed', seed)))
    const [first, same, other] = keys.map(({ testKey }) => testKey)
    expect(same).toBe(first)
    expect(other).not.toBe(first)
  })

  it('prints settings that are not the default: chaos, acknowledgment, retries, bot protection and the clock', async () => {
    expect(await bannerOf()).not.toMatch(/chaos|acknowledgment|retries|bot protection|clock/)
    const faults = ['--chaos', 'duplicate=2', '--chaos', 'badSignature', '--ack', 'strict']
    const text = await bannerOf(
      ...faults,
      '--schedule',
      'realistic',
      '--bot-protection',
      '--clock',
      '2040-01-31',
    )
    for (const row of [
      /chaos +duplicate=2, badSignature \(every delivery\)/,
      /acknowledgment +only status 200/,
      /retries +after 5 s, 5 min/,
      /bot protection +on/,
      /clock +2040-01-31T00:00:/,
    ])
      expect(text).toMatch(row)
  })

  it('lists every fault in --help and in the docs', async () => {
    const { stderr } = await hookproof(['sandbox', '--chaos', 'nothing'])
    const faults = /Valid names: (.*?) \[usage\]/.exec(stderr)?.[1]?.split(', ') ?? []
    expect(faults.length).toBeGreaterThan(7)
    const docs = readFileSync('docs/sandbox.md', 'utf8')
    for (const command of ['sandbox', 'trigger']) {
      const { stdout } = await hookproof([command, '--help'])
      for (const fault of faults) expect(stdout, fault).toMatch(new RegExp(`  ${fault}[= ]`))
    }
    for (const fault of faults) expect(docs, fault).toMatch(new RegExp(`\n\\| \`${fault}(=\\d+)?\` \\|`))
  })

  it('starts at the time of --clock', async () => {
    const { url } = await startSandbox('--clock', '2040-01-31T12:00:00Z')
    const { now } = (await (await fetch(`${url}/sandbox/clock`)).json()) as { now: string }
    expect(now).toMatch(/^2040-01-31T12:00:/)
  })

  it('--reset deletes a damaged file, but not the file of another program', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'sandbox.sqlite')
    const first = await startSandbox('--file', file)
    await createPayment(first, {})
    await first.stop()
    const bytes = readFileSync(file)
    bytes.fill(0xff, 100, 20_000)
    writeFileSync(file, bytes)
    const damaged = await hookproof(['sandbox', '--port', '0', '--file', file])
    expect(damaged.code).toBe(2)
    expect(damaged.stderr).toMatch(/damaged.*--reset/)
    const reset = await startSandbox('--file', file, '--reset')
    expect(await reset.stop()).toBe(0)

    const foreign = join(folder, 'foreign.sqlite')
    const database = new DatabaseSync(foreign)
    database.exec('CREATE TABLE mine (x)')
    database.close()
    const before = readFileSync(foreign)
    const refused = await hookproof(['sandbox', '--port', '0', '--file', foreign, '--reset'])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/is the database of another program/)
    expect(readFileSync(foreign)).toEqual(before)
  })

  it.each<[string, () => Promise<string[]> | string[], RegExp]>([
    [
      'the port is taken',
      async () => ['--port', new URL((await startSandbox()).url).port],
      /--port \d+ is already in use/,
    ],
    ['the port is invalid', () => ['--port', '70000'], /--port.*0 to 65535/],
    [
      'a route is invalid',
      () => ['--route', 'https://shop.example/'],
      /--route https:\/\/shop\.example\/: give two/,
    ],
    [
      'other machines could reach it',
      () => ['--host', '0.0.0.0'],
      /reachable from other machines.*--exposed/,
    ],
    ['the host is unknown', () => ['--host', 'nonsense.invalid'], /nonsense\.invalid: no such address/],
    [
      'the host is another machine',
      () => ['--host', '192.0.2.1', '--exposed'],
      /--host 192\.0\.2\.1 is not an address of this machine/,
    ],
    ['--memory and --file are combined', () => ['--file', 'x.sqlite'], /--memory and --file/],
    ['--memory and --reset are combined', () => ['--reset'], /--memory stores nothing/],
    ['the time is invalid', () => ['--clock', 'tomorrow'], /--clock tomorrow is not a time/],
    ['the time is in the past', () => ['--clock', '2020-01-01'], /never goes back/],
    ['the seed is empty', () => ['--seed', ''], /--seed must not be empty/],
    ['a fault is unknown', () => ['--chaos', 'duplicat=1'], /duplicat is unknown/],
  ])('exits with 2 and one line when %s', async (_name, words, line) => {
    const { code, stdout, stderr } = await hookproof([
      'sandbox',
      '--memory',
      '--port',
      '0',
      ...(await words()),
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each<[string, (file: string) => Promise<unknown> | undefined, string[], RegExp]>([
    ['is in use', (file) => startSandbox('--file', file), [], /another program is using the file/],
    ['is in use, with --reset', (file) => startSandbox('--file', file), ['--reset'], /is using the file/],
    [
      'has another seed',
      async (file) => (await startSandbox('--file', file)).stop(),
      ['--seed', 'b'],
      /differs from the seed/,
    ],
    ['is of a newer version', (file) => newer(file), [], /newer version.*Update/],
    ['is not a database', async (file) => writeFileSync(file, 'x'.repeat(200)), [], /not a SQLite database/],
  ])('exits with 2 and one line when its file %s', async (_name, prepare, words, line) => {
    const file = join(temporaryFolder(), 'sandbox.sqlite')
    await prepare(file)
    const port = String(await freePort())
    const { code, stdout, stderr } = await hookproof(['sandbox', '--port', port, '--file', file, ...words])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

async function newer(file: string): Promise<void> {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA user_version = 99; PRAGMA application_id = ${APPLICATION_ID}`)
  database.close()
}
