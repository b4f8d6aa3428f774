import { expect, test } from 'vitest'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import { watchOutput } from '../../../../conformance/crash/output.ts'
import { secretLike } from '../../../../conformance/crash/secrets/new-secret.ts'
import { rotate } from '../../../../conformance/crash/secrets/rotation.ts'
import { acceptsBoth, refusesOld } from '../../../../conformance/crash/verdicts/rotated.ts'
import { secretVariables } from '../../../../conformance/engine/process/environment.ts'
import { targetOf } from '../../../../conformance/options.ts'
import { temporaryFolder } from '../../../cli/support.ts'
import { rotateEnvOf } from '../../../crash/mutants.ts'
import { freePort } from '../../../support/free-port.ts'
import { onWindows } from '../../../support/prerequisites.ts'

const SECRET = 'whsec_0123456789abcdef0123456789abcdef'

/** Rotates the secret of the small receiver, and judges it. */
async function judged(behavior: string) {
  const url = new URL(`http://127.0.0.1:${await freePort()}/webhooks`)
  const kit = createKit('rotation', {
    secret: SECRET,
    seed: 'a',
    mode: 'test',
    now: () => Math.floor(Date.now() / 1000),
  })
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
      target: targetOf({ url: url.href, secret: SECRET, timeoutMs: 5_000 }),
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
    both: { problems: ['started with two secrets, the receiver used the text of both as one secret'] },
    after: {},
  })
  expect(await judged('keeps-old-secrets')).toMatchObject({
    both: {},
    after: {
      problems: [
        'started with the new secret alone, the receiver answered 200 to a delivery signed with the old one',
      ],
    },
  })
})

test('a receiver that ignores the second secret fails', () => {
  const rotation = { both: answers(401, 200), after: answers(401, 200) }
  expect(acceptsBoth(rotation)).toMatchObject({
    problems: [
      'started with two secrets, the receiver accepted a delivery signed with the new one, and answered 401 to one signed with the old one',
    ],
  })
  expect(refusesOld(rotation)).toEqual({})
})

test('a receiver that has its secret from somewhere else is not judged', () => {
  const rotation = { both: answers(200, 401), after: answers(200, 401) }
  const excluded = 'needs a receiver that gets its secret from nothing but its environment'
  expect([acceptsBoth(rotation), refusesOld(rotation)]).toEqual([{ excluded }, { excluded }])
})

test.each([
  ['accepts neither of two', answers(401, 401), answers(401, 200), /accepted neither: 401 to the old one/],
  [
    'does not start with two',
    undefined,
    answers(401, 200),
    /started with two secrets, the receiver did not listen/,
  ],
  [
    'does not start with another one',
    undefined,
    undefined,
    /a new secret alone, the receiver did not listen/,
  ],
  ['accepts nothing afterwards', answers(200, 200), answers(500, 500), /alone, the receiver answered 500/],
])('a receiver that %s is not failed', (_, both, after, reason) => {
  const found = acceptsBoth({ both, after })
  expect(found.problems).toBeUndefined()
  expect(found.reason).toMatch(reason)
})

function answers(old: number, fresh: number) {
  const kit = createKit('rotation', { secret: SECRET, seed: 'a', mode: 'test', now: () => 1 })
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
