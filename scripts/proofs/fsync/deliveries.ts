import { createGenerator, serialize } from '../../../fixtures/index.ts'
import { openConnection } from '../shared/raw-connection.ts'
import { requestOf } from '../shared/traffic.ts'

export interface Deliveries {
  readonly port: number
  readonly seed: string
  /** How many payments there are, with one event each. */
  readonly count: number
  /** How many of them are under way at the same time. */
  readonly atOnce: number
  /** The port of a second receiver. It gets, one at a time, copies of what the first one has just been sent. */
  readonly copiesTo?: number | undefined
}

/** How many deliveries were sent, and how many were answered with 200. */
export interface Delivered {
  sent: number
  acknowledged: number
}

/** Sends deliveries of different payments. */
export async function deliver(deliveries: Deliveries): Promise<Delivered> {
  const { port, seed, count, atOnce, copiesTo } = deliveries
  const generator = createGenerator(seed)
  const delivered: Delivered = { sent: 0, acknowledged: 0 }
  let left = count
  let latest: Buffer | undefined

  async function sendAll(to: number, next: () => Buffer | undefined): Promise<void> {
    const connection = openConnection(() => to)
    for (let request = next(); request !== undefined; request = next()) {
      delivered.sent += 1
      const { status } = await connection.send(request)
      if (status === 200) delivered.acknowledged += 1
    }
    connection.close()
  }
  function nextNew(): Buffer | undefined {
    if (left === 0) return undefined
    left -= 1
    latest = requestOf({ body: serialize(generator.event('completed')) })
    return latest
  }
  const nextCopy = (): Buffer | undefined => (left === 0 ? undefined : latest)

  const senders = Array.from({ length: atOnce }, () => sendAll(port, nextNew))
  if (copiesTo !== undefined) senders.push(sendAll(copiesTo, nextCopy))
  await Promise.all(senders)
  return delivered
}

/** Waits until the receiver has answered everything that it read before: then the trace contains these responses. */
export async function requestNothing(port: number): Promise<void> {
  const connection = openConnection(() => port)
  await connection.send(Buffer.from('GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'))
  connection.close()
}
