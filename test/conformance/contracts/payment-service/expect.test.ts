import { describe, expect, it } from 'vitest'
import {
  accepted,
  acceptedOrRefused,
  answeredBelow500,
  answeredInTime,
  contextRefused,
  controlsAccepted,
  nothingDisclosed,
  refused,
  refusedThoughSigned,
  refusedWithin,
} from '../../../../conformance/contracts/webhook/expectations/expect.ts'
import type { Expectation, Severity } from '../../../../conformance/contracts/webhook/model.ts'
import { type Came, evidence, exchange, shortened, worded } from '../../report/evidence.ts'

type Row = [name: string, expectation: Expectation, came: Came, kind: Severity | 'holds' | 'other status']

/** Statuses and failures that are never a correct refusal. */
const NEVER: Came[] = [
  100,
  301,
  404,
  405,
  408,
  429,
  500,
  503,
  'reset',
  'refused',
  'timeout',
  'garbled',
  'local',
]

describe.each<Row>([
  ['accepted', accepted, 200, 'holds'],
  ['accepted', accepted, 201, 'protocol'],
  ['accepted', accepted, 204, 'protocol'],
  ['accepted', accepted, 302, 'protocol'],
  ['accepted', accepted, 401, 'protocol'],
  ['accepted', accepted, 'reset', 'protocol'],
  ['accepted', accepted, 'broken off', 'holds'],

  ['refused(401)', refused(401), 401, 'holds'],
  ['refused(401)', refused(401), 400, 'other status'],
  ['refused(401)', refused(401), 200, 'security'],
  ['refused(401)', refused(401), 204, 'security'],
  ['refused(400, 401)', refused(400, 401), 400, 'holds'],
  ['refused(400, 401)', refused(400, 401), 401, 'holds'],
  ['refused(400, 401)', refused(400, 401), 403, 'other status'],
  ['refused(401)', refused(401), 409, 'other status'],
  ['refused(401)', refused(401), 415, 'other status'],
  ['refused(401)', refused(401), 422, 'other status'],
  ['refused(400)', refused(400), 401, 'other status'],
  ['refused(401)', refused(401), 406, 'other status'],
  ['refusedThoughSigned(400, 422)', refusedThoughSigned(400, 422), 403, 'other status'],
  ...NEVER.map((came): Row => ['refused(400, 401)', refused(400, 401), came, 'protocol']),

  ['refusedThoughSigned(400, 422)', refusedThoughSigned(400, 422), 422, 'holds'],
  ['refusedThoughSigned(400, 422)', refusedThoughSigned(400, 422), 200, 'protocol'],
  ...NEVER.map((came): Row => ['refusedThoughSigned(400)', refusedThoughSigned(400), came, 'protocol']),

  ['refusedWithin(400, 499, 501)', refusedWithin(400, 499, 501), 400, 'holds'],
  ['refusedWithin(400, 499, 501)', refusedWithin(400, 499, 501), 499, 'holds'],
  ['refusedWithin(400, 499, 501)', refusedWithin(400, 499, 501), 501, 'holds'],
  ['refusedWithin(400, 499, 501)', refusedWithin(400, 499, 501), 399, 'protocol'],
  ['refusedWithin(400, 499, 501)', refusedWithin(400, 499, 501), 500, 'protocol'],
  ['refusedWithin(400, 499, 501)', refusedWithin(400, 499, 501), 200, 'protocol'],
  ['refusedWithin(400, 499, 501)', refusedWithin(400, 499, 501), 'reset', 'protocol'],

  ['acceptedOrRefused(400)', acceptedOrRefused(400), 200, 'holds'],
  ['acceptedOrRefused(400)', acceptedOrRefused(400), 400, 'holds'],
  ['acceptedOrRefused(400)', acceptedOrRefused(400), 401, 'other status'],
  ...NEVER.map((came): Row => ['acceptedOrRefused(400)', acceptedOrRefused(400), came, 'protocol']),

  ['answeredBelow500', answeredBelow500, 200, 'holds'],
  ['answeredBelow500', answeredBelow500, 431, 'holds'],
  ['answeredBelow500', answeredBelow500, 500, 'protocol'],
  ['answeredBelow500', answeredBelow500, 'reset', 'protocol'],
  ['answeredBelow500', answeredBelow500, 'timeout', 'protocol'],

  ['answeredInTime', answeredInTime, { ms: 1_000 }, 'holds'],
  ['answeredInTime', answeredInTime, { ms: 1_000.1 }, 'protocol'],
  ['answeredInTime', answeredInTime, { status: 500, ms: 2_000 }, 'protocol'],
])('%s', (_, expectation, came, kind) => {
  // A refusal with the wrong status has its own guidance.
  const severity = kind === 'other status' ? 'protocol' : kind

  it(`${kind === 'holds' ? 'holds' : `does not hold (${kind})`} for ${JSON.stringify(came)}`, () => {
    const good = came === 'broken off' ? [] : [exchange(came)]
    const finding = worded(
      expectation.check(evidence([...good, exchange(came), exchange(599, { role: 'context' })])),
    )

    if (severity === 'holds') expect(finding).toBeUndefined()
    else if (kind === 'other status') {
      const fix = expect.stringMatching(
        new RegExp(`^Answer \\d{3}( or \\d{3})? instead of ${JSON.stringify(came)}(:| when|\\.$)`),
      )
      const guidance = { impact: expect.stringMatching(/^The delivery is refused, but/), fix }
      expect(shortened(finding)).toEqual({ problem: expect.any(String), severity, guidance })
    } else expect(shortened(finding)).toEqual({ problem: expect.any(String), severity })
  })

  it('checks every probe, and nothing else', () => {
    if (severity === 'holds') return
    const right: Came[] = [200, 400, 401, 422, 501]
    const good = right.find((answer) => worded(expectation.check(evidence([exchange(answer)]))) === undefined)
    if (good === undefined) throw new Error('nothing satisfies it')

    expect(worded(expectation.check(evidence([exchange(good), exchange(came)])))).toMatchObject({ severity })
    expect(
      worded(expectation.check(evidence([exchange(good), exchange(came, { role: 'control' })]))),
    ).toBeUndefined()
    expect(
      worded(expectation.check(evidence([exchange(good), exchange(came, { role: 'context' })]))),
    ).toBeUndefined()
  })
})

