import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { explain } from '../../cli/commands/explain/explain.ts'
import { CATALOGUE } from '../../conformance/index.ts'
import { packageVersion } from '../../conformance/version.ts'
import {
  available,
  freePort,
  hookproof,
  launch,
  recorder,
  referenceReceiver,
  SECRET,
  temporaryFolder,
  until,
} from './support.ts'

const T = 1_750_000_000
const EVENT = '{"event":"payment.completed","payment_id":"tx_1"}'

/** No test of a text may pass on one that gives the secret or a whole signature away. */
const LEAK = new RegExp(`${SECRET}|[0-9a-f]{64}`)

describe('hookproof', () => {
  test('--version tells the version of the package, and so does -V', async () => {
    const told = { code: 0, stdout: `${packageVersion()}\n`, stderr: '' }
    expect(await hookproof(['--version'])).toMatchObject(told)
    expect(await hookproof(['-V'])).toMatchObject(told)
  })

  test('--help names every command, and the help of each its options', async () => {
    const { code, stdout, stderr } = await hookproof(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of ['check', 'cases', 'explain', 'send', 'sign', 'verify', 'receive']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    }
    const check = await hookproof(['check', '--help'])
    expect(check.stdout).toMatch(/--secret-file <path>[\s\S]*--start <command>[\s\S]*Exit codes: 0 /)
  })

  test('without a command it shows its help, and that is no success', async () => {
    const { code, stdout, stderr } = await hookproof([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: hookproof/)
  })
})

describe('cases', () => {
  test('lists a line for each case', async () => {
    const { code, stdout } = await hookproof(['cases'])
    const lines = stdout.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(lines[0]).toMatch(/^Case +Level +SPEC\.md +Profile$/)
    expect(lines.slice(1, -2).map((line) => line.split(' ')[0])).toEqual(CATALOGUE.map(({ id }) => id))
    // Every column begins below its heading.
    const at = lines[0]?.indexOf('Level') ?? 0
    for (const line of lines.slice(1, -2)) expect(line.slice(at - 2)).toMatch(/^ {2}(MUST|SHOULD|MAY) /)
    expect(lines.at(-1)).toContain(`${CATALOGUE.length} cases.`)
  })

  test.each([
    [['duplicates/*-at-once', 'acknowledgement/in-time'], /\n\n3 cases\./],
    // A case of live mode alone, and one of test mode alone.
    [['events/without-livemode'], /, live mode only\n\n1 case\./],
    [['events/simulated-and*'], /, test mode only\n/],
  ])('lists those that match %s', async (patterns, expected) => {
    const { code, stdout } = await hookproof(['cases', ...patterns])
    expect(code).toBe(0)
    expect(stdout).toMatch(expected)
    for (const pattern of patterns)
      expect(stdout).toMatch(new RegExp(`^${pattern.replaceAll('*', '\\S*')} `, 'm'))
  })

  test('a pattern that matches nothing is an error', async () => {
    const { code, stdout, stderr } = await hookproof(['cases', 'duplicates', 'nope'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^hookproof: the pattern "nope" matches no case: [^\n]+\n$/)
  })

  test.each([['--format', 'json'], ['--json']])('lists them as JSON: %s %s', async (...args) => {
    const { stdout } = await hookproof(['cases', ...args])
    const rows = JSON.parse(stdout) as Record<string, unknown>[]
    expect(rows).toHaveLength(CATALOGUE.length)
    expect(rows.find((row) => row['case'] === 'duplicates/delivered-twice-at-once')).toMatchObject({
      level: 'MUST',
      profile: 'full',
      mode: 'any',
      sentence: expect.stringMatching(/ MUST /),
    })
  })
})

describe('explain', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('tells what a case asks for, sends and means', async () => {
    const { code, stdout } = await hookproof(['explain', 'refusals/empty-key'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^refusals\/empty-key {2}MUST\n {2}Contract {2}SPEC\.md 5\.2: /)
    for (const name of ['Source', 'Profile', 'Sends', 'Expects', 'Means', 'Mend']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    }
  })

  const CASES_OF_7_4 = CATALOGUE.filter(({ number }) => number === '7.4').map(({ id }) => id)

  test('tells of a requirement its sentence, its source and its cases', async () => {
    const { code, stdout } = await hookproof(['explain', '7.4'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^7\.4 {2}MUST\n {2}Contract {2}SPEC\.md 7\.4: A receiver MUST .*\n {2}Source {4}Interface/,
    )
    const [, listed = ''] = stdout.split('  Cases')
    expect(listed.trim().split(/\s+/)).toEqual(CASES_OF_7_4)
    expect(CASES_OF_7_4.length).toBeGreaterThan(1)
  })

  test('tells of a requirement that can not be tested why not', async () => {
    const { stdout } = await hookproof(['explain', '6.7'])
    expect(stdout).toMatch(/^ {2}Cases {5}none: only a crash .*\.$/m)
  })

  test('tells of a section its cases', async () => {
    const { code, stdout } = await hookproof(['explain', 'duplicates'])
    const ids = CATALOGUE.filter(({ section }) => section === 'duplicates').map(({ id }) => id)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^duplicates: Duplicate deliveries\n\nCase /)
    expect(stdout.match(/^duplicates\/\S+/gm)).toEqual(ids)
  })

  test('accepts the old id of a renamed case, with a notice', async () => {
    const { code, stdout, stderr } = await hookproof(['explain', 'duplicates/signed-anew'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^duplicates\/signed-again {2}MUST\n/)
    expect(stderr).toBe('hookproof: "duplicates/signed-anew" was renamed "duplicates/signed-again"\n')
  })

  test.each([
    ['duplicates/reser', 'duplicates/reserialized'],
    ['dup', 'duplicates'],
    ['Reserialised', 'duplicates/reserialized'],
    ['7', '7.1, 7.2, 7.3'],
    ['refusals/emty-key', 'refusals/empty-key'],
  ])('of %s, which is not there, it suggests %s first', async (name, first) => {
    const { code, stdout, stderr } = await hookproof(['explain', name])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`there is no case, requirement or section "${name}": did you mean ${first}`)
    expect(stderr.at(stderr.indexOf(first) + first.length)).toMatch(/[,?]/)
  })

  test.each(CATALOGUE.map(({ id }) => id))('%s', (id) => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    expect(explain(id)).toBe(0)
    const shown = write.mock.calls.map(([text]) => String(text)).join('')
    expect(shown).toContain(`${id}  `)
    expect(shown).toMatch(/^ {2}Sends +(GET|POST|PUT|DELETE|PATCH) /m)
    expect(shown).not.toMatch(/ undefined\b|(?<!")\[object/)
  })
})

describe('send', () => {
  test('an event is delivered, signed and shown without secrets', async () => {
    const { webhooks, observe } = await referenceReceiver()
    const { code, stdout, stderr } = await hookproof(['send', 'payment.completed', webhooks])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^> POST \/webhooks$/m)
    expect(stdout).toMatch(/^> X-Service-Signature: t=\d+,v1=[0-9a-f]{8}\.\.\.$/m)
    expect(stdout).toMatch(/^< 200 in \d+ ms$/m)
    expect(stdout).not.toMatch(LEAK)
    const id = /"payment_id":\s*"([^"]+)"/.exec(stdout)?.[1]
    await until(async () => (await (await fetch(`${observe}?payment_id=${id}`)).text()).includes('fulfilled'))
  })

  test('a scenario can be sent by its name, and headers are not shown', async () => {
    const { url, seen } = await recorder()
    const header = ['--header', 'X-Door: sesame']
    const { code, stdout } = await hookproof([
      'send',
      'refund',
      url,
      '--seed',
      'x',
      '--mode',
      'live',
      ...header,
    ])
    expect(code).toBe(0)
    expect(seen).toHaveLength(1)
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ event: 'payment.refunded', livemode: true })
    expect(seen[0]?.headers).toMatchObject({ 'x-door': 'sesame' })
    expect(stdout).toContain('> X-Door: [not shown]')
  })

  test('an event that is not accepted gives exit code 1', async () => {
    const { webhooks } = await referenceReceiver()
    const { code, stdout } = await hookproof(['send', 'payment.failed', webhooks, '--secret', 'whsec_other'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^< 401 in /m)
    expect(stdout).not.toMatch(LEAK)
  })

  test('the deliveries of a case are judged', async () => {
    const { webhooks } = await referenceReceiver()
    const good = await hookproof(['send', 'refusals/another-secret', webhooks])
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(good.stdout).toMatch(/\nrefusals\/another-secret: passed\n$/)
    expect(good.stdout).toMatch(/^< 401 in [\s\S]*^< 200 in /m)

    const { url } = await recorder()
    const bad = await hookproof(['send', 'refusals/another-secret', url])
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/^Expected: .*Came back: .*200/m)
    expect(bad.stdout).toMatch(/\nrefusals\/another-secret: failed\n$/)
    expect(good.stdout + bad.stdout).not.toMatch(LEAK)
  })

  test('a case that shows in effects only is sent, and not judged', async () => {
    const { webhooks } = await referenceReceiver()
    const { code, stdout } = await hookproof(['send', 'effects/refund-reverses', webhooks])
    expect(code).toBe(0)
    expect(stdout).toContain('hookproof check --observe')
    expect(stdout).not.toContain(': passed')
  })

  test('a receiver that is not there gives exit code 2', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const { code, stderr } = await hookproof(['send', 'payment.completed', url])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^hookproof: could not reach [^\n]*refused[^\n]*start the receiver[^\n]*\n$/)
  })
})

