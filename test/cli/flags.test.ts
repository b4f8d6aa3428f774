import { expect, test } from 'vitest'
import { createProgram, withFlags } from '../../cli/program.ts'
import type { CheckOptions } from '../../conformance/check.ts'
import { nearest } from '../../conformance/contracts/nearest.ts'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import type { CrashOptions } from '../../conformance/crash/options.ts'
import { HarnessError } from '../../conformance/harness-error.ts'
import { EVENT_NAMES } from '../../sandbox/model.ts'
import { hookproof } from './support.ts'

const program = createProgram(process, async () => {})

test.each([
  [
    '"observeCommand" and "observe" cannot be combined',
    ['observe', 'observeCommand'],
    '--observe-command and --observe cannot be combined',
  ],
  ['"waitMs" must be at least 1', ['waitMs'], '--wait must be at least 1'],
  ['"timeoutMs" must be at least 1', ['timeoutMs'], '--timeout must be at least 1'],
  ['"ackWithinMs" must be at least 1', ['ackWithinMs'], '--ack-within must be at least 1'],
  ['"headers" has a line break', ['headers'], '--header has a line break'],
  ['"url" is "nowhere"', ['url'], 'the URL is "nowhere"'],
  // The name of a value, and an option of another program.
  ['the pattern "seed" matches no case', [], 'the pattern "seed" matches no case'],
  ['"attempts" is unknown', ['attempts'], '"attempts" is unknown'],
])('renders %s as flags', (message, names, expected) => {
  expect(withFlags(new HarnessError('bad_option', message, { names }), program)).toBe(expected)
})

test('prefers the flag of the command that ran', async () => {
  const listening = createProgram(process, async () => {}).exitOverride()
  await listening.parseAsync(['listen', '--events', 'payment.failed'], { from: 'user' })
  expect(withFlags({ message: '"events" is wrong', names: ['events'] }, listening)).toBe('--events is wrong')
})

/** The options of the library's `check` that a user of the command line sets. */
type Named = Exclude<
  keyof CheckOptions,
  | 'started'
  | 'signal'
  | 'ended'
  | 'reproduceWith'
  | 'onStart'
  | 'onVerdict'
  | 'onWaiting'
  | 'onNotice'
  | 'observeCommandCwd'
>

/** How the command line spells each option of the library's `check`. */
const FLAGS: Readonly<Record<Named, string>> = {
  url: 'the URL',
  service: '--service',
  secret: '--secret',
  signatureHeader: '--signature-header',
  headers: '--header',
  observe: '--observe',
  observeCommand: '--observe-command',
  profile: '--profile',
  contract: '--contract',
  mode: '--mode',
  only: '--only',
  skip: '--skip',
  seed: '--seed',
  concurrency: '--concurrency',
  rate: '--rate',
  timeoutMs: '--timeout',
  ackWithinMs: '--ack-within',
  waitMs: '--wait',
  redeliverAfterMs: '--redeliver-after',
  framework: '--framework',
  ca: '--ca',
  insecure: '--insecure',
}

type NamedOfCrash =
  | 'start'
  | 'killCommand'
  | 'rotateEnv'
  | 'rounds'
  | 'round'
  | 'recoverWithinMs'
  | 'fsyncTrace'

/** The same for the options that only `crash` has. */
const FLAGS_OF_CRASH: Readonly<Record<NamedOfCrash & keyof CrashOptions, string>> = {
  start: '--start',
  killCommand: '--kill-command',
  rotateEnv: '--rotate-env',
  rounds: '--rounds',
  round: '--round',
  recoverWithinMs: '--recover-within',
  fsyncTrace: '--fsync-trace',
}

test.each(Object.entries({ ...FLAGS, ...FLAGS_OF_CRASH }))('%s is %s on the command line', (name, flag) => {
  expect(withFlags({ message: `"${name}" is wrong`, names: [name] }, program)).toBe(`${flag} is wrong`)
})

test('every option that an error can name has a flag of `hookproof check`', async () => {
  const { stdout } = await hookproof(['check', '--help'])
  for (const flag of Object.values(FLAGS).filter((text) => text !== 'the URL')) {
    expect(stdout).toMatch(new RegExp(`^ +${flag} (<| )`, 'm'))
  }
})

test('suggests the closest names first, and nothing for an unknown one', () => {
  const names = ['timeout', 'time', 'ackWithin', 'observe', 'observeCommand']
  expect(nearest('timeuot' /* cspell:disable-line */, names)).toEqual(['timeout'])
  expect(nearest('ack-within', names)).toEqual(['ackWithin'])
  expect(nearest('Observ', names)).toEqual(['observe'])
  expect(nearest('zzz', names)).toEqual([])
})

test.each([
  ['payment.completd' /* cspell:disable-line */, ['payment.completed']],
  ['payment.expred' /* cspell:disable-line */, ['payment.expired']],
  ['empty-kee' /* cspell:disable-line */, ['refusals/empty-key']],
  ['refusals/empty-kee' /* cspell:disable-line */, ['refusals/empty-key']],
  ['hmac-md', ['refusals/hmac-md5']],
  ['refusals/other', []],
])('for %s, suggests %j and no name that merely shares a section', (name, expected) => {
  const names = [...EVENT_NAMES, ...CATALOGUE.map(({ id }) => id)]
  expect(nearest(name, names)).toEqual(expected)
})