describe('a refusal with the wrong status', () => {
  it('is outweighed by a delivery that was accepted, whichever was sent first', () => {
    const [first, second] = [exchange(500, { change: 'one' }), exchange(200, { change: 'two' })]
    const finding = worded(refused(401).check(evidence([first, second])))
    expect(finding).toEqual({
      problem: 'status 200 (two)',
      severity: 'security',
      exchanges: [second, first],
    })
  })

  it('is reported as such only when no delivery was accepted', () => {
    const two = (one: Came, other: Came) =>
      worded(refused(400, 401).check(evidence([exchange(one), exchange(other)])))
    expect(two(403, 422)).toMatchObject({ guidance: { fix: 'Answer 400 or 401 instead of 403.' } })
    expect(two(401, 403)).toHaveProperty('guidance')
    expect(two(403, 200)).not.toHaveProperty('guidance')
    expect(two(500, 403)).not.toHaveProperty('guidance')
  })

  it('is not distinguished where the delivery had to be accepted', () => {
    expect(worded(accepted.check(evidence([exchange(403)])))).not.toHaveProperty('guidance')
    const control = worded(controlsAccepted.check(evidence([exchange(403, { role: 'control' })])))
    expect(shortened(control)).toEqual({ problem: 'status 403', severity: 'protocol' })
  })
})

