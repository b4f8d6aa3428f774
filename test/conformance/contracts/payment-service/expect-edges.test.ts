import { describe, expect, it } from 'vitest'
import {
  accepted,
  acceptedOrBusy,
  acceptedOrRefused,
  answeredBelow500,
  answeredInTime,
  contextAnsweredBelow500,
  contextRefused,
  controlsAccepted,
  nothingDisclosed,
  refused,
  refusedThoughSigned,
  refusedWithin,
  staleContextRefused,
} from '../../../../conformance/contracts/webhook/expectations/expect.ts'
import type { Expectation, ExpectationKind } from '../../../../conformance/contracts/webhook/model.ts'
import { expectedText } from '../../../../conformance/report/words/findings.ts'
import { type Came, evidence, exchange, shortened, worded } from '../../report/evidence.ts'
import { caseOf } from '../../support.ts'

// The tests of the catalogue classify expectations by these.
describe('the kind of an expectation', () => {
  it.each<[kind: ExpectationKind, expectation: Expectation]>([
    ['accepted', accepted],
    ['accepted', acceptedOrBusy],
    ['context-answered', contextAnsweredBelow500],
    ['control-accepted', controlsAccepted],
    ['refused', refused(401)],
    ['refused', refusedThoughSigned(400, 422)],
    ['refused', refusedWithin(400, 499)],
    ['context-refused', contextRefused(400, 401)],
    ['accepted-or-refused', acceptedOrRefused(400)],
    ['answered', answeredBelow500],
    ['timing', answeredInTime],
    ['disclosure', nothingDisclosed('secret', () => [])],
  ])('is %s', (kind, expectation) => {
    expect(expectation.kind).toBe(kind)
  })
})

// Reports print these under "Expected".
describe('the statement of an expectation', () => {
  it.each<[expected: string, expectation: Expectation]>([
    ['every delivery is accepted with status 200', accepted],
    [
      'a copy is accepted with status 200, and each other one too, or with 409, 423, 425, 429, 503 while the first is handled',
      acceptedOrBusy,
    ],
    ['the unusual delivery before it is answered with a status below 500', contextAnsweredBelow500],
    ['the control, a valid delivery beside the changed one, is accepted', controlsAccepted],
    ['the forged delivery before it is refused with status 400 or 401', contextRefused(400, 401)],
    ['the stale delivery before it is refused with status 400 or 401', staleContextRefused(400, 401)],
    ['the delivery is refused with status 401', refused(401)],
    ['the delivery is refused with status 400 or 401', refused(400, 401)],
    ['the delivery is refused with status 400 or 422', refusedThoughSigned(400, 422)],
    ['the delivery is refused with a status from 400 to 499', refusedWithin(400, 499)],
    [
      'the delivery is refused with a status from 400 to 499 or 501 or 505',
      refusedWithin(400, 499, 501, 505),
    ],
    ['the delivery is accepted, or refused with status 400 or 413', acceptedOrRefused(400, 413)],
    ['the delivery is answered with a status below 500', answeredBelow500],
    ['every delivery is answered in time', answeredInTime],
    ['no response contains the signing secret', nothingDisclosed('secret', () => [])],
  ])('%s', (expected, expectation) => {
    expect(expectedText(expectation.expected)).toBe(expected)
  })
})

describe('the edges of what is judged', () => {
  it('a rejected control is a protocol problem', () => {
    const finding = worded(controlsAccepted.check(evidence([exchange(503, { role: 'control' })])))
    expect(shortened(finding)).toEqual({ problem: 'status 503', severity: 'protocol' })
  })

  it('only a status from 200 to 299 accepts a forged delivery', () => {
    const severityOf = (status: number) => worded(refused(401).check(evidence([exchange(status)])))
    for (const status of [200, 299]) expect(severityOf(status)).toMatchObject({ severity: 'security' })
    for (const status of [199, 300]) expect(severityOf(status)).toMatchObject({ severity: 'protocol' })
  })

  it('a delivery without a response is not late: other expectations report it', () => {
    expect(worded(answeredInTime.check(evidence([exchange('reset')])))).toBeUndefined()
    expect(worded(answeredInTime.check(evidence([exchange('reset'), exchange({ ms: 1_001 })])))).toBeDefined()
  })
})

