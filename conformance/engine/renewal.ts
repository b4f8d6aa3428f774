import type { Delivery } from './delivery.ts'

/** How long a delivery may wait to be sent, in seconds: the edges of the window are tested 5 s away from them. */
export const LONGEST_WAIT_SECONDS = 3

const renewals = new WeakMap<Delivery, () => Delivery>()

/**
 * Lets the deliveries of a case be made again by the time they are sent: a low rate, a slow receiver or the other cases may
 * hold them back for minutes, and the `t` that they were planned with means something else by then.
 *
 * @param make makes the same deliveries, in the same order, by the present time
 * @param now the clock that they are signed by, in Unix seconds
 */
export function renewable(
  planned: readonly Delivery[],
  make: () => readonly Delivery[],
  now: () => number,
): void {
  let latest = { deliveries: planned, madeAt: now() }
  const inTime = (): readonly Delivery[] => {
    if (Math.abs(now() - latest.madeAt) >= LONGEST_WAIT_SECONDS)
      latest = { madeAt: now(), deliveries: make() }
    return latest.deliveries
  }
  for (const [index, delivery] of planned.entries())
    if (!renewals.has(delivery)) renewals.set(delivery, () => inTime()[index] ?? delivery)
}

/** The delivery as it is to be sent now: signed again if it has waited. */
export function renewed(delivery: Delivery): Delivery {
  return renewals.get(delivery)?.() ?? delivery
}
