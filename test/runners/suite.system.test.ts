import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { memoryInbox } from '../../receiver/index.ts'
import { webhookHandler } from '../../receiver/limits/limited-express.ts'
import type { ConformanceOptions } from '../../runners/options.ts'
import { EFFECTS } from '../conformance/services/effects.ts'
import { correct, SECRETS, serving } from '../conformance/services/receiver.ts'
import { failing, gradeHere } from './here.ts'
import { startMutant } from './receivers.ts'
import { casesNeeding, SECRET } from './support.ts'

function app() {
  return express().post('/webhooks', webhookHandler({ secrets: SECRET, inbox: memoryInbox() }))
}

test.each([
  ['the path is wrong', { target: app(), path: '/elsewhere' }, 'no_endpoint', 'answered 404'],
  ['the secret is missing', { target: app(), secret: undefined }, 'bad_option', '"secret" must not be empty'],
  [
    'the function fails',
    { target: () => Promise.reject(new Error('no database\n  at all')) },
    'bad_option',
    'the function "target" failed: no database',
  ],
  ['the baseline is missing', { target: app(), baseline: 'none.json' }, 'bad_option', 'none.json (ENOENT)'],
  [
    'an option is wrong',
    { target: app(), concurrency: 0 },
    'bad_option',
    '"concurrency" must be at least 1, not 0',
  ],
])('every test fails with one line when nothing can be graded: %s', async (_, options, code, message) => {
  const outcomes = await gradeHere({ secret: SECRET, only: ['disclosure'], ...options })

  expect(outcomes.size).toBeGreaterThan(2)
  for (const outcome of outcomes.values()) {
    expect(outcome).toMatchObject({ name: 'HarnessError', code, message: expect.stringContaining(message) })
    expect((outcome as Error).stack).toBe(`HarnessError: ${(outcome as Error).message}`)
    expect((outcome as Error).message).not.toContain('\n')
  }
})

test('a pattern that matches no case, or a run without any testable case, is an error before the first test', async () => {
  const grading = (only: string) => gradeHere({ target: app(), secret: SECRET, only: [only] })

  await expect(grading('typo')).rejects.toThrow('"typo" matches no case')
  await expect(grading('effects')).rejects.toMatchObject({ code: 'nothing_selected' })
})

test('grades a receiver of another service', async () => {
  const secret = SECRETS.github
  const outcomes = await serving('github', correct('github'), (target) =>
    gradeHere({ target, secret, service: 'github', only: ['signature'] }),
  )

  expect(outcomes.has('signature/unsigned')).toBe(true)
  expect(failing(outcomes)).toEqual([])
})

/** Grades a receiver of another service that makes a mistake, or none. */
function gradeService(
  mistake: keyof typeof EFFECTS | undefined,
  only: readonly string[],
  observing: (shown: string) => Pick<ConformanceOptions, 'observe' | 'observeCommand'>,
) {
  const service = 'standard-webhooks'
  const right = correct(service)
  const wrong = mistake === undefined ? {} : EFFECTS[mistake]?.steps(service, right)
  return serving(service, { ...right, ...wrong }, async (target, shown) =>
    failing(
      await gradeHere({ target, secret: SECRETS[service], service, only, waitMs: 300, ...observing(shown) }),
    ),
  )
}

test('a function shows how often a receiver of another service handled a delivery', async () => {
  const read = async (shown: string, key: string) => {
    const response = await fetch(`${shown}?key=${encodeURIComponent(key)}`)
    return ((await response.json()) as { readonly handled: number }).handled
  }
  const gradeAs = (mistake?: string) =>
    gradeService(mistake, ['duplicates/delivered-*', 'effects/forged-not-handled'], (shown) => ({
      observe: (key) => read(shown, key),
    }))

  expect(await gradeAs()).toEqual([])
  expect(await gradeAs('handles redeliveries')).toEqual(['duplicates/delivered-again'])
  expect(await gradeAs('handles what it then refuses')).toEqual(['effects/forged-not-handled'])
})