describe('contextRefused', () => {
  const expectation = contextRefused(400, 401)
  const context = (came: Came) =>
    worded(expectation.check(evidence([exchange(200), exchange(came, { role: 'context' })])))

  it.each<Came>([400, 401])('holds for %s', (came) => {
    expect(context(came)).toBeUndefined()
  })

  it('is a security problem when the delivery is accepted', () => {
    expect(shortened(context(200))).toEqual({ problem: 'status 200', severity: 'security' })
  })

  it('reports a refusal with the wrong status as such', () => {
    expect(context(403)).toMatchObject({
      severity: 'protocol',
      guidance: { fix: 'Answer 400 or 401 instead of 403.' },
    })
  })

  it.each<Came>([404, 500, 'reset'])('does not hold for %s', (came) => {
    expect(shortened(context(came))).toEqual({ problem: expect.any(String), severity: 'protocol' })
  })

  it('checks neither probes nor controls', () => {
    const others = [exchange(200), exchange(200, { role: 'control' }), exchange(401, { role: 'context' })]
    expect(worded(expectation.check(evidence(others)))).toBeUndefined()
  })
})

describe('controlsAccepted', () => {
  it.each<[Came, boolean]>([
    [200, true],
    [201, false],
    [400, false],
    ['refused', false],
  ])('for a control that got %s: %s', (came, holds) => {
    const finding = worded(
      controlsAccepted.check(evidence([exchange(401), exchange(came, { role: 'control' })])),
    )
    expect(finding === undefined).toBe(holds)
  })
})

describe('the problem describes the response', () => {
  const problemOf = (...exchanges: Parameters<typeof evidence>[0]) =>
    worded(accepted.check(evidence(exchanges)))

  it.each<[string, Came]>([
    ['status 503', 503],
    ['no response: the connection was closed before a response arrived', 'reset'],
  ])('%s', (problem, came) => {
    expect(problemOf(exchange(came))).toMatchObject({ problem })
  })

  it('and the delivery, if there were several', () => {
    expect(problemOf(exchange(200), exchange(503, { change: 'an odd body' }))).toMatchObject({
      problem: 'status 503 (an odd body)',
    })
    expect(problemOf(exchange(200), exchange(503))).toMatchObject({
      problem: 'status 503 (payment.completed)',
    })
  })
})

describe('nothingDisclosed', () => {
  const nothing = nothingDisclosed('secret', () => [/wörd/])
  const bytes = /w\u00c3\u00b6rd/
  const inBytes = nothingDisclosed('secret', () => [bytes])

  it.each<[string, Came, boolean]>([
    ['a body without it', { body: Buffer.from('fine') }, true],
    ['a body with it', { status: 401, body: Buffer.from('{"error":"wörd"}') }, false],
    [
      'a body with it after bytes that are not text',
      { body: Buffer.from([0xff, 0xfe, ...Buffer.from('wörd')]) },
      false,
    ],
    [
      'a header with it',
      { status: 401, headers: [['X-Debug', Buffer.from('wörd').toString('latin1')]] },
      false,
    ],
    ['no response', 'reset', true],
  ])('%s', (_, came, holds) => {
    expect(worded(inBytes.check(evidence([exchange(came)]))) === undefined).toBe(holds)
    expect(worded(inBytes.check(evidence([exchange(came, { role: 'control' })]))) === undefined).toBe(holds)
  })

  it('is a security problem, and its text does not repeat the secret', () => {
    const finding = worded(
      nothingDisclosed('secret', () => [/secret/]).check(
        evidence([exchange({ status: 401, body: Buffer.from('the secret is 5') })]),
      ),
    )
    expect(shortened(finding)).toEqual({
      problem: 'a response with status 401 that contains the signing secret',
      severity: 'security',
    })
    expect(worded(nothing.check(evidence([exchange(401)])))).toBeUndefined()
  })
})

const HEADER = 'a signature header that is missing, malformed or outside the time window'

it.each<[[number, ...number[]], string]>([
  [[400], `Answer 400 instead of 403: 400 is for ${HEADER}, 401 for a wrong signature.`],
  [[401], `Answer 401 instead of 403: 401 is for a wrong signature, 400 for ${HEADER}.`],
  [[400, 401], 'Answer 400 or 401 instead of 403.'],
  [[400, 422], 'Answer 400 or 422 instead of 403 when the body is validly signed but unusable.'],
  [[400, 401, 422], 'Answer 400, 401 or 422 instead of 403.'],
])('refused(%s) explains which reason has which status', (statuses, fix) => {
  expect(worded(refused(...statuses).check(evidence([exchange(403)])))).toMatchObject({ guidance: { fix } })
})
