import { inTurn, type Plan } from '../../engine/plan.ts'
import { asControl, type Delivery } from './delivery.ts'
import type { Kit } from './kit.ts'
import type { Mutation } from './mutate.ts'

/**
 * The shape of every refusal case: the changed delivery, then the same one unchanged as its control. A refusal counts
 * only beside that acceptance, and the control also shows that the receiver is still alive.
 */
export function mutatedThenControl<K extends Kit = Kit>(
  mutation: Mutation,
  make: (kit: K) => Delivery = (kit) => kit.valid(),
): (kit: K) => Plan<Delivery> {
  return (kit) => {
    const delivery = make(kit)
    return inTurn(mutation(delivery, kit), asControl(delivery))
  }
}

/** As `mutatedThenControl`, for several changes of which each is refused for the same reason. */
export function eachThenControl(...mutations: Mutation[]): (kit: Kit) => Plan<Delivery> {
  return (kit) => {
    const delivery = kit.valid()
    return inTurn(...mutations.map((mutation) => mutation(delivery, kit)), asControl(delivery))
  }
}

/** Sends one delivery, changed in a way that leaves it valid. */
export function mutated<K extends Kit = Kit>(
  mutation: Mutation,
  make: (kit: K) => Delivery = (kit) => kit.valid(),
): (kit: K) => Plan<Delivery> {
  return (kit) => inTurn(mutation(make(kit), kit))
}
