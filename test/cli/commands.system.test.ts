import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { accessSync, constants, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explain } from '../../cli/commands/explain/explain.ts'
import { CRASH_CASES } from '../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE } from '../../conformance/index.ts'
import { packageVersion } from '../../conformance/report/package.ts'
import { missingProgram, onWindows, requires } from '../support/prerequisites.ts'
import { listening } from './sandbox/support.ts'
import {
  freePort,
  hookproof,
  launch,
  recorder,
  referenceReceiver,
  runBuilt,
  SECRET,
  start,
  temporaryFolder,
  testIo,
  until,
} from './support.ts'

const T = 1_750_000_000
const EVENT = '{"event":"payment.completed","payment_id":"tx_1"}'

/** No output may show the secret or a full signature. */
const LEAK = new RegExp(`${SECRET}|[0-9a-f]{64}`)

describe('hookproof', () => {
  test('the built command is executable, so that npx can run it in a clone', () => {
    expect(() => accessSync('dist/cli/main.js', constants.X_OK)).not.toThrow()
  })

  test('--version and -V print the version of the package', async () => {
    const expected = { code: 0, stdout: `${packageVersion()}\n`, stderr: '' }
    expect(await runBuilt(['--version'])).toMatchObject(expected)
    expect(await runBuilt(['-V'])).toMatchObject(expected)
  })

  test('--help lists every command, and the help of a command its options', async () => {
    const { code, stdout, stderr } = await runBuilt(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of ['check', 'cases', 'explain', 'send', 'sign', 'verify', 'receive']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    }
    const check = await hookproof(['check', '--help'])
    expect(check.stdout).toMatch(/--secret-file <path>[\s\S]*--start <command>[\s\S]*Exit codes: 0 /)
  })

  test('shows its help and fails without a command', async () => {
    const { code, stdout, stderr } = await runBuilt([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: hookproof/)
  })
})

describe('cases', () => {
  const LISTED = [...CATALOGUE, ...CRASH_CASES]

  test('lists a line for each case', async () => {
    const { code, stdout } = await hookproof(['cases'])
    const lines = stdout.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(lines[0]).toMatch(/^Case +Level +Requirement +Profile$/)
    expect(lines.slice(1, -2).map((line) => line.split(' ')[0])).toEqual(LISTED.map(({ id }) => id))
    // Every column starts below its heading.
    const at = lines[0]?.indexOf('Level') ?? 0
    for (const line of lines.slice(1, -2)) expect(line.slice(at - 2)).toMatch(/^ {2}(MUST|SHOULD|MAY) /)
    expect(lines.at(-1)).toContain(`${LISTED.length} cases.`)
  })

  test.each([
    [['duplicates/delivered-*-at-once', 'acknowledgement/in-time'], /\n\n3 cases\./],
    // A case of live mode only, and one of test mode only.
    [['events/without-livemode'], /, live mode only\n\n1 case\./],
    [['events/simulated-and*'], /, test mode only\n/],
  ])('lists those that match %s', async (patterns, expected) => {
    const { code, stdout } = await hookproof(['cases', ...patterns])
    expect(code).toBe(0)
    expect(stdout).toMatch(expected)
    for (const pattern of patterns)
      expect(stdout).toMatch(new RegExp(`^${pattern.replaceAll('*', '\\S*')} `, 'm'))
  })

  test('fails for a pattern that matches nothing', async () => {
    const { code, stdout, stderr } = await hookproof(['cases', 'duplicates', 'nope'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^hookproof: there is no case "nope": [^\n]+\n$/)
  })

  test.each([['--format', 'json'], ['--json']])('lists them as JSON: %s %s', async (...args) => {
    const { stdout } = await hookproof(['cases', ...args])
    const rows = JSON.parse(stdout) as Record<string, unknown>[]
    expect(rows).toHaveLength(LISTED.length)
    expect(rows.find((row) => row['case'] === 'duplicates/delivered-twice-at-once')).toMatchObject({
      level: 'MUST',
      profile: 'full',
      mode: 'any',
      sentence: expect.stringMatching(/ MUST /),
    })
  })
})

describe('explain', () => {
  test('shows what a case requires, sends and costs when it fails', async () => {
    const { code, stdout } = await hookproof(['explain', 'refusals/empty-key'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^refusals\/empty-key {2}MUST\n {2}Requirement {2}5\.2 /)
    for (const name of ['Source', 'Prevents', 'Profile', 'Sends', 'Expects', 'Impact', 'Fix']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    }
  })

  test('shows no harm for a recommendation', async () => {
    const id = CATALOGUE.find(({ number }) => number === '2.30')?.id ?? ''
    const { stdout } = await hookproof(['explain', id])
    expect(stdout).toMatch(/ {2}SHOULD\n {2}Requirement {2}2\.30 /)
    expect(stdout).not.toContain('Prevents')
  })

  test.each([
    ['duplicates/reser', 'duplicates/reserialized'],
    ['Reserialized', 'duplicates/reserialized'],
    ['refusals/emty-key', 'refusals/empty-key'],
    ['empty-kee' /* cspell:disable-line */, 'refusals/empty-key'],
  ])('for the unknown name %s, suggests %s first', async (name, first) => {
    const { code, stdout, stderr } = await hookproof(['explain', name])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`there is no case or cause "${name}": did you mean ${first}`)
    expect(stderr.at(stderr.indexOf(first) + first.length)).toMatch(/[,?]/)
  })

  test.each(CATALOGUE.map(({ id }) => id))('shows what %s sends', async (id) => {
    const { io, stdout } = testIo()
    expect(await explain(id, {}, io)).toBe(0)
    expect(stdout()).toContain(`${id}  `)
    expect(stdout()).toMatch(/^ {2}Sends +(GET|POST|PUT|DELETE|PATCH) /m)
    expect(stdout()).not.toMatch(/ undefined\b|(?<!")\[object/)
  })
})

describe('send', () => {
  test('delivers a signed event, and shows it with its signature, but not the secret', async () => {
    const { webhooks, observe } = await referenceReceiver()
    const { code, stdout, stderr } = await hookproof(['send', 'payment.completed', webhooks])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^> POST \/webhooks$/m)
    expect(stdout).toMatch(/^> X-Service-Signature: t=\d+,v1=[0-9a-f]{64}$/m)
    expect(stdout).toMatch(/^< 200 in \d+ ms$/m)
    expect(stdout).not.toContain(SECRET)
    const id = /"payment_id":\s*"([^"]+)"/.exec(stdout)?.[1]
    await until(async () => (await (await fetch(`${observe}?payment_id=${id}`)).text()).includes('fulfilled'))
  })

  test('sends a scenario by its name, and does not show the values of headers', async () => {
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

  test('exits with 1 when the event is not accepted', async () => {
    const { webhooks } = await referenceReceiver()
    const { code, stdout } = await hookproof(['send', 'payment.failed', webhooks, '--secret', 'whsec_other'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^< 401 in /m)
    expect(stdout).not.toContain('whsec_other')
  })

  test('grades the deliveries of a case', async () => {
    const { webhooks } = await referenceReceiver()
    const good = await hookproof(['send', 'refusals/another-secret', webhooks])
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(good.stdout).toMatch(/\nrefusals\/another-secret: passed\n$/)
    expect(good.stdout).toMatch(/^< 401 in [\s\S]*^< 200 in /m)

    const { url } = await recorder()
    const bad = await hookproof(['send', 'refusals/another-secret', url])
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/^Expected: .*Received: .*200/m)
    expect(bad.stdout).toMatch(/\nrefusals\/another-secret: failed\n$/)
    expect(good.stdout + bad.stdout).not.toContain(SECRET)
  })

  test('does not grade a case that needs effects', async () => {
    const { webhooks } = await referenceReceiver()
    const { code, stdout } = await hookproof(['send', 'effects/refund-reverses', webhooks])
    expect(code).toBe(0)
    expect(stdout).toMatch(/`npx hookproof check <url> --only \S+ --observe <url>`/)
    expect(stdout).not.toContain(': passed')
  })

  test('exits with 2 when the receiver is unreachable', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const { code, stderr } = await hookproof(['send', 'payment.completed', url])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^hookproof: could not reach [^\n]*refused[^\n]*start the receiver[^\n]* \[unreachable\]\n$/,
    )
  })
})

describe('sign and verify', () => {
  /** Arbitrary bytes: none of them may be changed. */
  const BYTES = Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 7) % 256))

  async function signed(body: string | Buffer, at = T): Promise<string> {
    const { code, stdout } = await hookproof(['sign', '--at', String(at)], { input: body })
    expect(code).toBe(0)
    return stdout.trimEnd()
  }

  test('sign signs the exact bytes of standard input or of a file', async () => {
    const file = join(temporaryFolder(), 'body')
    writeFileSync(file, BYTES)
    const mac = createHmac('sha256', SECRET).update(`${T}.`).update(BYTES).digest('hex')
    expect(await signed(BYTES)).toBe(`t=${T},v1=${mac}`)
    const args = ['sign', file, '--at', String(T)]
    expect(await hookproof(args)).toMatchObject({ stdout: `t=${T},v1=${mac}\n`, stderr: '' })
  })

  requires(missingProgram('openssl', 'version')).test('sign agrees with openssl', async () => {
    const input = Buffer.concat([Buffer.from(`${T}.`), BYTES])
    const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-r'], { input })
    expect(await signed(BYTES)).toBe(`t=${T},v1=${output.toString().split(' ')[0]}`)
  })

  test('verify accepts a signature that sign made now', async () => {
    const { stdout } = await hookproof(['sign'], { input: EVENT })
    const result = await hookproof(['verify', stdout.trimEnd()], { input: EVENT })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toMatch(/^valid: payment\.completed of payment tx_1\n.*\n$/)
  })

  test('verify reads a file, at another time, with another tolerance', async () => {
    const file = join(temporaryFolder(), 'event.json')
    writeFileSync(file, `\uFEFF${EVENT}`)
    const args = ['verify', await signed(`\uFEFF${EVENT}`), file, '--at', String(T + 301)]
    expect(await hookproof(args)).toMatchObject({ code: 1 })
    expect(await hookproof([...args, '--tolerance', '301'])).toMatchObject({ code: 0 })
  })

  interface Refused {
    readonly header?: string
    /** The body to sign for the header, unless a header is given. */
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
    async (refusal, { header, signs = EVENT, body = EVENT, at = T }) => {
      const args = ['verify', header ?? (await signed(signs)), '--at', String(at)]
      const { code, stdout, stderr } = await hookproof(args, { input: body })
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
      // A second line says why, unless the signature is valid; if the body explains it, it is shown.
      const shown = String.raw`\nSigned .+\nHashed .+\n +\^+\nThey differ from byte 60: .+\nCode for your framework: .+\n`
      const why = refusal.includes('body_') ? '' : `[^\\n]+\\n${body === `${EVENT}\n` ? shown : ''}`
      expect(stdout).toMatch(new RegExp(`^refused with ${refusal}: [^\\n]+\\n${why}$`))
      expect(stdout).not.toMatch(LEAK)
    },
  )
})