describe('sign and verify', () => {
  /** Any bytes at all: none of them may be changed on their way. */
  const BYTES = Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 7) % 256))

  async function signed(body: string | Buffer, at = T): Promise<string> {
    const { code, stdout } = await hookproof(['sign', '--at', String(at)], { input: body })
    expect(code).toBe(0)
    return stdout.trimEnd()
  }

  test('sign takes the bytes of standard input or of a file as they are', async () => {
    const file = join(temporaryFolder(), 'body')
    writeFileSync(file, BYTES)
    const mac = createHmac('sha256', SECRET).update(`${T}.`).update(BYTES).digest('hex')
    expect(await signed(BYTES)).toBe(`t=${T},v1=${mac}`)
    const args = ['sign', file, '--at', String(T)]
    expect(await hookproof(args)).toMatchObject({ stdout: `t=${T},v1=${mac}\n`, stderr: '' })
  })

  test('sign makes the signature that openssl makes', async () => {
    if (!available('openssl', 'version')) return
    const input = Buffer.concat([Buffer.from(`${T}.`), BYTES])
    const told = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-r'], { input })
    expect(await signed(BYTES)).toBe(`t=${T},v1=${told.toString().split(' ')[0]}`)
  })

  test('what sign made now, verify takes now', async () => {
    const { stdout } = await hookproof(['sign'], { input: EVENT })
    const result = await hookproof(['verify', stdout.trimEnd()], { input: EVENT })
    const genuine = 'genuine: payment.completed of payment tx_1\n'
    expect(result).toMatchObject({ code: 0, stdout: genuine, stderr: '' })
  })

  test('verify reads the bytes of a file, at another time, with another tolerance', async () => {
    const file = join(temporaryFolder(), 'event.json')
    writeFileSync(file, `\uFEFF${EVENT}`)
    const args = ['verify', await signed(`\uFEFF${EVENT}`), file, '--at', String(T + 301)]
    expect(await hookproof(args)).toMatchObject({ code: 1 })
    expect(await hookproof([...args, '--tolerance', '301'])).toMatchObject({ code: 0 })
  })

  interface Refused {
    readonly header?: string
    /** Signed to make the header, where none is given. */
    readonly signs?: string | Buffer
    readonly body?: string | Buffer
    readonly at?: number
  }
  const REFUSED: readonly (readonly [string, Refused])[] = [
    ['400 header_missing', { header: '' }],
    ['400 header_malformed', { header: 'nonsense' }],
    ['400 t_missing', { header: `v1=${'0'.repeat(64)}` }],
    ['400 t_duplicated', { header: `t=${T},t=${T},v1=00` }],
    ['400 t_malformed', { header: `t=${T}.5,v1=00` }],
    ['400 v1_missing', { header: `t=${T}` }],
    ['400 timestamp_too_old', { at: T + 301 }],
    ['400 timestamp_in_future', { at: T - 301 }],
    ['401 signature_mismatch', { body: EVENT.replace('tx_1', 'tx_2') }],
    ['401 signature_mismatch', { body: `${EVENT}\n` }],
    ['400 body_not_json', { signs: BYTES, body: BYTES }],
    ['400 body_not_event', { signs: '[]', body: '[]' }],
  ]

  test.each(REFUSED)(
    'verify refuses with %s',
    async (told, { header, signs = EVENT, body = EVENT, at = T }) => {
      const args = ['verify', header ?? (await signed(signs)), '--at', String(at)]
      const { code, stdout, stderr } = await hookproof(args, { input: body })
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^refused with ${told}: [^\\n]+\\n$`))
      expect(stdout).not.toMatch(LEAK)
    },
  )
})

describe('receive', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('serves until %s, then ends well', async (signal) => {
    const args = ['receive', '--port', '0', '--inbox', 'memory', '--observe']
    const { child, stdout, done } = launch(args)
    await until(() => stdout().includes('"listening"'))
    const url = /"url":"([^"]+)"/.exec(stdout())?.[1] ?? ''

    const health = await fetch(`${url}/healthz`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
    expect((await hookproof(['send', 'payment.completed', `${url}/webhooks`])).code).toBe(0)
    expect((await fetch(`${url}/observe?payment_id=tx_none`)).status).toBe(200)

    child.kill(signal)
    const result = await done
    expect(result).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(result.stdout).toContain('"outcome":"stored"')
    expect(result.stdout).not.toMatch(LEAK)
  })

  test('keeps what it took in the file that it was given', async () => {
    const inbox = join(temporaryFolder(), 'inbox.sqlite')
    const outcomes: string[] = []
    for (let run = 0; run < 2; run += 1) {
      const { child, stdout, done } = launch(['receive', '--port', '0', '--inbox', inbox])
      await until(() => stdout().includes('"listening"'))
      const url = /"url":"([^"]+)"/.exec(stdout())?.[1] ?? ''
      await hookproof(['send', 'payment.completed', `${url}/webhooks`, '--seed', 'the same'])
      expect((await fetch(`${url}/observe?payment_id=x`)).status).toBe(404)
      child.kill('SIGTERM')
      outcomes.push(/"outcome":"(\w+)"/.exec((await done).stdout)?.[1] ?? '')
    }
    expect(outcomes).toEqual(['stored', 'duplicate'])
  })

  test('the receiver’s own variable will do for the secret', async () => {
    const env = { HOOKPROOF_SECRET: undefined, WEBHOOK_SECRET: SECRET, PORT: '0', INBOX: 'memory' }
    const { child, stdout, done } = launch(['receive'], { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    await until(() => stdout().includes('"listening"'))
    child.kill('SIGTERM')
    expect(await done).toMatchObject({ code: 0, stderr: '' })
  })
})