describe('the problem', () => {
  it('states how late a response was, in whole milliseconds, and the limit', () => {
    const finding = worded(answeredInTime.check(evidence([exchange({ ms: 750.6 })], {}, 500)))
    expect(finding).toMatchObject({ problem: 'a response after 751 ms; the limit is 500 ms' })
  })

  it('calls a delivery without an event a body', () => {
    const nameless = exchange(503, { event: undefined })
    expect(worded(accepted.check(evidence([exchange(200), nameless])))).toMatchObject({
      problem: 'status 503 (a body)',
    })
  })
})

describe('nothingDisclosed', () => {
  it('matches any of several patterns', () => {
    const either = nothingDisclosed('secret', () => [/absent/, /hunter2/])
    expect(worded(either.check(evidence([exchange({ body: Buffer.from('hunter2') })])))).toBeDefined()
  })

  it('does not match across two headers', () => {
    const word = nothingDisclosed('secret', () => [/secret: /])
    const apart = [
      ['X-One', 'sec'],
      ['ret', '1'],
    ] as const
    expect(worded(word.check(evidence([exchange({ headers: apart })])))).toBeUndefined()
    expect(worded(word.check(evidence([exchange({ headers: [['X-One', 'secret: 1']] })])))).toBeDefined()
  })
})

describe('an answer without a reason phrase', () => {
  it('discloses nothing by it', () => {
    const letters = nothingDisclosed('secret', () => [/[a-z]/])
    const empty = exchange({ headers: [], body: Buffer.alloc(0) })
    expect(empty.answer).not.toHaveProperty('reason')
    expect(worded(letters.check(evidence([empty])))).toBeUndefined()
  })
})

describe('acceptedOrBusy', () => {
  const copies = (...came: Came[]) => worded(acceptedOrBusy.check(evidence(came.map((one) => exchange(one)))))

  it.each<Came[]>([
    [200, 200],
    [409, 200],
    [200, 423, 425],
    [429, 503, 200],
  ])('holds for %s and %s', (...came) => {
    expect(copies(...came)).toBeUndefined()
  })

  it.each<Came[]>([
    [409, 409],
    [200, 500],
    [200, 401],
    [503, 'reset', 200],
  ])('does not hold for %s and %s', (...came) => {
    expect(copies(...came)).toMatchObject({ severity: 'protocol' })
  })

  it('is not met by an accepted control', () => {
    const finding = worded(
      acceptedOrBusy.check(evidence([exchange(409), exchange(200, { role: 'control' })])),
    )
    expect(shortened(finding)).toEqual({ problem: 'status 409', severity: 'protocol' })
  })
})

describe('contextAnsweredBelow500', () => {
  const context = (came: Came) =>
    worded(contextAnsweredBelow500.check(evidence([exchange(500), exchange(came, { role: 'context' })])))

  it('checks only what prepares for the probe', () => {
    expect(context(400)).toBeUndefined()
    expect(shortened(context(500))).toEqual({ problem: 'status 500', severity: 'protocol' })
  })
})

describe('the exchanges of a finding', () => {
  it('are the late response and the one that discloses something', () => {
    const late = exchange({ ms: 2_000 })
    expect(worded(answeredInTime.check(evidence([exchange(200), late])))).toMatchObject({ exchanges: [late] })
    const telling = exchange({ body: Buffer.from('the secret') })
    const finding = worded(
      nothingDisclosed('secret', () => [/secret/]).check(evidence([exchange(200), telling])),
    )
    expect(finding).toMatchObject({ exchanges: [telling] })
  })
})

it('the case that sends a stale delivery first says so', () => {
  const [first] = caseOf('duplicates/stale-first').expect
  expect(first && expectedText(first.expected)).toBe(
    'the stale delivery before it is refused with status 400 or 401',
  )
})