describe('receive', () => {
  test.skipIf(onWindows).each(['SIGTERM', 'SIGINT'] as const)(
    'serves until %s, and then exits with 0',
    async (signal) => {
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
    },
  )

  test('keeps deliveries in its --inbox file', async () => {
    const inbox = join(temporaryFolder(), 'inbox.sqlite')
    const outcomes: string[] = []
    for (let run = 0; run < 2; run += 1) {
      const { kill, done, url } = await listening(start(['receive', '--port', '0', '--inbox', inbox]))
      await hookproof(['send', 'payment.completed', `${url}/webhooks`, '--seed', 'the same'])
      expect((await fetch(`${url}/observe?payment_id=x`)).status).toBe(404)
      kill('SIGTERM')
      outcomes.push(/"outcome":"(\w+)"/.exec((await done).stdout)?.[1] ?? '')
    }
    expect(outcomes).toEqual(['stored', 'duplicate'])
  })

  test('takes the secret from WEBHOOK_SECRET', async () => {
    const env = { HOOKPROOF_SECRET: undefined, WEBHOOK_SECRET: SECRET, PORT: '0', INBOX: 'memory' }
    const { kill, done } = await listening(start(['receive'], { env }))
    kill('SIGTERM')
    expect(await done).toMatchObject({ code: 0, stderr: '' })
  })
})
