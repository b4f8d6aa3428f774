import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { audit, tooFewAcknowledged } from '../shared/audit.ts'
import type { ProofOptions, ProofResult } from '../shared/prove.ts'
import { randomFrom } from '../shared/random.ts'
import { launch, type Receiver } from '../shared/receiver.ts'
import { formatResponses, unexpectedResponses } from '../shared/senders.ts'
import { integrityProblems, storedStateOf, waitUntilProcessed } from '../shared/sqlite.ts'
import { createTraffic, type SentEvent } from '../shared/traffic.ts'
import { INBOX, inspect } from './inspect.ts'
import { createLoad } from './load.ts'
import { createMachine, type PowerCut } from './machine.ts'
import { MOMENTS, type Moment } from './moments.ts'

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
    const open = await waitUntilProcessed(path)
    if (open > 0) violations.push(`${open} events were still open 30 s after the last delivery`)
    for (const receiver of receivers) {
      const code = await receiver.stop()
      if (code !== 0) violations.push(`the receiver exited with code ${code}: ${receiver.stderr().trim()}`)
    }
    machine.close()

    const result = audit(traffic.sent, storedStateOf(path))
    const problems = integrityProblems(path)
    violations.push(
      ...blindness(cutsDone),
      ...unexpectedResponses(load.tally),
      ...tooFewAcknowledged(result, cuts),
      ...result.violations,
      ...problems,
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
      ['integrity check', damaged + problems.length === 0 ? 'ok after each cut' : 'FAILED'],
    ]
    return {
      figures: figures.map(([figure, value]) => [`${name}: ${figure}`, value]),
      violations: violations.map((violation) => `${name}: ${violation}`),
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
