import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../conformance/case/delivery.ts'
import {
  fulfilledOnce,
  fulfilledThenReversed,
  livemodeShown,
  nothingHandled,
  nothingLeftFulfilled,
} from '../../../conformance/case/effects.ts'
import { accepted, answeredInTime } from '../../../conformance/case/expect.ts'
import type { CatalogueCase, Mode } from '../../../conformance/case/model.ts'
import { CATALOGUE } from '../../../conformance/catalogue/index.ts'
import { validate } from '../../../schemas/validate.ts'
import { kitOf, NOW, SECRET } from '../support.ts'

/** Made here once more, without the suite's signer: one header of exactly the service's form, in the window. */
function genuineByTheLetter({ signature: [line = '', second], body }: Delivery, secret = SECRET): boolean {
  const [, t = '', v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(line) ?? []
  return second === undefined && v1 === macOf(t, body, secret) && Math.abs(NOW - Number(t)) <= 300
}
/** The same, for a header with more in it than need be: parts found by name, and one right `v1` is enough. */
function genuineByName({ signature, body }: Delivery): boolean {
  const entries = signature.join(',').split(',')
  const [t = '', another] = entries.flatMap((entry) => /^t=(\d{1,12})$/.exec(entry)?.[1] ?? [])
  const right = entries.includes(`v1=${macOf(t, body, SECRET)}`)
  return right && another === undefined && Math.abs(NOW - Number(t)) <= 300
}
function macOf(t: string, body: Buffer, secret: string): string {
  return createHmac('sha256', Buffer.from(secret))
    .update(Buffer.concat([Buffer.from(`${t}.`), body]))
    .digest('hex')
}

const sentBy = (one: CatalogueCase, options: Parameters<typeof kitOf>[1] = {}): Delivery[] =>
  one.send(kitOf(one.id, options)).flatMap(({ deliveries }) => deliveries)
const inMode = (mode: Mode) => CATALOGUE.filter((one) => one.mode === undefined || one.mode === mode)
const jsonOf = ({ body }: Delivery): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const MODES: readonly Mode[] = ['test', 'live']
const BY_EFFECTS = [fulfilledOnce, fulfilledThenReversed, livemodeShown, nothingHandled, nothingLeftFulfilled]
const ACCEPTANCE = [accepted, answeredInTime, ...BY_EFFECTS]
const accepting = (one: CatalogueCase) => one.expect.includes(accepted)
const refusing = (one: CatalogueCase) =>
  one.expect.some(({ expected }) => expected.startsWith('the delivery is refused'))
/** What is refused there is rightly signed. */
const signedAllTheSame = ({ id, section }: CatalogueCase) =>
  section === 'robustness' || id.startsWith('transport/method-')

/** These send what the service does not send today. */
const OF_TOMORROW = [
  'events/unknown-payment-method',
  'events/unknown-failure-code',
  'events/unknown-fields',
  'events/unknown-event',
  'events/unknown-event-of-another-kind',
  'events/unknown-kind-of-refund',
  'effects/unknown-event-has-no-effect',
]

describe('each case', () => {
  const each = (check: (one: CatalogueCase, sent: Delivery[]) => void) => {
    for (const one of CATALOGUE) check(one, sentBy(one))
  }

  it('is written as every case is', () => {
    each(({ id, title, impact, fix }) => {
      expect(id).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/)
      expect(title).toMatch(/^[a-z0-9 ]+$/)
      expect(impact, id).toMatch(/^[A-Z].{15,}[^.]\.$/)
      expect(fix, id).toMatch(/^[A-Z].{8,}[^.]\.$/)
    })
  })

  it('expects something, and sends something to expect it of', () => {
    each((one, sent) => {
      const probes = sent.filter(({ role, transport }) => role === 'probe' && transport?.kind !== 'truncated')
      expect(one.expect.length, one.id).toBeGreaterThan(0)
      expect(probes.length, one.id).toBeGreaterThan(0)
      if (one.needs === 'effects')
        expect(
          probes.every(({ paymentId }) => paymentId !== undefined),
          one.id,
        ).toBe(true)
    })
  })

  it('sends a control after the last probe wherever a refusal may be right', () => {
    each((one, sent) => {
      if (one.expect.every((expectation) => ACCEPTANCE.includes(expectation))) return
      const after = sent.slice(sent.findLastIndex(({ role }) => role === 'probe') + 1)
      expect(
        after.some(({ role }) => role === 'control'),
        one.id,
      ).toBe(true)
    })
  })

  it('judges by effects where it expected so, and nowhere else', () => {
    each((one) => {
      const judges = one.expect.some((expectation) => BY_EFFECTS.includes(expectation))
      expect([one.id, judges]).toEqual([one.id, one.needs === 'effects'])
    })
  })

  it('states why, where both an acceptance and a refusal are right', () => {
    each((one) => {
      const open = one.expect.some(({ expected }) => expected.startsWith('the delivery is accepted, or'))
      if (open) expect(one.open, one.id).toMatch(/^[A-Z].{15,}\.$/)
    })
  })

  it('expects the statuses that its sentence names', () => {
    each(({ id, spec, expect: expectations }) => {
      const [, named] = /with (?:a )?status (?:from )?([^;]+)/.exec(spec) ?? []
      const statement = expectations.find((expectation) =>
        /with (?:a )?status/.test(expectation.expected),
      )?.expected
      // A sentence about what follows a refusal names no status of its own.
      if (named === undefined || statement === undefined) return
      expect([id, statement.match(/\d+/g)]).toEqual([id, named.match(/\b\d{3}\b/g)])
    })
  })

  it('is the same for the same seed', () => {
    each((one, sent) => {
      const again = sentBy(one)
      expect(again.map(({ signature }) => signature)).toEqual(sent.map(({ signature }) => signature))
      expect(again.every(({ body }, index) => sent[index]?.body.equals(body))).toBe(true)
    })
  })
})

