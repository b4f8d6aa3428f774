import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { audit, tooFewAcknowledged } from '../shared/audit.ts'
import type { ProofOptions, ProofResult } from '../shared/prove.ts'
import { between, randomFrom } from '../shared/random.ts'
import { launch, type Receiver, start } from '../shared/receiver.ts'
import { formatResponses, sendUntilAborted, unexpectedResponses } from '../shared/senders.ts'
import { integrityProblems, storedStateOf, waitUntilProcessed } from '../shared/sqlite.ts'
import { createTraffic } from '../shared/traffic.ts'

const CONNECTIONS = 16

/**
 * Kills a receiver at random while it stores deliveries in a SQLite file, and restarts it on the same file. A third of
 * the kills hit its start.
 */
export const crashSqlite = ({ dist, seed, quick, amount }: ProofOptions): Promise<ProofResult> =>
  withTemporaryFolder(async (folder) => {
    const kills = amount ?? (quick ? 8 : 40)
    const random = randomFrom(seed)
    const traffic = createTraffic(randomFrom(`${seed} traffic`), seed)
    const path = join(folder, 'inbox.sqlite')
    const env = { INBOX: path }

    const first = await start({ dist, env })
    const { port } = first
    const sending = new AbortController()
    const tallied = sendUntilAborted({
      traffic,
      random: randomFrom(`${seed} senders`),
      ports: [() => port],
      connections: CONNECTIONS,
      signal: sending.signal,
    })

    let receiver: Receiver = first
    const violations: string[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      const duringStart = kill > 0 && random() < 1 / 3
      if (!duringStart && (await receiver.listening) === undefined)
        violations.push(`the receiver did not start: ${receiver.stderr()}`)
      await wait(duringStart ? between(random, 20, 500) : between(random, 20, 1200))
      await receiver.kill()
      receiver = launch({ dist, env, port })
    }
    if ((await receiver.listening) === undefined)
      violations.push(`the receiver did not start: ${receiver.stderr()}`)
    await wait(500)
    sending.abort()
    const tally = await tallied
    const open = await waitUntilProcessed(path)
    if (open > 0) violations.push(`${open} events were still open 30 s after the last delivery`)
    const code = await receiver.stop()
    if (code !== 0) violations.push(`the receiver exited with code ${code}: ${receiver.stderr()}`)

    const result = audit(traffic.sent, storedStateOf(path))
    const problems = integrityProblems(path)
    violations.push(
      ...unexpectedResponses(tally),
      ...tooFewAcknowledged(result, kills),
      ...result.violations,
      ...problems,
    )
    return {
      figures: [
        ['SQLite: kills (SIGKILL)', String(kills)],
        ['SQLite: deliveries', `${formatCount(tally.deliveries)}: ${formatResponses(tally)}`],
        ['SQLite: duplicate deliveries', formatCount(traffic.duplicates())],
        ['SQLite: events sent', formatCount(traffic.sent.length)],
        ['SQLite: events acknowledged', formatCount(result.acknowledged)],
        ['SQLite: events stored', formatCount(result.stored)],
        ['SQLite: effects', formatCount(result.effects)],
        ['SQLite: lost', String(result.lost)],
        ['SQLite: duplicated', String(result.duplicated)],
        ['SQLite: integrity check', problems.length === 0 ? 'ok' : 'FAILED'],
      ],
      violations,
    }
  })
