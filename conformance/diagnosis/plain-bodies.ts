import type { Delivery } from '../contracts/payment-service/delivery.ts'
import { aboutEvent, type Kit } from '../contracts/payment-service/kit.ts'
import { reserialized } from './causes/body.ts'
import { SERIALIZERS, type Serialize } from './serializers.ts'
import type { Statement } from './statement.ts'

interface PlainBody {
  readonly statement: Statement
  readonly delivery: Delivery
  readonly contrast: Delivery
}

/**
 * Valid deliveries of which most serializers write the same bytes again: their keys are sorted, and nothing in them is
 * ever escaped. A receiver that accepts such a body, and refuses the same event with other spaces, re-serializes it.
 */
export function plainBodies(kit: Kit): PlainBody[] {
  const { compact, spaced } = FORMS
  return [
    [compact, spaced],
    [spaced, compact],
  ].flatMap(([form, other]) => {
    if (form === undefined || other === undefined) return []
    const event = kit.event('completed', { metadata: { order: 'A1' } })
    const written = (serialize: Serialize) => ({
      ...kit.body(serialize(event), aboutEvent(event)),
      change: 'a body that serializers write in the same way',
    })
    return [{ statement: reserialized(), delivery: written(form), contrast: written(other) }]
  })
}

const FORMS = {
  compact: SERIALIZERS['a serializer that sorts keys'],
  spaced: SERIALIZERS['json.dumps of Python with sort_keys'],
}
