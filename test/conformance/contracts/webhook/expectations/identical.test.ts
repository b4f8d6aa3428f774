import { expect, it } from 'vitest'
import { asControl, type Delivery } from '../../../../../conformance/contracts/webhook/delivery.ts'
import {
  accepted,
  controlsAccepted,
} from '../../../../../conformance/contracts/webhook/expectations/expect.ts'
import { kitOf, NOW, SECRET } from '../../../support.ts'

const kit = kitOf('duplicates/identical-copy')
const isMet = (...sent: (readonly [Delivery, number])[]): boolean => {
  const exchanges = sent.map(([delivery, status]) => ({
    delivery,
    answer: { status, headers: [], body: Buffer.alloc(0), truncated: false, ms: 1 },
    error: undefined,
  }))
  const evidence = { exchanges, effects: () => [], secrets: [SECRET], ackWithinMs: 1_000 }
  return [accepted, controlsAccepted].every(({ check }) => check(evidence) === undefined)
}

it('a copy that is identical to the byte may be answered 409, once the first one was accepted', () => {
  const delivery = kit.delivery('completed')
  const again = kit.redelivery(delivery, { t: NOW - 1 })
  expect(isMet([delivery, 200], [delivery, 409], [asControl(delivery), 409])).toBe(true)
  const spaced = { ...delivery, signature: [`${delivery.signature.join()},`] }
  expect(isMet([spaced, 200], [asControl(delivery), 409])).toBe(true)
  expect(isMet([delivery, 200], [again, 409])).toBe(false)
  expect(isMet([delivery, 200], [delivery, 401])).toBe(false)
  expect(isMet([delivery, 409], [delivery, 200])).toBe(false)
  expect(isMet([{ ...delivery, role: 'context' }, 401], [delivery, 409])).toBe(false)
  expect(isMet([delivery, 200], [{ ...delivery, stamps: [['webhook-id', 'msg_2']] }, 409])).toBe(false)
  expect(isMet([delivery, 200], [{ ...delivery, body: Buffer.from('{}') }, 409])).toBe(false)
})
