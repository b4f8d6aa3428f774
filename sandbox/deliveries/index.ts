import { type QueueOptions, startQueue } from './queue.ts'
import { redelivery } from './redeliver.ts'
import { type Route, routeMap } from './routes.ts'
import { createSender, type SenderOptions } from './sender.ts'

export interface DeliveriesOptions extends Omit<QueueOptions, 'sender'>, Omit<SenderOptions, 'routes'> {
  readonly store: Parameters<typeof redelivery>[0]['store']
  /** The operator's routes. Those of listeners, `forwards`, take precedence. */
  readonly routes?: readonly Route[] | undefined
}

export type Deliveries = ReturnType<typeof startDeliveries>

/**
 * Starts the deliveries of a sandbox: the queue, its sender and manual resends (interface 4.4, 4.7, 4.8 and 6).
 * @throws RouteError if two routes have the same `from`
 */
export function startDeliveries({ routes = [], ...options }: DeliveriesOptions) {
  const { store, clock, onFailure = () => {} } = options
  const sender = createSender({ ...options, routes: routeMap(routes) })
  const queue = startQueue({ ...options, sender })
  const manual = redelivery({ store, clock, queue, onFailure })
  return {
    ...queue,
    ...manual,
    async close() {
      manual.stopRedelivering()
      await queue.close()
      sender.close()
    },
  }
}
