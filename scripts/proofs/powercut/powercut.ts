// Cuts the power under receivers with a SQLite file, emulated by a library that knows what they synced; then checks that
// each acknowledged event is still there and takes effect exactly once.
// npm run proof -- powercut [cuts] [--quick] [--seed <text>] [--only one|two|control] [--write]
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { stopAndAudit, tooFewAcknowledged } from '../shared/audit.ts'
import { type ProofOptions, type ProofResult, proveParts } from '../shared/prove.ts'
import { randomFrom } from '../shared/random.ts'
import { launch, type Receiver, start } from '../shared/receiver.ts'
import { formatResponses, unexpectedResponses } from '../shared/senders.ts'
import { integrityProblems, sqliteStore, storedStateOf } from '../shared/sqlite.ts'
import { createTraffic, type SentEvent } from '../shared/traffic.ts'
import type { Survivors } from './disk.ts'
import { createMachine, type PowerCut } from './machine.ts'
import { createLoad, MOMENTS, type Moment } from './moments.ts'

/** The name of the SQLite file. */
const INBOX = 'inbox.sqlite'

/** What is wrong with the files that a power cut left behind. */
interface Damage {
  /** The acknowledged events that are not in the inbox. */
  readonly lost: readonly SentEvent[]
  /** What SQLite reports about the file. */
  readonly problems: readonly string[]
}

/**
 * Opens a copy of the files, because opening them changes them.
 * @param folder does not exist yet
 */
