import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { CatalogueCase, ExpectationKind, Mode } from '../../../../conformance/contracts/webhook/model.ts'
import { validate } from '../../../../schemas/validate.ts'
import { kitOf, NOW, SECRET } from '../../support.ts'

/** Verified independently of the suite's signer: one header in exactly the service's form, inside the window. */
function validStrictly({ signature: [line = '', second], body }: Delivery, secret = SECRET): boolean {
  const [, t = '', v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(line) ?? []
  return second === undefined && v1 === macOf(t, body, secret) && Math.abs(NOW - Number(t)) <= 300
}
/** The same for a header with additional entries: entries are found by name, and one valid `v1` is enough. */
function validByName({ signature, body }: Delivery): boolean {
  const entries = signature.join(',').split(',')
  const [t = '', another] = entries.flatMap((entry) => /^t=(\d{1,12})$/.exec(entry)?.[1] ?? [])
  const matches = entries.includes(`v1=${macOf(t, body, SECRET)}`)
  return matches && another === undefined && Math.abs(NOW - Number(t)) <= 300
}
function macOf(t: string, body: Buffer, secret: string): string {
  return createHmac('sha256', Buffer.from(secret)).update(`${t}.`).update(body).digest('hex')
}

const sentBy = (testCase: CatalogueCase, options: Parameters<typeof kitOf>[1] = {}): Delivery[] =>
  testCase.send(kitOf(testCase.id, options)).flatMap(({ deliveries }) => deliveries)
const inMode = (mode: Mode) =>
  CATALOGUE.filter((testCase) => testCase.mode === undefined || testCase.mode === mode)
const jsonOf = ({ body }: Delivery): unknown => {
  // Compressed bodies are megabytes, and no JSON begins like them.
  if (!/^[\s\w{["-]/.test(body.toString('latin1', 0, 1))) return undefined
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Cases that send an event of a test payment in live mode too: it ships nothing, whatever the receiver does wrong. */
const ALWAYS_TEST = [
  'bypass/not-live-in-the-body',
  'bypass/test-payment-on-a-live-receiver',
  'refusals/empty-key-for-tests',
  'events/test-refund-with-the-id-of-a-live-payment',
  'events/test-completion-with-the-id-of-a-live-payment',
]

const MODES: readonly Mode[] = ['test', 'live']
const expects = (testCase: CatalogueCase, ...kinds: ExpectationKind[]) =>
  testCase.expect.some(({ kind }) => kinds.includes(kind))
const accepting = (testCase: CatalogueCase) => expects(testCase, 'accepted')
const refusing = (testCase: CatalogueCase) => expects(testCase, 'refused')
/** The delivery to refuse is validly signed. */
const isValidlySigned = ({ id, section }: CatalogueCase) =>
  section === 'robustness' || id.startsWith('transport/method-')

/** Cases that send what the service does not send today. */
const FUTURE_EVENTS = [
  'events/unknown-payment-method',
  'events/unknown-failure-code',
  'events/unknown-fields',
  'events/unknown-event',
  'events/unknown-event-of-another-kind',
  'events/unknown-kind-of-refund',
  'effects/unknown-event-has-no-effect',
  'effects/unknown-event-with-status-completed',
  'duplicates/with-other-fields',
]

describe('what is sent, for any seed and in both modes', () => {
  // Of each seed there are thousands of events: a few seeds, others in each run of the tests, are enough.
  const runs = fc.sample(fc.string(), 8).flatMap((seed) =>
    MODES.map((mode) => ({
      seed,
      mode,
      cases: inMode(mode).map((testCase) => ({
        testCase,
        // Most tests read the JSON of every body: once is enough.
        sent: sentBy(testCase, { seed, mode }).map((delivery) => ({ delivery, json: jsonOf(delivery) })),
      })),
    })),
  )
  /** A delivery, and what it was sent for. */
  interface Sent {
    readonly delivery: Delivery
    readonly json: unknown
    readonly testCase: CatalogueCase
    readonly mode: Mode
  }
  /** Expects no delivery to be wrong. It names those that are: there are too many to have an expectation each. */
  const expectNone = (isWrong: (sent: Sent) => boolean) => {
    const wrong = runs.flatMap(({ seed, mode, cases }) =>
      cases.flatMap(({ testCase, sent }) =>
        sent.flatMap((one) =>
          isWrong({ ...one, testCase, mode })
            ? `${testCase.id}, ${one.delivery.role}, seed ${JSON.stringify(seed)}, ${mode}`
            : [],
        ),
      ),
    )
    expect(wrong).toEqual([])
  }

  it('has the livemode of the run: a test run sends nothing that could ship goods', () => {
    expectNone(({ delivery: { body }, testCase: { id }, mode }) => {
      if (mode === 'live' && ALWAYS_TEST.includes(id)) return false
      const wrong = mode === 'test' ? /"livemode"\s*:\s*true/ : /"livemode"\s*:\s*false/
      return wrong.test(body.toString('latin1'))
    })
  })

  it('has livemode false in test mode if it is an event', () => {
    expectNone(
      ({ json, mode }) =>
        mode === 'test' &&
        typeof json === 'object' &&
        json !== null &&
        'status' in json &&
        !('livemode' in json && json.livemode === false),
    )
  })

  it('has a payment that no other case uses', () => {
    for (const { cases } of runs) {
      const owners = new Map<string, string>()
      const shared = cases.flatMap(({ testCase, sent }) =>
        sent.flatMap(({ delivery: { key: paymentId } }) => {
          if (paymentId === undefined) return []
          const owner = owners.get(paymentId) ?? testCase.id
          owners.set(paymentId, testCase.id)
          return owner === testCase.id ? [] : [[paymentId, owner, testCase.id]]
        }),
      )
      expect(shared).toEqual([])
    }
  })

  it('is strictly valid when nothing was changed, and in every control', () => {
    expectNone(
      ({ delivery }) =>
        (delivery.change === undefined || delivery.role === 'control') && !validStrictly(delivery),
    )
  })

  it('is valid when it must be accepted', () => {
    expectNone(
      ({ delivery, testCase }) =>
        accepting(testCase) && delivery.role !== 'context' && !validByName(delivery),
    )
  })

  it('is not valid when it must be refused, unless the signature is not the reason', () => {
    expectNone(({ delivery, testCase }) => {
      if (!refusing(testCase) || delivery.role !== 'probe') return false
      return delivery.change === undefined || validStrictly(delivery) !== isValidlySigned(testCase)
    })
  })

  it('is an event as the service sends it, except for future events', () => {
    const others = new Set<string>()
    for (const { cases } of runs)
      for (const { testCase, sent } of cases)
        for (const { delivery, json } of sent)
          if (delivery.change === undefined && validate('event.strict', json).length > 0)
            others.add(testCase.id)
    expect(others).toEqual(new Set(FUTURE_EVENTS))
  })

  it('is an event of the tolerant schema when it must be accepted', () => {
    expectNone(
      ({ delivery, json, testCase }) =>
        accepting(testCase) && delivery.role !== 'context' && validate('event.tolerant', json).length > 0,
    )
  })
})

it('a changed delivery is invalid for any signing secret', () => {
  const changed = CATALOGUE.filter((testCase) => refusing(testCase) && !isValidlySigned(testCase))
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: 'grapheme' }).filter((secret) => secret.trim() !== ''),
      (secret) => {
        const valid = changed.filter((testCase) =>
          sentBy(testCase, { secret }).some(
            (delivery) => delivery.role === 'probe' && validStrictly(delivery, secret),
          ),
        )
        expect(valid.map(({ id }) => id)).toEqual([])
      },
    ),
    { numRuns: 25, examples: [['~'], ['whsec_~'], ['whsec_'], ['a'], ['whsec_d2hzZWNfZDJoeg==']] },
  )
})
