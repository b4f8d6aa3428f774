import { expect, test } from 'vitest'
import { FLAGS, withFlags } from '../../cli/shared/flags.ts'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { nearest } from '../../conformance/contracts/payment-service/cases/nearest.ts'
import { HarnessError } from '../../conformance/engine/errors.ts'
import { EVENT_NAMES } from '../../sandbox/model.ts'
import { hookproof } from './support.ts'

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
  expect(withFlags(new HarnessError('bad_option', message, { names }))).toBe(expected)
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