function inspect(files: Survivors['files'], sent: readonly SentEvent[], folder: string): Damage {
  const acknowledged = sent.filter((event) => event.acknowledged)
  mkdirSync(folder)
  try {
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
    const path = join(folder, INBOX)
    if (!existsSync(path)) return { lost: acknowledged, problems: [] }
    const stored = new Set(storedStateOf(path).events.map(keyOf))
    const lost = acknowledged.filter((event) => !stored.has(keyOf(event)))
    return { lost, problems: integrityProblems(path) }
  } catch (error) {
    return { lost: acknowledged, problems: [String(error)] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const keyOf = ({ paymentId, event }: { readonly paymentId: string; readonly event: string }): string =>
  `${paymentId} ${event}`

interface CutsOptions extends ProofOptions {
  /** For the figures. */
  readonly name: string
  /** How many receivers have the file open. */
  readonly processes: number
  readonly cuts: number
  /** The moment of the first cut; the others follow in turns. */
  readonly firstMoment: number
}

/** Cuts the power again and again under receivers with one SQLite file, and checks after each cut what is left of it. */
const cutPower = (options: CutsOptions): Promise<ProofResult> =>
  withTemporaryFolder(async (root) => {
    const { dist, name, processes, cuts, firstMoment } = options
    const seed = `${options.seed} ${name}`
    const random = randomFrom(seed)
    const machine = createMachine(root)
    const traffic = createTraffic(randomFrom(`${seed} traffic`), seed)
    const ports: number[] = Array.from({ length: processes }, () => 0)
    const load = createLoad(
      traffic,
      seed,
      [...ports.keys()].map((index) => () => ports[index] ?? 0),
    )
    const path = join(machine.folder, INBOX)
    const env = { INBOX: path, ...machine.env }
    const violations: string[] = []
    const cutsDone: PowerCut[] = []
    const lost = new Set<SentEvent>()
    let damaged = 0
    const hits = new Map<string, number>()

    const launchAll = (): Receiver[] => ports.map((port) => launch({ dist, env, port }))
    async function listening(receivers: readonly Receiver[]): Promise<void> {
      for (const [index, receiver] of receivers.entries()) {
        const port = await receiver.listening
        if (port === undefined) violations.push(`the receiver did not start: ${receiver.stderr().trim()}`)
        else ports[index] = port
      }
    }

    async function runUntil(moment: Moment): Promise<void> {
      moment.beforeStart?.(machine, random)
      const receivers = launchAll()
      if (moment.beforeStart === undefined) await listening(receivers)
      load.start()
      const kill = (): Promise<unknown> => Promise.all(receivers.map((receiver) => receiver.kill()))
      const came = await moment.wait({ machine, receivers, load, random, kill })
      await kill()
      await load.stop()
      hits.set(moment.name, (hits.get(moment.name) ?? 0) + (came ? 1 : 0))
    }

    for (let cut = 1; cut <= cuts; cut += 1) {
      const moment = MOMENTS[(firstMoment + cut - 1) % MOMENTS.length]
      if (moment === undefined) throw new RangeError('there is no such moment')
      await runUntil(moment)
      const powerCut = machine.cutPower(random)
      cutsDone.push(powerCut)
      const damage = inspect(powerCut.files, traffic.sent, join(root, 'copy'))
      const newlyLost = damage.lost.filter((event) => !lost.has(event))
      for (const event of newlyLost) lost.add(event)
      if (damage.problems.length > 0) damaged += 1
      const problems = [
        ...(powerCut.differences ?? []),
        ...newlyLost.map(({ paymentId, event }) => `lost: ${paymentId} ${event} was acknowledged`),
        ...damage.problems,
      ]
      violations.push(...problems.map((problem) => `cut ${cut}, ${moment.name}: ${problem}`))
    }

    const receivers = launchAll()
    await listening(receivers)
    load.start()
    await wait(500)
    await load.stop()
    const store = sqliteStore(path)
    const result = await stopAndAudit(receivers, store, traffic.sent)
    machine.close()
    damaged += store.problems().length
    violations.push(
      ...blindness(cutsDone),
      ...unexpectedResponses(load.tally),
      ...tooFewAcknowledged(result, cuts),
      ...result.violations,
    )
    const sum = (valueOf: (cut: PowerCut) => number): string =>
      formatCount(cutsDone.map(valueOf).reduce((total, value) => total + value, 0))
    const figures: [string, string][] = [
      ['power cuts', `${cuts}: ${[...hits].map(([moment, count]) => `${moment} ${count}`).join(', ')}`],
      ['deliveries', `${formatCount(load.tally.deliveries)}: ${formatResponses(load.tally)}`],
      ['events acknowledged', formatCount(result.acknowledged)],
      ['syncs', sum((cut) => cut.syncs)],
      [
        'sectors written without a sync',
        `${sum((cut) => cut.lostSectors)} lost, ${sum((cut) => cut.keptSectors)} kept`,
      ],
      ['files compared with the record', `at ${comparedOf(cutsDone)} cuts`],
      ['lost', String(Math.max(lost.size, result.lost))],
      ['duplicated', String(result.duplicated)],
      ['integrity check', damaged === 0 ? 'ok after each cut' : 'FAILED'],
    ]
    return {
      figures: figures.map(([figure, value]) => [`${name}: ${figure}`, value]),
      violations,
    }
  })

const comparedOf = (cuts: readonly PowerCut[]): number =>
  cuts.filter(({ differences }) => differences !== undefined).length

/** Why the cuts prove nothing. */
function blindness(cuts: readonly PowerCut[]): string[] {
  const compared = comparedOf(cuts)
  return [
    ...(compared < cuts.length / 2
      ? [`only ${compared} of ${cuts.length} cuts could be compared with the record`]
      : []),
    ...(cuts.some(({ lostSectors }) => lostSectors > 0) ? [] : ['no cut lost a write that was not synced']),
    ...(cuts.some(({ syncs }) => syncs > 0) ? [] : ['the recorder saw no sync']),
  ]
}

/** A power cut under a receiver whose syncs do nothing: if no acknowledged event is lost, the proof could not see a loss. */
const controlWithoutSyncs = ({ dist, seed }: ProofOptions): Promise<ProofResult> =>
  withTemporaryFolder(async (root) => {
    const machine = createMachine(root)
    const traffic = createTraffic(randomFrom(`${seed} control`), `${seed} control`)
    const receiver = await start({ dist, env: { INBOX: join(machine.folder, INBOX), ...machine.env } })
    const load = createLoad(traffic, `${seed} control`, [() => receiver.port])
    machine.hideSyncs()
    load.start()
    await wait(500)
    await receiver.kill()
    await load.stop()
    const nothingSurvives = machine.cutPower(() => 0)
    machine.close()

    const { lost } = inspect(nothingSurvives.files, traffic.sent, join(root, 'copy'))
    const acknowledged = traffic.sent.filter((event) => event.acknowledged).length
    const figure = `${formatCount(lost.length)} of ${formatCount(acknowledged)} acknowledged events`
    return {
      figures: [['control, syncs do nothing: lost', figure]],
      violations: lost.length > 0 ? [] : ['control: syncs did nothing, and no event was lost'],
    }
  })

const cutsOf = ({ quick, amount }: ProofOptions): number => amount ?? (quick ? 5 : 36)

await proveParts('powercut', {
  one: (options) =>
    cutPower({ ...options, name: 'one receiver', processes: 1, cuts: cutsOf(options), firstMoment: 0 }),
  // A short run of both parts still has every moment.
  two: (options) =>
    cutPower({ ...options, name: 'two receivers', processes: 2, cuts: cutsOf(options), firstMoment: 4 }),
  control: controlWithoutSyncs,
})
