import { serialize, sign } from '../../fixtures/index.ts'
import type { ServiceEvent } from '../../schemas/types.ts'

/**
 * Sends a valid delivery of an event.
 * @returns the time until the acknowledgment, in milliseconds
 * @throws Error if it is not acknowledged
 */
export async function deliver(url: string, secret: string, event: ServiceEvent): Promise<number> {
  const body = new Uint8Array(serialize(event))
  const { header } = sign({ secret, t: Math.floor(Date.now() / 1000), body })
  const headers = { 'content-type': 'application/json', 'x-service-signature': header }
  const begin = performance.now()
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`a valid delivery was answered ${response.status}`)
  return performance.now() - begin
}
