import { expect, test } from 'vitest'
import { createKit } from '../../../../conformance/case/kit.ts'
import { secretLike } from '../../../../conformance/crash/secrets/new-secret.ts'
import { rotate } from '../../../../conformance/crash/secrets/rotation.ts'
import { acceptsBoth, refusesOld } from '../../../../conformance/crash/verdicts/rotated.ts'
import { secretVariables } from '../../../../conformance/process/environment.ts'
import { watchOutput } from '../../../../conformance/process/output.ts'
import { targetOf } from '../../../../conformance/target-options.ts'
import { temporaryFolder } from '../../../cli/support.ts'
import { CRASH_MUTANTS, rotateEnvOf } from '../../../crash/mutants.ts'
import { freePort } from '../../../support/free-port.ts'

const SECRET = 'whsec_0123456789abcdef0123456789abcdef'

/** Rotates the secret of the small receiver, and judges it. */
async function judged(behavior: string, env: Record<string, string> = {}) {
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
      command: `exec ${process.execPath} test/crash/receiver.mjs`,
      url,
      cwd: process.cwd(),
      env: {
        ...process.env,
        ...secretVariables(SECRET, {}),
        BEHAVIOR: behavior,
        STORE: temporaryFolder(),
        ...env,
      },
      output: watchOutput(SECRET),
    },
    {
      target: targetOf({ url: url.href, secret: SECRET }, [], 5_000),
      kit,
      startMs: 10_000,
      signal: undefined,
      sent: () => undefined,
    },
  )
  return { both: acceptsBoth(rotation), after: refusesOld(rotation) }
}

test.concurrent.each(['plain', 'old-secret-in-another-variable'])(
  'a receiver that rotates its secret passes: %s',
  async (behavior) => {
    expect(await judged(behavior)).toEqual({ both: {}, after: {} })
  },
)

test.concurrent.each<[string, object]>([
  [
    'ignores-the-second-secret',
    {
      both: {
        problems: [
          'started with two secrets, the receiver accepted a delivery signed with the new one, and answered 401 to one signed with the old one',
        ],
      },
      after: {},
    },
  ],
  [
    'concatenates-secrets',
    {
      both: { problems: ['started with two secrets, the receiver used the text of both as one secret'] },
      after: {},
    },
  ],
  [
    'keeps-old-secrets',
    {
      both: {},
      after: {
        problems: [
          'started with the new secret alone, the receiver answered 200 to a delivery signed with the old one',
        ],
      },
    },
  ],
])('a receiver with a mistake fails: %s', async (behavior, expected) => {
  expect(Object.keys(CRASH_MUTANTS)).toContain(behavior)
  expect(await judged(behavior)).toMatchObject(expected)
})

test.concurrent('a receiver that has its secret from somewhere else is not judged', async () => {
  const { both, after } = await judged('plain', { FIXED_SECRET: `from-a-file:${SECRET}` })
  expect(both).toEqual(after)
  expect(after).toEqual({
    excluded: 'needs a receiver that gets its secret from nothing but its environment',
  })
})

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
