import { setTimeout as wait } from 'node:timers/promises'
import { audit, tooFew } from '../shared/audit.ts'
import { startPostgres } from '../shared/postgres.ts'
import { type Asked, inThousands, type Result } from '../shared/program.ts'
import { between, choose, randomFrom } from '../shared/random.ts'
import { sendUntil, told, unexpected } from '../shared/senders.ts'
import { createTraffic } from '../shared/traffic.ts'
import { supervise } from './supervisor.ts'

const CONNECTIONS = 16
/** One restart of Postgres for so many kills of a receiver. */
const KILLS_PER_RESTART = 4

/**
 * Two receivers on one Postgres, each sender going from one to the other. Receivers are killed at random, and Postgres
 * itself is stopped in both ways and started again.
 */
export async function crashPostgres({ dist, seed, quick, amount }: Asked): Promise<Result> {
  const kills = amount ?? (quick ? 8 : 24)
  const random = randomFrom(seed)
  const traffic = createTraffic(randomFrom(`${seed} traffic`), `${seed} postgres`)
  const postgres = await startPostgres()
  try {
    const launched = { dist, env: { INBOX: postgres.url } }
    // Both at once, so that both make the tables.
    const receivers = await Promise.all([supervise(launched), supervise(launched)])
    const sending = new AbortController()
    const tallied = sendUntil({
      traffic,
      random: randomFrom(`${seed} senders`),
      ports: receivers.map(
        ({ port }) =>
          () =>
            port,
      ),
      connections: CONNECTIONS,
      until: sending.signal,
    })

    const restarts = { fast: 0, immediate: 0 }
    for (let kill = 0; kill < kills; kill += 1) {
      const victim = choose(random, receivers)
      // Else it may well be killed during its start, which takes longer than on SQLite.
      if (random() < 2 / 3) await victim.ready()
      await wait(between(random, 100, 1200))
      await victim.kill()
      if (kill % KILLS_PER_RESTART !== KILLS_PER_RESTART - 1) continue
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
    const open = await postgres.drained()
    const broken = receivers.flatMap(({ failures }) => failures)
    if (open > 0) broken.push(`${open} events were still open 90 s after the last delivery`)
    for (const receiver of receivers) {
      const code = await receiver.stop()
      if (code !== 0) broken.push(`a receiver ended with exit code ${code}`)
    }

    const found = audit(traffic.sent, await postgres.stored())
    broken.push(...unexpected(tally), ...tooFew(found, kills), ...found.broken)
    return {
      figures: [
        ['Postgres: kills (SIGKILL) of two receivers', String(kills)],
        ['Postgres: restarts of Postgres', `${restarts.immediate} immediate, ${restarts.fast} fast`],
        ['Postgres: deliveries', `${inThousands(tally.deliveries)}: ${told(tally)}`],
        ['Postgres: repetitions', inThousands(traffic.repeated())],
        ['Postgres: events sent', inThousands(traffic.sent.length)],
        ['Postgres: events acknowledged', inThousands(found.acknowledged)],
        ['Postgres: events stored', inThousands(found.stored)],
        ['Postgres: effects', inThousands(found.effects)],
        ['Postgres: lost', String(found.lost)],
        ['Postgres: doubled', String(found.doubled)],
      ],
      broken,
    }
  } finally {
    await postgres.remove()
  }
}
