import { inTurn } from '../../../engine/plan.ts'
import { asControl, type Delivery } from '../delivery.ts'
import type { Kit } from '../kit.ts'
import type { Plan } from '../model.ts'
import { forged, header, type Mutation } from '../mutate.ts'

/** What a sender without the secret can do about the signature. */
const WITHOUT_SECRET: readonly (readonly [name: string, mutation: Mutation])[] = [
  ['unsigned', header('no signature header', () => [])],
  ['forged', forged],
]

/** The way without a signature, and with one made by another secret. */
export function unverified(way: Mutation): Mutation[] {
  return WITHOUT_SECRET.map(
    ([name, mutation]): Mutation =>
      (delivery, kit) => {
        const changed = way(delivery, kit)
        return { ...mutation(changed, kit), change: `${changed.change ?? 'a delivery'}, ${name}` }
      },
  )
}

/** A delivery from long ago, which anybody may have seen, sent again in each way. */
export function waysAroundWhenStale(ageSeconds: number, ...ways: readonly Mutation[]): (kit: Kit) => Plan {
  return (kit) => {
    const delivery = kit.valid()
    const stale = ways.map((way) => {
      const changed = way(delivery, kit)
      const old = kit.redelivery(changed, { t: kit.now() - ageSeconds })
      const { signature, olderSignature, stamps, signed } = old
      const change = `${changed.change ?? 'a delivery'}, stale`
      return { ...changed, signature, olderSignature, stamps, signed, change }
    })
    return inTurn(...stale, asControl(delivery))
  }
}

/** A delivery that is changed in no other way. */
export const plain: Mutation = (delivery) => delivery

/** Sends each way around verification unsigned and forged, then the unchanged delivery as their control. */
export function waysAround(...ways: readonly Mutation[]): (kit: Kit) => Plan {
  return (kit) => {
    const delivery = kit.valid()
    return inTurn(...probesOf(ways, kit, () => delivery), asControl(delivery))
  }
}

/** The same with a payment for each delivery, so that an effect shows which one caused it. */
export function waysAroundWithEffects(...ways: readonly Mutation[]): (kit: Kit) => Plan {
  return (kit) => {
    const make = () => kit.valid()
    return inTurn(...probesOf(ways, kit, make), asControl(make()))
  }
}

function probesOf(ways: readonly Mutation[], kit: Kit, make: () => Delivery): Delivery[] {
  return ways.flatMap(unverified).map((mutation) => mutation(make(), kit))
}
