import { expect, it } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import type { Verdict } from '../../../conformance/contracts/webhook/model.ts'
import { causesFrom } from '../../../conformance/diagnosis/diagnose.ts'
import { caseOf, kitOf } from '../support.ts'

const IDS = [
  'transport/posted-as-json',
  'acknowledgement/exactly-200',
  'events/completed',
  'events/failed',
  'events/expired',
] as const
/** How many valid deliveries each case sends: with fewer, few signatures would begin with 0. */
const EACH = 40

/** The causes of a receiver that accepts a valid delivery if its signature, as it writes that, is the given one. */
function causesOf(write: (v1: string) => string): string[] {
  const verdicts = IDS.map((id): Verdict => {
    const kit = kitOf(id)
    const exchanges = Array.from({ length: EACH }, () => {
      const delivery = kit.delivery('completed')
      const status = write(delivery.signed.v1) === delivery.signed.v1 ? 200 : 401
      return {
        delivery,
        answer: { status, headers: [], body: Buffer.alloc(0), truncated: false, ms: 1 },
        error: undefined,
      }
    })
    const wrong = exchanges.filter(({ answer }) => answer.status !== 200)
    return {
      case: caseOf(id),
      outcome: wrong.length > 0 ? 'failed' : 'passed',
      problems: [
        {
          kind: 'accepted',
          expected: { code: 'accepted' },
          wrong: { code: 'answer', several: true },
          severity: 'protocol',
          exchanges: wrong,
        },
      ],
      reason: undefined,
      exchanges,
      durationMs: 1,
    }
  })
  return causesFrom({ service: paymentService, verdicts, isNarrowed: false }).map(({ code }) => code)
}

it.each<[string, (v1: string) => string]>([
  ['the number as a whole', (v1) => v1.replace(/^0+/, '')],
  ['each byte', (v1) => v1.replace(/0(.)|(..)/g, '$1$2')],
])('names the zeros that %s loses', (_, write) => {
  expect(causesOf(write)).toEqual(['signature_zeros_lost'])
})

it('names no zeros where other signatures are refused too', () => {
  expect(causesOf((v1) => v1.replace(/^[01]/, ''))).toEqual([])
})
