import { describe, expect, it } from 'vitest'
import { CATALOGUE, SECTIONS } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { paymentService } from '../../../../conformance/contracts/payment-service/index.ts'
import type { SelectionOptions } from '../../../../conformance/contracts/webhook/select.ts'
import { HarnessError } from '../../../../conformance/harness-error.ts'

const all: SelectionOptions = {
  profile: 'full',
  mode: 'test',
  only: [],
  skip: [],
  redeliverAfterMs: 1_000,
}
const chosen = (options: Partial<SelectionOptions>) =>
  paymentService.select({ ...all, ...options }).cases.map(({ id }) => id)
const ids = CATALOGUE.filter(({ mode }) => mode !== 'live').map(({ id }) => id)
const refusal = (options: Partial<SelectionOptions>): HarnessError => {
  try {
    paymentService.select({ ...all, ...options })
  } catch (error) {
    if (error instanceof HarnessError) return error
  }
  throw new Error('it was accepted')
}

describe('a pattern', () => {
  it.each<[string, (id: string) => boolean]>([
    ['duplicates/signed-again', (id) => id === 'duplicates/signed-again'],
    ['duplicates', (id) => id.startsWith('duplicates/')],
    ['duplicates/*', (id) => id.startsWith('duplicates/')],
    ['duplicates/delivered-*', (id) => id.startsWith('duplicates/delivered-')],
    ['*-in-turn', (id) => id.endsWith('-in-turn')],
    ['*chargeback*', (id) => id.includes('chargeback')],
    ['*', () => true],
  ])('%s', (pattern, matches) => {
    expect(chosen({ only: [pattern] })).toEqual(ids.filter(matches))
    if (pattern !== '*') expect(chosen({ skip: [pattern] })).toEqual(ids.filter((id) => !matches(id)))
  })

  it('names every section', () => {
    for (const { id } of SECTIONS)
      expect(chosen({ only: [id] })).toEqual(ids.filter((other) => other.startsWith(`${id}/`)))
  })

  it('adds to other patterns, in the order of the catalogue', () => {
    const both = chosen({ only: ['disclosure', 'transport'] })
    expect(both).toEqual([...chosen({ only: ['transport'] }), ...chosen({ only: ['disclosure'] })])
  })

  it('is excluded if a skip pattern matches it too', () => {
    expect(chosen({ only: ['transport'], skip: ['transport/content-*'] })).toEqual(
      ids.filter((id) => id.startsWith('transport/') && !id.startsWith('transport/content-')),
    )
  })

  it.each([
    'effect',
    'transport/posted',
    'Transport',
    'events/.*',
    'transport/posted.as.json',
    '',
    '[a-z]*',
    '(',
  ])('that matches nothing is an error: "%s"', (pattern) => {
    for (const key of ['only', 'skip'] as const) {
      const { code, message, names } = refusal({ only: ['transport'], [key]: [pattern] })
      expect({ code, names }).toEqual({ code: 'nothing_selected', names: [key] })
      expect(message).toContain(`"${key}": the pattern "${pattern}"`)
    }
  })

  it('that matches nothing is an error beside one that does', () => {
    expect(refusal({ only: ['transport', 'transprot'] }).message).toContain('"transprot"')
  })
})

describe('the profile and the mode', () => {
  it('exclude cases that need effects, with the reason', () => {
    const { cases, excluded } = paymentService.select({ ...all, profile: 'core' })
    expect(cases.some(({ needs }) => needs === 'effects')).toBe(false)
    expect(excluded).toContainEqual({
      case: 'effects/refund-reverses',
      code: 'full_profile',
      reason: 'needs the full profile',
    })
    expect(cases.length + excluded.length).toBe(CATALOGUE.length)
  })

  it('exclude cases of the other mode', () => {
    const liveOnly = CATALOGUE.filter(({ mode }) => mode === 'live').map(({ id }) => id)
    expect(liveOnly).toContain('events/without-livemode')
    expect(paymentService.select(all).excluded).toEqual(
      liveOnly.map((id) => ({ case: id, code: 'live_mode', reason: 'needs live mode' })),
    )
    const { cases, excluded } = paymentService.select({ ...all, mode: 'live' })
    expect(cases.map(({ id }) => id)).toContain('events/without-livemode')
    expect(excluded.map(({ code }) => code)).toEqual(excluded.map(() => 'test_mode'))
    expect(excluded.map(({ case: id }) => id)).toContain('events/simulated')
  })

  it('exclude a case that delivers again after a time that the run does not have', () => {
    const { cases, excluded } = paymentService.select({ ...all, redeliverAfterMs: undefined })
    expect(cases.map(({ id }) => id)).not.toContain('duplicates/after-a-given-time')
    expect(excluded).toContainEqual({
      case: 'duplicates/after-a-given-time',
      code: 'redeliver_after',
      reason: 'needs a time after which to deliver again',
    })
  })

  it('apply only to what the patterns match', () => {
    expect(paymentService.select({ ...all, profile: 'core', only: ['transport'] }).excluded).toEqual([])
  })
})

describe('nothing to test is an error', () => {
  it.each<[string, Partial<SelectionOptions>, string]>([
    ['all skipped', { skip: ['*'] }, 'nothing to test with "skip" (*)'],
    [
      'the one case skipped',
      { only: ['events/completed'], skip: ['events'] },
      'with "only" (events/completed) and "skip" (events)',
    ],
    ['only effects in the core profile', { only: ['effects'], profile: 'core' }, 'needs the full profile'],
    ['a live case in test mode', { only: ['events/without-livemode'] }, 'needs live mode'],
  ])('%s', (_, options, why) => {
    const { code, message } = refusal(options)
    expect(code).toBe('nothing_selected')
    expect(message).toContain(why)
  })
})
