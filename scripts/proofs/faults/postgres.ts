import { setTimeout as wait } from 'node:timers/promises'
import { audit } from '../shared/audit.ts'
import { startPostgres } from '../shared/postgres.ts'
import { start } from '../shared/receiver.ts'
import { told, unexpected } from '../shared/senders.ts'
import { amissWith503, burst, countOf, type Fault, recovery, sendOne, trafficOf } from './fault.ts'

/** Postgres is away for ten seconds. */
export const postgresGone: Fault = async (asked) => {
  const postgres = await startPostgres()
  try {
    const receiver = await start({ dist: asked.dist, env: { INBOX: postgres.url } })
    const { port } = receiver
    const traffic = trafficOf(asked, 'postgres')
    const before = await burst(port, traffic, 1000)
    await postgres.stop('immediate')
    const during = await burst(port, traffic, asked.quick ? 2500 : 9000)
    const refused = await sendOne(port, traffic.next())
    await wait(500)
    await postgres.start()
    const tookMs = await recovery(port, traffic)
    const after = await burst(port, traffic, 1000)

    const broken = [before, during, after].flatMap(unexpected).concat(amissWith503(refused))
    if (countOf(during, 200) > 0) broken.push('a delivery was acknowledged while Postgres was away')
    if (tookMs === undefined) broken.push('no delivery was acknowledged within 20 s after Postgres was back')
    await postgres.ageAttempts()
    const open = await postgres.drained()
    if (open > 0) broken.push(`${open} events were still open 90 s later`)
    const code = await receiver.stop()
    if (code !== 0) broken.push(`the receiver ended with exit code ${code}: ${receiver.stderr().trim()}`)
    broken.push(...audit(traffic.sent, await postgres.stored()).broken)
    return {
      figures: [
        [
          'Postgres away',
          `meanwhile ${told(during)}; acknowledged again after ${tookMs ?? 'more than 20,000'} ms`,
        ],
      ],
      broken,
    }
  } finally {
    await postgres.remove()
  }
}
