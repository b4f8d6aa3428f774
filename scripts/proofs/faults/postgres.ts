import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { stopAndAudit, tooFewAcknowledged } from '../shared/audit.ts'
import { startPostgres } from '../shared/postgres.ts'
import { start } from '../shared/receiver.ts'
import { countOf, formatResponses, unexpectedResponses } from '../shared/senders.ts'
import {
  burst,
  type Fault,
  formatRecovery,
  problemsWith503,
  recoveryTime,
  sendOne,
  trafficOf,
} from './fault.ts'

/** Postgres is down for ten seconds. */
export const postgresDown: Fault = async (options) => {
  const postgres = await startPostgres()
  try {
    const receiver = await start({ dist: options.dist, env: { INBOX: postgres.url } })
    const { port } = receiver
    const traffic = trafficOf(options, 'postgres')
    const before = await burst(port, traffic, 1000)
    await postgres.stop('immediate')
    const during = await burst(port, traffic, options.quick ? 2500 : 9000)
    const rejected = await sendOne(port, traffic.nextNew())
    await wait(500)
    await postgres.start()
    const recoveredMs = await recoveryTime(port, traffic)
    const after = await burst(port, traffic, 1000)

    const violations = [before, during, after].flatMap(unexpectedResponses).concat(problemsWith503(rejected))
    if (countOf(during, 200) > 0) violations.push('a delivery was acknowledged while Postgres was down')
    if (recoveredMs === undefined)
      violations.push('no delivery was acknowledged within 20 s after Postgres was restarted')
    violations.push(...(await stopAndAudit([receiver], postgres, traffic.sent)).violations)
    return {
      figures: [
        ['Postgres down', `${formatResponses(during)} during the outage; ${formatRecovery(recoveredMs)}`],
      ],
      violations,
    }
  } finally {
    await postgres.remove()
  }
}

/** Commits that do not wait for the disk stay in memory for as long as Postgres allows. */
const ASYNC_COMMITS = {
  synchronous_commit: 'off',
  wal_writer_delay: '10s',
  wal_writer_flush_after: '1GB',
}

/**
 * Someone turns synchronous_commit off for the entire server while the receiver is running, and Postgres crashes during
 * deliveries. Nothing that was acknowledged may be lost.
 */
export const postgresAsync: Fault = async (options) => {
  const postgres = await startPostgres()
  try {
    const receiver = await start({ dist: options.dist, env: { INBOX: postgres.url } })
    const { port } = receiver
    const traffic = trafficOf(options, 'postgres async')
    await postgres.configure(ASYNC_COMMITS)
    const violations: string[] = []
    const crashes = options.quick ? 3 : 10
    for (let crash = 0; crash < crashes; crash += 1) {
      const sending = burst(port, traffic, 1000)
      await wait(800)
      await postgres.stop('immediate')
      violations.push(...unexpectedResponses(await sending))
      await postgres.start()
      if ((await recoveryTime(port, traffic)) === undefined)
        violations.push('no delivery was acknowledged within 20 s after Postgres was restarted')
    }
    const result = await stopAndAudit([receiver], postgres, traffic.sent)
    violations.push(...tooFewAcknowledged(result, crashes), ...result.violations)
    return {
      figures: [
        [
          'Postgres with asynchronous commits',
          `${crashes} crashes, ${formatCount(result.acknowledged)} acknowledged, ${formatCount(result.lost)} lost`,
        ],
      ],
      violations,
    }
  } finally {
    await postgres.remove()
  }
}
