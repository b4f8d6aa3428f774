import { createGenerator, serialize } from '../../../fixtures/index.ts'
import { openConnection } from '../shared/raw-connection.ts'
import { requestOf } from '../shared/traffic.ts'

/**
 * Sends deliveries of different payments.
 * @param connections how many are under way at the same time
 * @returns how many were answered with 200
 */
export async function deliver(
  port: number,
  seed: string,
  count: number,
  connections: number,
): Promise<number> {
  const generator = createGenerator(seed)
  let left = count
  let acknowledged = 0
  async function sender(): Promise<void> {
    const connection = openConnection(() => port)
    while (left > 0) {
      left -= 1
      const { status } = await connection.send(requestOf({ body: serialize(generator.event('completed')) }))
      if (status === 200) acknowledged += 1
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, sender))
  return acknowledged
}

/** Waits until the receiver has answered everything that it read before: then the trace contains these responses. */
export async function requestNothing(port: number): Promise<void> {
  const connection = openConnection(() => port)
  await connection.send(Buffer.from('GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'))
  connection.close()
}