test('a command shows how often a receiver of another service handled a delivery', async () => {
  const print =
    "fetch(process.argv[1] + '?key=' + encodeURIComponent(process.argv[2])).then((shown) => shown.text()).then(console.log)"
  const fails = await gradeService('handles redeliveries', ['duplicates/delivered-again'], (shown) => ({
    observeCommand: `"${process.execPath}" -e "${print}" ${shown}`,
  }))

  expect(fails).toEqual(['duplicates/delivered-again'])
})

test('the full profile fails when effects cannot be observed; the core profile skips them', async () => {
  const only = ['effects', 'disclosure']
  const full = await gradeHere({ target: app(), secret: SECRET, only, profile: 'full' })
  const core = await gradeHere({ target: app(), secret: SECRET, only, profile: 'core' })
  const ofEffects = casesNeeding('effects').filter((id) => id.startsWith('effects/'))
  const musts = CATALOGUE.filter(({ id, level }) => ofEffects.includes(id) && level === 'MUST')

  expect(failing(full)).toEqual(musts.map(({ id }) => id))
  expect(full.get(musts[0]?.id ?? '')).toMatchObject({
    code: 'untested',
    message: expect.stringContaining('set `observe`'),
  })
  expect(failing(core)).toEqual([])
  expect([...core.keys()].filter((id) => id.startsWith('effects/'))).toEqual([])
})

test('a MUST that the observer cannot decide fails, as in the command; a SHOULD is skipped', async () => {
  const only = ['effects/partial-is-not-credited', 'effects/livemode-is-shown']
  const outcomes = await gradeHere({ target: app(), secret: SECRET, only, waitMs: 50, observe: () => [] })

  expect(outcomes.get('effects/partial-is-not-credited')).toMatchObject({
    code: 'untested',
    message: expect.stringContaining('the effect of a valid control payment was not observed in time'),
  })
  expect(outcomes.get('effects/livemode-is-shown')).toMatchObject({
    kind: 'skipped',
    note: expect.stringMatching(/^not tested: /),
  })
})

test('equal deliveries are counted, and a receiver served for the tests has no command to reproduce', async () => {
  const broken = express().post('/webhooks', (_request, response) => void response.sendStatus(500))
  const id = 'acknowledgement/burst-of-50'
  const outcome = (await gradeHere({ target: broken, secret: SECRET, only: [id] })).get(id)

  expect(outcome).toBeInstanceOf(Error)
  expect((outcome as Error).message).toMatch(/^ {2}Sent {6}POST payment\.\w+, valid delivery \(\d+ times\)$/m)
  expect((outcome as Error).message).not.toContain('Reproduce')
})

test('a known failure of the baseline is skipped; a stale or expired entry fails', async () => {
  const { url, fails } = await startMutant('discloses the secret')
  const [known = '', expired = ''] = fails
  const stale = 'disclosure/no-expected-signature-in-a-refusal'
  const failures = {
    [known]: { reason: 'Until the new proxy.', expires: '9999-12-31' },
    [expired]: { reason: 'Soon.', expires: '2020-02-02' },
    [stale]: { reason: 'Fixed long ago.' },
  }
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-baseline-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const baseline = join(folder, 'known.json')
  writeFileSync(baseline, JSON.stringify({ failures }))
  const only = [known, expired, stale]
  const outcomes = await gradeHere({ target: url, secret: SECRET, only, baseline })

  expect(outcomes.get(known)).toEqual({
    kind: 'skipped',
    note: 'known failure (accepted until 9999-12-31): Until the new proxy.',
  })
  expect(failing(outcomes).toSorted()).toEqual([expired, stale].toSorted())
  expect(outcomes.get(expired)).toMatchObject({
    code: 'failed',
    message: expect.stringContaining('expired on 2020-02-02'),
  })
  expect(outcomes.get(stale)).toMatchObject({
    code: 'stale_baseline',
    message: expect.stringContaining('no longer fails'),
  })
})
