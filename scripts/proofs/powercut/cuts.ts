import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { audit, tooFewAcknowledged } from '../shared/audit.ts'
import type { ProofOptions, ProofResult } from '../shared/prove.ts'
import { type Random, randomFrom } from '../shared/random.ts'
import { launch, type Receiver } from '../shared/receiver.ts'
import { formatResponses, unexpectedResponses } from '../shared/senders.ts'
import { integrityProblems, storedStateOf, waitUntilProcessed } from '../shared/sqlite.ts'
import { createTraffic, type SentEvent } from '../shared/traffic.ts'
import type { Survivors } from './disk.ts'
import { createLoad } from './load.ts'
import { createMachine, type Machine } from './machine.ts'
import { MOMENTS, type Moment } from './moments.ts'

const INBOX = 'inbox.sqlite'

export interface CutsOptions extends ProofOptions {
  /** For the figures. */
  readonly name: string
  /** How many receivers have the file open. */
  readonly processes: number
  readonly cuts: number
  /** The moment of the first cut; the others follow in turns. */
  readonly firstMoment: number
}

/** Cuts the power again and again under receivers with one SQLite file, and checks after each cut what is left of it. */
export const cutPower = (options: CutsOptions): Promise<ProofResult> =>
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
    const total = { syncs: 0, kept: 0, lost: 0, compared: 0 }
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
      const { syncs, differences, keptSectors, lostSectors, files } = machine.cutPower(random)
      total.syncs += syncs
      total.kept += keptSectors
      total.lost += lostSectors
      total.compared += differences === undefined ? 0 : 1
      const problems = [...(differences ?? []), ...problemsWith(files, traffic.sent, root)]
      violations.push(...problems.map((problem) => `cut ${cut}, ${moment.name}: ${problem}`))
    }

    const receivers = launchAll()
    await listening(receivers)
    load.start()
    await wait(500)
    await load.stop()
    const open = await waitUntilProcessed(path)
    if (open > 0) violations.push(`${open} events were still open 30 s after the last delivery`)
    for (const receiver of receivers) {
      const code = await receiver.stop()
      if (code !== 0) violations.push(`the receiver exited with code ${code}: ${receiver.stderr().trim()}`)
    }
    machine.close()

    const result = audit(traffic.sent, storedStateOf(path))
    if (total.compared < cuts / 2)
      violations.push(`the files could be compared with the record at ${total.compared} cuts only`)
    if (total.syncs === 0 || total.lost === 0)
      violations.push('no unsynced write was lost: the cuts proved nothing')
    violations.push(
      ...unexpectedResponses(load.tally),
      ...tooFewAcknowledged(result, cuts),
      ...result.violations,
      ...integrityProblems(path),
    )
    const figures: [string, string][] = [
      ['power cuts', `${cuts}: ${[...hits].map(([moment, count]) => `${moment} ${count}`).join(', ')}`],
      ['deliveries', `${formatCount(load.tally.deliveries)}: ${formatResponses(load.tally)}`],
      ['events acknowledged', formatCount(result.acknowledged)],
      ['syncs', formatCount(total.syncs)],
      ['sectors without a sync', `${formatCount(total.lost)} lost, ${formatCount(total.kept)} kept`],
      ['files compared with the record', `at ${total.compared} cuts`],
      ['lost', String(result.lost)],
      ['duplicated', String(result.duplicated)],
      ['integrity check', violations.some((line) => line.includes('integrity check')) ? 'FAILED' : `ok`],
    ]
    return {
      figures: figures.map(([figure, value]) => [`${name}: ${figure}`, value]),
      violations: violations.map((violation) => `${name}: ${violation}`),
    }
  })

/** What is wrong with the files that a power cut left behind, which are copied: opening them would change them. */
function problemsWith(files: Survivors['files'], sent: readonly SentEvent[], root: string): string[] {
  const acknowledged = sent.filter((event) => event.acknowledged)
  const lost = lostEvents(files, acknowledged, root)
  return [
    ...lost.events.map(({ paymentId, event }) => `lost: ${paymentId} ${event} was acknowledged`),
    ...lost.problems.map((problem) => `integrity check: ${problem}`),
  ]
}

function lostEvents(
  files: Survivors['files'],
  acknowledged: readonly SentEvent[],
  root: string,
): { events: readonly SentEvent[]; problems: readonly string[] } {
  const folder = join(root, 'copy')
  mkdirSync(folder)
  try {
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
    const path = join(folder, INBOX)
    if (!existsSync(path)) return { events: acknowledged, problems: [] }
    const keyOf = ({ paymentId, event }: { paymentId: string; event: string }) => `${paymentId} ${event}`
    const stored = new Set(storedStateOf(path).events.map(keyOf))
    return {
      events: acknowledged.filter((event) => !stored.has(keyOf(event))),
      problems: integrityProblems(path),
    }
  } catch (error) {
    return { events: acknowledged, problems: [String(error)] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The same with syncs that do nothing: the proof must be able to see a loss. */
export const controlWithoutSyncs = ({ dist, seed }: ProofOptions): Promise<ProofResult> =>
  withTemporaryFolder(async (root) => {
    const machine: Machine = createMachine(root)
    const traffic = createTraffic(randomFrom(`${seed} control`), `${seed} control`)
    const receiver = launch({ dist, env: { INBOX: join(machine.folder, INBOX), ...machine.env } })
    const port = await receiver.listening
    if (port === undefined) throw new Error(`the receiver did not start: ${receiver.stderr().trim()}`)
    const load = createLoad(traffic, `${seed} control`, [() => port])
    machine.hideSyncs()
    load.start()
    await wait(500)
    await receiver.kill()
    await load.stop()
    const nothingSurvives: Random = () => 0
    const { files } = machine.cutPower(nothingSurvives)
    machine.close()
    const acknowledged = traffic.sent.filter((event) => event.acknowledged)
    const { events: lost } = lostEvents(files, acknowledged, root)
    return {
      figures: [
        [
          'control, syncs do nothing: lost',
          `${formatCount(lost.length)} of ${formatCount(acknowledged.length)} acknowledged`,
        ],
      ],
      violations:
        lost.length > 0
          ? []
          : ['control: syncs did nothing and nothing was lost: the proof cannot see a loss'],
    }
  })