describe('what is sent, for any seed and in both modes', () => {
  const runs = fc.sample(fc.string(), 8).flatMap((seed) =>
    MODES.map((mode) => ({
      seed,
      mode,
      cases: inMode(mode).map((one) => ({ one, sent: sentBy(one, { seed, mode }) })),
    })),
  )
  /** Shows every delivery, with what to call it by when something is wrong. */
  const each = (check: (delivery: Delivery, one: CatalogueCase, name: string, mode: Mode) => void) => {
    for (const { seed, mode, cases } of runs)
      for (const { one, sent } of cases)
        for (const delivery of sent)
          check(delivery, one, `${one.id}, ${delivery.role}, seed ${JSON.stringify(seed)}, ${mode}`, mode)
  }

  it('is of the mode of the run: a test run sends nothing that could ship goods', () => {
    each(({ body }, _, name, mode) => {
      const wrong = mode === 'test' ? /"livemode"\s*:\s*true/ : /"livemode"\s*:\s*false/
      expect(wrong.test(body.toString()), name).toBe(false)
    })
  })

  it('expected in test mode that it is a test, wherever it is an event', () => {
    each((delivery, _, name, mode) => {
      const json = jsonOf(delivery)
      if (mode === 'live' || typeof json !== 'object' || json === null || !('status' in json)) return
      expect(json, name).toMatchObject({ livemode: false })
    })
  })

  it('is about payments of its own: no two cases share one', () => {
    for (const { cases } of runs) {
      const owners = new Map<string, string>()
      for (const { one, sent } of cases)
        for (const { paymentId } of sent) {
          if (paymentId === undefined) continue
          expect([paymentId, owners.get(paymentId) ?? one.id]).toEqual([paymentId, one.id])
          owners.set(paymentId, one.id)
        }
    }
  })

  it('is genuine by any verifier where nothing was changed, and in every control', () => {
    each((delivery, _, name) => {
      if (delivery.change === undefined || delivery.role === 'control')
        expect(genuineByTheLetter(delivery), name).toBe(true)
    })
  })

  it('is genuine wherever it must be accepted', () => {
    each((delivery, one, name) => {
      if (accepting(one) && delivery.role !== 'context') expect(genuineByName(delivery), name).toBe(true)
    })
  })

  it('is not genuine where it must be refused, unless its signature is not the reason', () => {
    each((delivery, one, name) => {
      if (!refusing(one) || delivery.role !== 'probe') return
      expect(delivery.change, name).toBeDefined()
      expect(genuineByTheLetter(delivery), name).toBe(signedAllTheSame(one))
    })
  })

  it('is an event as the service sends it, except where it is of tomorrow', () => {
    const others = new Set<string>()
    each((delivery, { id }) => {
      if (delivery.change === undefined && validate('event.strict', jsonOf(delivery)).length > 0)
        others.add(id)
    })
    expect(others).toEqual(new Set(OF_TOMORROW))
  })

  it('is an event that a receiver must take, wherever it must be accepted', () => {
    each((delivery, one, name) => {
      if (accepting(one)) expect(validate('event.tolerant', jsonOf(delivery)), name).toEqual([])
    })
  })
})

it('no signing secret turns a change into none', () => {
  const changed = CATALOGUE.filter((one) => refusing(one) && !signedAllTheSame(one))
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: 'grapheme' }).filter((secret) => secret.trim() !== ''),
      (secret) => {
        for (const one of changed)
          for (const delivery of sentBy(one, { secret }))
            if (delivery.role === 'probe')
              expect([one.id, genuineByTheLetter(delivery, secret)]).toEqual([one.id, false])
      },
    ),
    { numRuns: 25, examples: [['~'], ['whsec_~'], ['whsec_'], ['a'], ['whsec_d2hzZWNfZDJoeg==']] },
  )
})
