import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { audit, tooFewAcknowledged } from '../shared/audit.ts'
import { startPostgres } from '../shared/postgres.ts'
import type { ProofOptions, ProofResult } from '../shared/prove.ts'
import { between, choose, randomFrom } from '../shared/random.ts'
import { formatResponses, sendUntilAborted, unexpectedResponses } from '../shared/senders.ts'
import { createTraffic } from '../shared/traffic.ts'
import { supervise } from './supervisor.ts'

const CONNECTIONS = 16
const KILLS_PER_RESTART_OF_POSTGRES = 4

/**
 * Runs two receivers on one Postgres; each sender alternates between them. Kills receivers at random, and stops and
 * starts Postgres itself in both ways.
 */
export async function crashPostgres({ dist, seed, quick, amount }: ProofOptions): Promise<ProofResult> {
  const kills = amount ?? (quick ? 8 : 24)
  const random = randomFrom(seed)
  const traffic = createTraffic(randomFrom(`${seed} traffic`), `${seed} postgres`)
  const postgres = await startPostgres()
  try {
    const options = { dist, env: { INBOX: postgres.url } }
    // Together, so that both create the tables.
    const receivers = await Promise.all([supervise(options), supervise(options)])
    const sending = new AbortController()
    const tallied = sendUntilAborted({
      traffic,
      random: randomFrom(`${seed} senders`),
      ports: receivers.map(
        ({ port }) =>
          () =>
            port,
      ),
      connections: CONNECTIONS,
      signal: sending.signal,
    })

    const restarts = { fast: 0, immediate: 0 }
    for (let kill = 0; kill < kills; kill += 1) {
      const victim = choose(random, receivers)
      // Without this wait most kills would hit the start, which takes longer than on SQLite.
      if (random() < 2 / 3) await victim.ready()
      await wait(between(random, 100, 1200))
      await victim.kill()
      if (kill % KILLS_PER_RESTART_OF_POSTGRES !== KILLS_PER_RESTART_OF_POSTGRES - 1) continue
      const mode = restarts.immediate > restarts.fast ? 'fast' : 'immediate'
      restarts[mode] += 1
      await postgres.stop(mode)
      await wait(between(random, 100, 2000))
      await postgres.start()
    }
    for (const receiver of receivers) await receiver.ready()
    await wait(1000)
    sending.abort()
    const tally = await tallied
    await postgres.ageAttempts()
    const open = await postgres.waitUntilProcessed()
    const violations = receivers.flatMap(({ failures }) => failures)
    if (open > 0) violations.push(`${open} events were still open 90 s after the last delivery`)
    for (const receiver of receivers) {
      const code = await receiver.stop()
      if (code !== 0) violations.push(`a receiver exited with code ${code}`)
    }

    const result = audit(traffic.sent, await postgres.storedState())
    violations.push(...unexpectedResponses(tally), ...tooFewAcknowledged(result, kills), ...result.violations)
    return {
      figures: [
        ['Postgres: kills (SIGKILL) of two receivers', String(kills)],
        ['Postgres: restarts of Postgres', `${restarts.immediate} immediate, ${restarts.fast} fast`],
        ['Postgres: deliveries', `${formatCount(tally.deliveries)}: ${formatResponses(tally)}`],
        ['Postgres: duplicate deliveries', formatCount(traffic.duplicates())],
        ['Postgres: events sent', formatCount(traffic.sent.length)],
        ['Postgres: events acknowledged', formatCount(result.acknowledged)],
        ['Postgres: events stored', formatCount(result.stored)],
        ['Postgres: effects', formatCount(result.effects)],
        ['Postgres: lost', String(result.lost)],
        ['Postgres: duplicated', String(result.duplicated)],
      ],
      violations,
    }
  } finally {
    await postgres.remove()
  }
}
