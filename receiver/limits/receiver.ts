import { createReceiver, type DeliveryStore, type Receive, type ReceiverOptions } from '../receive.ts'
import type { Overload } from './overload.ts'

/**
 * The core with a limit on the deliveries that wait for the store. It releases the bytes that were reserved for a body, so
 * reserve them before each call. SPEC.md 6 and 10.
 * @throws TypeError immediately if an option would accept or reject every delivery.
 */
export function limitedReceiver(options: ReceiverOptions, overload: Overload): Receive {
  const { inbox } = options
  // Anything else is left to createReceiver, which refuses it.
  const limited = typeof inbox?.accept === 'function' ? limitStore(inbox, overload) : inbox
  const receive = createReceiver({ ...options, inbox: limited })
  return async (delivery) => {
    try {
      return await receive(delivery)
    } finally {
      overload.release(delivery.body.length)
    }
  }
}

function limitStore(inbox: DeliveryStore, overload: Overload): DeliveryStore {
  return {
    async accept(delivery) {
      const waiting = overload.enter()
      try {
        return await inbox.accept(delivery)
      } finally {
        overload.leave(waiting)
      }
    },
  }
}
