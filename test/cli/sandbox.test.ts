import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { APPLICATION_ID } from '../../sandbox/store/ownership.ts'
import { createPayment, interrupted, runSandbox, said } from './sandbox-support.ts'
import { available, freePort, hookproof, launch, temporaryFolder } from './support.ts'

const { DatabaseSync } = createRequire(import.meta.url)(
  '@photostructure/sqlite',
) as typeof import('@photostructure/sqlite')

/** Starts it as a person does, and returns what it says. */
async function asShown(...words: string[]): Promise<string> {
  const running = launch(['sandbox', '--port', '0', '--memory', ...words])
  await said(running, /(prints each attempt|create payments with)[\s\S]*\n$/)
  return running.stdout()
}

describe('hookproof sandbox', { timeout: 60_000 }, () => {
  it
    .skipIf(!available('curl', '--version'))
    .each([
      [],
      ['--route', 'https://shop.example/=http://localhost:3000/'],
      ['--route', 'https://shop.example/hook=http://localhost:3000/hook', '--bot-protection'],
    ])('shows a curl that works when it is pasted: %s %s %s', async (...words) => {
    const text = await asShown(...words)
    const [, curl = ''] = /\n(  curl [\s\S]*?)\n\n/.exec(text) ?? []
    const { stdout, stderr } = spawnSync('sh', ['-c', curl], { encoding: 'utf8' })
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
    expect(text).toContain(words.length === 0 ? 'hookproof listen --forward-to' : 'goes to http://localhost')
  })

  it('names addresses that answer, and the live key and secret besides', async () => {
    const text = await asShown()
    expect(text).toMatch(/live key +svc_live_\w{32}\n +signing secret +whsec_\w{32}\n/)
    for (const [, address = ''] of text.matchAll(/(?:dashboard|shown once each:) +(http\S+)/g)) {
      expect((await fetch(address)).status, address).toBe(200)
    }
  })

  it('ends in good order on Ctrl-C, and goes on from its one file with the same keys', async () => {
    const cwd = temporaryFolder()
    const file = join(cwd, 'mine.sqlite')
    const first = await runSandbox('--file', file)
    const { id } = await createPayment(first, {})
    expect(await first.stop()).toBe(0)
    expect(readdirSync(cwd)).toEqual(['mine.sqlite'])

    const second = await runSandbox('--file', file)
    expect([second.testKey, second.secret]).toEqual([first.testKey, first.secret])
    const headers = { 'X-API-Key': second.testKey }
    expect((await fetch(`${second.apiUrl}/payments/${id}`, { headers })).status).toBe(200)
    expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
    await second.stop()

    const third = await runSandbox('--file', file, '--reset')
    expect(third.testKey).not.toBe(first.testKey)
    expect((await third.stop()) ?? 1).toBe(0)
  })

  it('forgets nothing with --reset when its port is taken', async () => {
    const file = join(temporaryFolder(), 'sandbox.sqlite')
    const first = await runSandbox('--file', file)
    await first.stop()
    const { port } = new URL((await runSandbox()).url)
    const { code, stderr } = await hookproof(['sandbox', '--port', port, '--file', file, '--reset'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/is taken/)
    const again = await runSandbox('--file', file)
    expect(again.testKey).toBe(first.testKey)
  })

  it('says what it keeps when it stops, and keeps nothing with --memory', async () => {
    const cwd = temporaryFolder()
    const kept = launch(['sandbox', '--port', '0'], { cwd })
    await said(kept, 'hookproof listen')
    expect(await interrupted(kept)).toBe(0)
    expect(kept.stdout()).toMatch(/\nStopped; \.\/sandbox\.sqlite keeps everything\.\n$/)
    expect(existsSync(join(cwd, 'sandbox.sqlite'))).toBe(true)

    const nothing = temporaryFolder()
    const memory = launch(['sandbox', '--port', '0', '--memory'], { cwd: nothing })
    await said(memory, 'hookproof listen')
    expect(await interrupted(memory)).toBe(0)
    expect(readdirSync(nothing)).toEqual([])
  })

  it('has the same keys for the same seed', async () => {
    const keys = await Promise.all(['a', 'a', 'b'].map((seed) => runSandbox('--seed', seed)))
    const [first, same, other] = keys.map(({ testKey }) => testKey)
    expect(same).toBe(first)
    expect(other).not.toBe(first)
  })

  it('says what is not as usual: chaos, acknowledgement, retries, bot protection and the clock', async () => {
    expect(await asShown()).not.toMatch(/chaos|acknowledged|retries|bot protection|clock/)
    const faults = ['--chaos', 'duplicate=2', '--chaos', 'badSignature', '--ack', 'strict']
    const text = await asShown(
      ...faults,
      '--schedule',
      'realistic',
      '--bot-protection',
      '--clock',
      '2040-01-31',
    )
    for (const row of [
      /chaos +duplicate=2, badSignature: /,
      /acknowledged +by status 200 alone/,
      /retries +realistic/,
      /bot protection +on/,
      /clock +2040-01-31T00:00:/,
    ])
      expect(text).toMatch(row)
  })

  it('names every fault in --help and in the docs', async () => {
    const { stderr } = await hookproof(['sandbox', '--chaos', 'nothing'])
    const faults = /Known: (.*?) \[usage\]/.exec(stderr)?.[1]?.split(', ') ?? []
    expect(faults.length).toBeGreaterThan(8)
    const docs = readFileSync('docs/sandbox.md', 'utf8')
    for (const command of ['sandbox', 'trigger']) {
      const { stdout } = await hookproof([command, '--help'])
      for (const fault of faults) expect(stdout, fault).toMatch(new RegExp(`  ${fault}[= ]`))
    }
    for (const fault of faults) expect(docs, fault).toMatch(new RegExp(`\n\\| \`${fault}(=\\d+)?\` \\|`))
  })

  it('begins at the time of --clock', async () => {
    const { url } = await runSandbox('--clock', '2040-01-31T12:00:00Z')
    const { now } = (await (await fetch(`${url}/sandbox/clock`)).json()) as { now: string }
    expect(now).toMatch(/^2040-01-31T12:00:/)
  })

  it('--reset mends a damaged file, and touches no other', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'sandbox.sqlite')
    const first = await runSandbox('--file', file)
    await createPayment(first, {})
    await first.stop()
    const bytes = readFileSync(file)
    bytes.fill(0xff, 100, 20_000)
    writeFileSync(file, bytes)
    const damaged = await hookproof(['sandbox', '--port', '0', '--file', file])
    expect(damaged.code).toBe(2)
    expect(damaged.stderr).toMatch(/damaged.*--reset/)
    const mended = await runSandbox('--file', file, '--reset')
    expect(await mended.stop()).toBe(0)

    const foreign = join(folder, 'foreign.sqlite')
    const database = new DatabaseSync(foreign)
    database.exec('CREATE TABLE mine (x)')
    database.close()
    const before = readFileSync(foreign)
    const refused = await hookproof(['sandbox', '--port', '0', '--file', foreign, '--reset'])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/another program's database/)
    expect(readFileSync(foreign)).toEqual(before)
  })

  it.each<[string, () => Promise<string[]> | string[], RegExp]>([
    ['the port is taken', async () => ['--port', new URL((await runSandbox()).url).port], /is taken.*--port/],
    ['the port is none', () => ['--port', '70000'], /--port.*0 to 65535/],
    [
      'a route is none',
      () => ['--route', 'https://shop.example/'],
      /--route https:\/\/shop\.example\/: give two/,
    ],
    ['others could reach it', () => ['--host', '0.0.0.0'], /no passwords.*--exposed/],
    ['the host is none', () => ['--host', 'nonsense.invalid'], /nonsense\.invalid: there is no such address/],
    ['the host is not here', () => ['--host', '192.0.2.1', '--exposed'], /no such address.*--host/],
    ['a file is not to be kept', () => ['--file', 'x.sqlite'], /--memory and --file/],
    ['there is nothing to forget', () => ['--reset'], /--memory keeps nothing/],
    ['the time is none', () => ['--clock', 'tomorrow'], /--clock tomorrow is no time/],
    ['the time is over', () => ['--clock', '2020-01-01'], /never goes back/],
    ['the seed is empty', () => ['--seed', ''], /seed is empty/],
    ['the chaos does nothing', () => ['--chaos', 'faultyAttempts=1'], /faultyAttempts.*add badSignature/],
    ['the chaos is unknown', () => ['--chaos', 'duplicat=1'], /duplicat is unknown/],
  ])('ends with 2 and one line when %s', async (_name, words, line) => {
    const { code, stdout, stderr } = await hookproof(['sandbox', '--memory', ...(await words())])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each<[string, (file: string) => Promise<unknown> | undefined, string[], RegExp]>([
    ['is in use', (file) => runSandbox('--file', file), [], /another program holds the file/],
    ['is in use, and to be forgotten', (file) => runSandbox('--file', file), ['--reset'], /holds the file/],
    [
      'has another seed',
      async (file) => (await runSandbox('--file', file)).stop(),
      ['--seed', 'b'],
      /another seed/,
    ],
    ['is of a newer version', (file) => newer(file), [], /newer version.*Update/],
    ['is no database', async (file) => writeFileSync(file, 'x'.repeat(200)), [], /not a SQLite database/],
  ])('ends with 2 and one line when its file %s', async (_name, prepare, words, line) => {
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
