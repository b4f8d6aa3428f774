// Kills receivers while they get deliveries, then checks that each acknowledged event took effect exactly once.
// npm run proof -- crash [kills] [--quick] [--seed <text>] [--only sqlite|postgres] [--write]

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { auditFigures, stopAndAudit, tooFewAcknowledged } from '../shared/audit.ts'
import { startPostgres } from '../shared/postgres.ts'
import { type ProofOptions, type ProofResult, proveParts } from '../shared/prove.ts'
import { between, choose, randomFrom } from '../shared/random.ts'
import { launch, type Receiver, type ReceiverOptions, start } from '../shared/receiver.ts'
import { formatResponses, sendUntilAborted, unexpectedResponses } from '../shared/senders.ts'
import { sqliteStore } from '../shared/sqlite.ts'
import { createTraffic } from '../shared/traffic.ts'

const PAUSE_MS = 200

/**
 * Keeps one receiver running, as a service manager does: starts it, and restarts it whenever it exits. A receiver that refuses to start, with one line and exit code 2,
 * is not a failure: the database may be down at that moment.
 */
async function supervise(options: ReceiverOptions) {
  const failures: string[] = []
  let receiver: Receiver = launch(options)
  const port = await receiver.listening
  if (port === undefined) throw new Error(`the receiver did not start: ${receiver.stderr().trim()}`)
  let stopping = false
  let started: Promise<unknown> = Promise.resolve()
  const killed = new WeakSet<Receiver>()

  async function watch(watched: Receiver): Promise<void> {
    const code = await watched.exited
    if (stopping) return
    if (!killed.has(watched)) {
      const output = watched.stderr().trim()
      const refusedToStart = code === 2 && output !== '' && !output.includes('\n')
      if (!refusedToStart) failures.push(`the receiver exited unexpectedly with code ${code}: ${output}`)
      await wait(PAUSE_MS)
    }
    if (!stopping) restart()
  }
  function restart(): void {
    receiver = launch({ ...options, port: port ?? 0 })
    started = receiver.listening
    void watch(receiver)
  }
  void watch(receiver)

  return {
    /** The port of the first start; restarts listen on the same port. */
    port,
    /** Every exit that the proof did not cause. */
    failures,
    stderr: () => receiver.stderr(),
    /** Kills the process; the next one is started. */
    async kill() {
      const victim = receiver
      killed.add(victim)
      await victim.kill()
    },
    /** Resolves when the receiver listens. */
    async ready() {
      for (;;) {
        const current = receiver
        await started
        if (current === receiver && receiver.isRunning()) return
        await wait(PAUSE_MS)
      }
    },
    /** Stops the receiver and does not restart it; resolves to the exit code. */
    async stop() {
      stopping = true
      return receiver.stop()
    },
  }
}

const KILLS_PER_RESTART_OF_POSTGRES = 4

/**
 * Runs two receivers on one Postgres; each sender alternates between them. Kills receivers at random, and stops and
 * starts Postgres itself in both ways.
 */
async function crashPostgres({ dist, seed, quick, amount }: ProofOptions): Promise<ProofResult> {
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
    const result = await stopAndAudit(receivers, postgres, traffic.sent)
    return {
      figures: [
        ['Postgres: kills (SIGKILL) of two receivers', String(kills)],
        ['Postgres: restarts of Postgres', `${restarts.immediate} immediate, ${restarts.fast} fast`],
        ['Postgres: deliveries', `${formatCount(tally.deliveries)}: ${formatResponses(tally)}`],
        ['Postgres: duplicate deliveries', formatCount(traffic.duplicates())],
        ['Postgres: events sent', formatCount(traffic.sent.length)],
        ...auditFigures('Postgres', result),
      ],
      violations: [
        ...receivers.flatMap(({ failures }) => failures),
        ...unexpectedResponses(tally),
        ...tooFewAcknowledged(result, kills),
        ...result.violations,
      ],
    }
  } finally {
    await postgres.remove()
  }
}

const CONNECTIONS = 16

/**
 * Kills a receiver at random while it stores deliveries in a SQLite file, and restarts it on the same file. A third of
 * the kills hit its start.
 */
const crashSqlite = ({ dist, seed, quick, amount }: ProofOptions): Promise<ProofResult> =>
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
    const store = sqliteStore(path)
    const result = await stopAndAudit([receiver], store, traffic.sent)
    violations.push(...unexpectedResponses(tally), ...tooFewAcknowledged(result, kills), ...result.violations)
    return {
      figures: [
        ['SQLite: kills (SIGKILL)', String(kills)],
        ['SQLite: deliveries', `${formatCount(tally.deliveries)}: ${formatResponses(tally)}`],
        ['SQLite: duplicate deliveries', formatCount(traffic.duplicates())],
        ['SQLite: events sent', formatCount(traffic.sent.length)],
        ...auditFigures('SQLite', result),
        ['SQLite: integrity check', store.problems().length === 0 ? 'ok' : 'FAILED'],
      ],
      violations,
    }
  })

await proveParts('crash', { sqlite: crashSqlite, postgres: crashPostgres })
