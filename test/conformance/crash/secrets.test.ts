import { expect, test } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import { secretVariables, withSecret } from '../../../conformance/contracts/secret.ts'
import { watchOutput } from '../../../conformance/crash/output.ts'
import { rotate, secretLike, tryWithoutSecret } from '../../../conformance/crash/secrets.ts'
import { acceptsBoth, refusesOld } from '../../../conformance/crash/verdicts.ts'
import { targetOf } from '../../../conformance/options.ts'
import { temporaryFolder } from '../../cli/support.ts'
import { rotateEnvOf } from '../../crash/mutants.ts'
import { freePort } from '../../support/free-port.ts'
import { onWindows } from '../../support/prerequisites.ts'

const SECRET = 'whsec_0123456789abcdef0123456789abcdef'

const kitAt = (seconds: number) =>
  createKit('secrets', { secret: SECRET, seed: 'a', mode: 'test', now: () => seconds })

/** Rotates the secret of the small receiver, and judges it. */
async function judged(behavior: string) {
  const url = new URL(`http://127.0.0.1:${await freePort()}/webhooks`)
  const kit = kitAt(Math.floor(Date.now() / 1000))
  const rotation = await rotate(
    rotateEnvOf(behavior) ?? {},
    {
      command: `${onWindows ? '' : 'exec '}"${process.execPath}" test/crash/receiver.mjs`,
      url,
      cwd: process.cwd(),
      env: {
        ...process.env,
        ...secretVariables(SECRET, {}),
        BEHAVIOR: behavior,
        STORE: temporaryFolder(),
      },
      output: watchOutput(SECRET),
    },
    {
      target: targetOf({ url: url.href, secret: SECRET, timeoutMs: 5_000 }, paymentService),
      kit,
      startMs: 10_000,
      signal: undefined,
      sent: () => undefined,
    },
  )
  return { both: acceptsBoth(rotation), after: refusesOld(rotation) }
}

test('a receiver that rotates its secret passes', async () => {
  expect(await judged('old-secret-in-another-variable')).toEqual({ both: {}, after: {} })
})

test('a receiver that uses both secrets as one, or keeps the old one, fails', async () => {
  expect(await judged('concatenates-secrets')).toMatchObject({
    both: { problems: [{ code: 'both-as-one' }] },
    after: {},
  })
  expect(await judged('keeps-old-secrets')).toMatchObject({
    both: {},
    after: { problems: [{ code: 'old-accepted', status: 200 }] },
  })
})

test('a receiver that ignores the second secret fails', () => {
  const rotation = { both: answers(401, 200), after: answers(401, 200) }
  expect(acceptsBoth(rotation)).toMatchObject({
    problems: [{ code: 'one-of-both-accepted', accepted: 'new', answer: { status: 401 } }],
  })
  expect(refusesOld(rotation)).toEqual({})
})

test('a receiver that has its secret from somewhere else is not judged', () => {
  const rotation = { both: answers(200, 401), after: answers(200, 401) }
  const excluded = { code: 'secret_from_elsewhere' }
  expect([acceptsBoth(rotation), refusesOld(rotation)]).toEqual([{ excluded }, { excluded }])
})

test.each([
  [
    'accepts neither of two',
    answers(401, 401),
    answers(401, 200),
    { code: 'none-of-both-accepted', answer: { status: 401 } },
  ],
  ['does not start with two', undefined, answers(401, 200), { code: 'both-not-listening' }],
  ['does not start with another one', undefined, undefined, { code: 'new-not-listening' }],
  [
    'accepts nothing afterwards',
    answers(200, 200),
    answers(500, 500),
    { code: 'new-refused', answer: { status: 500 } },
  ],
])('a receiver that %s is not failed', (_, both, after, reason) => {
  const found = acceptsBoth({ both, after })
  expect(found.problems).toBeUndefined()
  expect(found.reason).toMatchObject(reason)
})

function answers(old: number, fresh: number) {
  const kit = kitAt(1)
  const sent = (status: number) => ({
    delivery: kit.delivery('completed'),
    sentAt: 0,
    answeredAt: 1,
    status,
    error: undefined,
  })
  return { old: sent(old), fresh: sent(fresh), asOne: [] }
}

test('without --rotate-env nothing is judged', () => {
  expect(acceptsBoth(undefined)).toEqual(refusesOld(undefined))
  expect(acceptsBoth(undefined)).toHaveProperty('excluded')
})

test.each([SECRET, 'whsec_aGVsbG8gd29ybGQ+/w==', 'whsec_7', 'plain text'])(
  'the new secret differs from %s and has its form',
  (secret) => {
    const other = secretLike(secret)
    expect(other).not.toBe(secret)
    const kinds = (text: string) => text.replace(/\d/g, '0').replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A')
    expect(kinds(other).slice(0, secret.length)).toBe(kinds(secret))
    if (secret === SECRET) expect(other).toMatch(/^whsec_[0-9a-f]{32}$/)
  },
)

test.skipIf(onWindows)(
  'sends all deliveries together, because a server may listen without ever answering',
  async () => {
    const output = watchOutput(SECRET)
    const url = new URL(`http://127.0.0.1:${await freePort()}`)
    const command = `exec ${process.execPath} -e '
    let open = 0
    require("node:http").createServer((_, response) => {
      console.log("open: " + (open += 1))
      response.on("close", () => (open -= 1))
    }).listen(process.env.PORT)'`
    const launching = { command, url, cwd: process.cwd(), env: { ...process.env, SECRET }, output }
    const kit = kitAt(1_800_000_000)
    const target = targetOf({ url: url.href, secret: SECRET, timeoutMs: 300 }, paymentService)
    expect(await tryWithoutSecret('empty', launching, { target, kit, startMs: 1_000 })).toEqual({
      outcome: 'refused-all',
    })
    expect(output.lastLines()).toContain('open: 9')
  },
)

test.skipIf(onWindows)(
  'code that runs per request, as in PHP, may answer 500 to everything instead of not starting',
  async () => {
    const url = new URL(`http://127.0.0.1:${await freePort()}`)
    const command = `exec ${process.execPath} -e '
    require("node:http").createServer((_, response) => {
      response.writeHead(process.env.SECRET ? 200 : 500).end()
    }).listen(process.env.PORT)'`
    const env = { ...process.env, SECRET }
    const launching = { command, url, cwd: process.cwd(), env, output: watchOutput(SECRET) }
    const kit = kitAt(1_800_000_000)
    const target = targetOf({ url: url.href, secret: SECRET, timeoutMs: 5_000 }, paymentService)
    for (const how of ['empty', 'absent'] as const) {
      const found = await tryWithoutSecret(how, launching, { target, kit, startMs: 5_000 })
      expect(found).toEqual({ outcome: 'refused-all' })
    }
  },
)

test('the secret is passed in both variables, unless the environment has its own', () => {
  expect(secretVariables('s', {})).toEqual({ HOOKPROOF_SECRET: 's', WEBHOOK_SECRET: 's' })
  expect(secretVariables('s', { WEBHOOK_SECRET: 'own' })).toEqual({ HOOKPROOF_SECRET: 's' })
})

test('without a secret, every variable that holds it is empty or absent', () => {
  const env = { HOOKPROOF_SECRET: 'whsec_x', STRIPE_SECRET: 'whsec_x', PATH: '/bin' }
  expect(withSecret(env, 'whsec_x', '')).toEqual({
    HOOKPROOF_SECRET: '',
    STRIPE_SECRET: '',
    PATH: '/bin',
  })
  expect(withSecret(env, 'whsec_x', undefined)['STRIPE_SECRET']).toBeUndefined()
})
