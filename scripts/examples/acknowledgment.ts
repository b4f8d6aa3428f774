import { createGenerator, serialize, sign } from '../../fixtures/index.ts'
import { median } from '../shared/numbers.ts'

const DELIVERIES = 200

/**
 * Sends payments one after the other over one connection.
 * @returns the median time until the acknowledgment, in milliseconds
 * @throws Error if one is not acknowledged
 */
export async function acknowledgmentMs(url: string, secret: string): Promise<number> {
  const generator = createGenerator(`acknowledgment ${Date.now()}`)
  const times: number[] = []
  for (let sent = 0; sent < DELIVERIES; sent += 1) {
    const body = serialize(generator.event('completed'))
    const { header } = sign({ secret, t: Math.floor(Date.now() / 1000), body })
    const begin = performance.now()
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': header },
      body: new Uint8Array(body),
    })
    await response.arrayBuffer()
    times.push(performance.now() - begin)
    if (response.status !== 200) throw new Error(`a valid delivery was answered ${response.status}`)
  }
  return median(times)
}
