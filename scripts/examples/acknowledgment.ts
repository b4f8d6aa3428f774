import { createGenerator } from '../../fixtures/index.ts'
import { median } from '../shared/numbers.ts'
import { deliver } from './deliver.ts'

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
    times.push(await deliver(url, secret, generator.event('completed')))
  }
  return median(times)
}
