import type { Socket } from 'node:net'
import type { Delivery } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import { renewed } from '../renewal.ts'
import type { Target } from '../target.ts'
import { afterAwake } from '../time/awake.ts'
import { classify, timedOut } from './errors.ts'
import type { Sender } from './http.ts'
import { connect, requestBytes } from './socket.ts'

/**
 * Sends the first bytes of each truncated delivery, and keeps those connections open while it sends the others in turn,
 * each on a new connection: that is what a receiver sees of senders that are slow or have disappeared.
 */
export async function sendWhileHeld(
  deliveries: readonly Delivery[],
  target: Target,
  sender: Sender,
): Promise<Exchange[]> {
  const sockets: Socket[] = []
  const others: Sender[] = []
  try {
    const held = await Promise.all(
      deliveries.filter(isHeld).map((delivery) => hold(renewed(delivery), target, sockets)),
    )
    const exchanges: Exchange[] = []
    for (const delivery of deliveries) {
      if (isHeld(delivery)) continue
      const other = sender.onOneConnection()
      others.push(other)
      exchanges.push(await other.send(delivery))
    }
    return [...held, ...exchanges]
  } finally {
    for (const socket of sockets) socket.destroy()
    for (const other of others) other.close()
  }
}

function isHeld({ transport }: Delivery): boolean {
  return transport?.kind === 'truncated'
}

function hold(delivery: Delivery, target: Target, sockets: Socket[]): Promise<Exchange> {
  const after = delivery.transport?.kind === 'truncated' ? delivery.transport.after : 0
  return new Promise((resolve) => {
    const settle = (result: Partial<Exchange>): void => {
      cancel()
      resolve({ delivery, answer: undefined, error: undefined, ...result })
    }
    const cancel = afterAwake(target.timeoutMs, () => settle({ error: timedOut(target.timeoutMs) }))
    const socket = connect(target)
    sockets.push(socket)
    // A receiver may close the connection at any time. What it sends is read, so that it never waits for that.
    socket.on('error', (error) => settle({ error: classify(error) }))
    socket.resume()
    const [head, body] = requestBytes(delivery, target)
    socket.write(Buffer.concat([head, body.subarray(0, after)]), (error) => {
      if (!error) settle({ unanswered: true })
    })
  })
}
