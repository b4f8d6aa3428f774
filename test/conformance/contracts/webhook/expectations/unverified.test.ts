import { describe, expect, it } from 'vitest'
import {
  notAccepted,
  notAcceptedElsewhere,
  refusedOrClosed,
  refusedWith4xx,
  staleNotAccepted,
} from '../../../../../conformance/contracts/webhook/expectations/unverified.ts'
import type { Exchange, Expectation } from '../../../../../conformance/contracts/webhook/model.ts'
import { type Came, evidence, exchange, shortened, worded } from '../../../report/evidence.ts'

const found = (expectation: Expectation, ...exchanges: Exchange[]) =>
  shortened(worded(expectation.check(evidence(exchanges))))
const control = exchange(200, { role: 'control' })

describe('notAccepted', () => {
  it.each<Came>([301, 308, 400, 401, 404, 405, 417, 426, 500, 'reset', 'timeout'])('holds for %s', (came) => {
    expect(found(notAccepted, exchange(came), control)).toBeUndefined()
  })

  it.each([200, 201, 202, 204, 299])('does not hold for %i', (status) => {
    expect(found(notAccepted, exchange(401), exchange(status, { change: 'a form' }), control)).toEqual({
      problem: `accepted with status ${status}: a form`,
      severity: 'security',
    })
  })

  it('names every accepted delivery, up to three', () => {
    const accepted = ['a', 'b', 'c', 'd', 'e'].map((change) => exchange(200, { change }))
    expect(found(notAccepted, ...accepted)).toMatchObject({
      problem: 'accepted with status 200: a; b; c; and 2 more',
    })
  })
})

it.each<[Came, boolean]>([
  [400, true],
  [403, true],
  [200, false],
  [204, false],
  [500, false],
])('a stale delivery with times in headers that gets %s is refused: %s', (came, isRefused) => {
  expect(found(staleNotAccepted, exchange(came), control) === undefined).toBe(isRefused)
})

describe('notAcceptedElsewhere', () => {
  const nowhere = (came: Came) => exchange(came, { role: 'context' })
  const slash = exchange(200, { change: 'a slash' })

  it('does not hold when only the other spelling of the path is accepted', () => {
    expect(found(notAcceptedElsewhere, nowhere(404), slash)).toMatchObject({
      problem: 'accepted with status 200: a slash',
    })
  })

  it('holds for a server that answers 2xx on every path, which proves nothing', () => {
    expect(found(notAcceptedElsewhere, nowhere(200), slash)).toBeUndefined()
  })
})

describe.each([
  ['refusedWith4xx', refusedWith4xx],
  ['refusedOrClosed', refusedOrClosed],
] as const)('%s', (name, expectation) => {
  it.each([400, 401, 415, 431, 499])('holds for %i', (status) => {
    expect(found(expectation, exchange(status))).toBeUndefined()
  })

  it('does not hold for an acceptance', () => {
    expect(found(expectation, exchange(200))).toEqual({ problem: 'status 200', severity: 'security' })
  })

  it.each<Came>([302, 500, 503, 'timeout'])('does not hold for %s', (came) => {
    expect(found(expectation, exchange(came))).toMatchObject({ severity: 'protocol' })
  })

  it.each<Came>(['reset', 'garbled'])(
    'allows a closed connection only where HTTP forbids the bytes: %s',
    (came) => {
      if (name === 'refusedOrClosed') expect(found(expectation, exchange(came))).toBeUndefined()
      else expect(found(expectation, exchange(came))).toMatchObject({ severity: 'protocol' })
    },
  )
})
