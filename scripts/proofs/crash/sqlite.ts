import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { audit, tooFew } from '../shared/audit.ts'
import { inFolder } from '../shared/folder.ts'
import { type Asked, inThousands, type Result } from '../shared/program.ts'
import { between, randomFrom } from '../shared/random.ts'
import { launch, start } from '../shared/receiver.ts'
import { sendUntil, told, unexpected } from '../shared/senders.ts'
import { damageIn, drained, storedIn } from '../shared/sqlite.ts'
import { createTraffic } from '../shared/traffic.ts'

const CONNECTIONS = 16

/**
 * A receiver on a SQLite file is killed at random while deliveries come in, and started again on the same file. A third
 * of the kills fall into its start.
 */
export const crashSqlite = ({ dist, seed, quick, amount }: Asked): Promise<Result> =>
  inFolder(async (folder) => {
    const kills = amount ?? (quick ? 8 : 40)
    const random = randomFrom(seed)
    const traffic = createTraffic(randomFrom(`${seed} traffic`), seed)
    const path = join(folder, 'inbox.sqlite')
    const env = { INBOX: path }

    const first = await start({ dist, env })
    const { port } = first
    const sending = new AbortController()
    const tallied = sendUntil({
      traffic,
      random: randomFrom(`${seed} senders`),
      ports: [() => port],
      connections: CONNECTIONS,
      until: sending.signal,
    })

    let receiver: ReturnType<typeof launch> = first
    const broken: string[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      const early = kill > 0 && random() < 1 / 3
      if (!early && (await receiver.listening) === undefined)
        broken.push(`did not start: ${receiver.stderr()}`)
      await wait(early ? between(random, 20, 500) : between(random, 20, 1200))
      await receiver.kill()
      receiver = launch({ dist, env, port })
    }
    if ((await receiver.listening) === undefined) broken.push(`did not start: ${receiver.stderr()}`)
    await wait(500)
    sending.abort()
    const tally = await tallied
    const open = await drained(path)
    if (open > 0) broken.push(`${open} events were still open 30 s after the last delivery`)
    const code = await receiver.stop()
    if (code !== 0) broken.push(`the receiver ended with exit code ${code}: ${receiver.stderr()}`)

    const found = audit(traffic.sent, storedIn(path))
    const damage = damageIn(path)
    broken.push(...unexpected(tally), ...tooFew(found, kills), ...found.broken, ...damage)
    return {
      figures: [
        ['SQLite: kills (SIGKILL)', String(kills)],
        ['SQLite: deliveries', `${inThousands(tally.deliveries)}: ${told(tally)}`],
        ['SQLite: repetitions', inThousands(traffic.repeated())],
        ['SQLite: events sent', inThousands(traffic.sent.length)],
        ['SQLite: events acknowledged', inThousands(found.acknowledged)],
        ['SQLite: events stored', inThousands(found.stored)],
        ['SQLite: effects', inThousands(found.effects)],
        ['SQLite: lost', String(found.lost)],
        ['SQLite: doubled', String(found.doubled)],
        ['SQLite: integrity check', damage.length === 0 ? 'ok' : 'FAILED'],
      ],
      broken,
    }
  })
