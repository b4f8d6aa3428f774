import { expect, test } from 'vitest'
import { FLAGS, withFlags } from '../../cli/shared/flags.ts'
import { nearest } from '../../cli/shared/nearest.ts'
import { HarnessError } from '../../conformance/errors.ts'
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
    expect(stdout).toMatch(new RegExp(`^ +${flag} <`, 'm'))
  }
})

test('suggests similar names, the most similar first, and nothing for an unknown one', () => {
  const names = ['timeout', 'time', 'ackWithin', 'observe', 'observeCommand']
  expect(nearest('timeuot', names)).toEqual(['timeout'])
  expect(nearest('ack-within', names)).toEqual(['ackWithin'])
  expect(nearest('Observ', names)).toEqual(['observe'])
  expect(nearest('zzz', names)).toEqual([])
})
