import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { type ConformanceReport, check, crash } from '../../conformance/index.ts'
import { createGenerator, serialize } from '../../fixtures/index.ts'
import { median } from '../shared/numbers.ts'
import { type CaseResults, resultsOf } from '../shared/results.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { deliver, effectsOf, hasEffects } from './deliveries.ts'
import type { Example } from './example.ts'
import { type OddFault, sendOddEvents, unhandledEvents } from './odd-events.ts'
import { type Setting, settingIn, whileRunning } from './running.ts'

const DELIVERIES = 200

/**
 * Sends payments one after the other over one connection.
 * @returns the median time until the acknowledgment, in milliseconds
 * @throws Error if one is not acknowledged
 */
async function acknowledgmentMs(setting: Setting): Promise<number> {
  const generator = createGenerator(`acknowledgment ${Date.now()}`)
  const times: number[] = []
  for (let sent = 0; sent < DELIVERIES; sent += 1) {
    times.push(await deliver(setting, serialize(generator.event('completed'))))
  }
  return median(times)
}

/** How long an example tries to handle an event while its database fails, in milliseconds. */
const FAILING_MS = 700
const LOCKED_MS = 10_000

/**
 * Lets the database of an example fail for a while: it still stores events, and no work on them can be marked as done.
 * Afterwards, the example must handle the next event without a restart.
 * @returns what is not as it should be, one line each
 * @throws Error if it does not start, or a delivery is not acknowledged
 */
async function faultsAfterFailing(
  example: Pick<Example, 'start' | 'folder'>,
  setting: Setting,
): Promise<string[]> {
  const path = setting.env['DATABASE'] ?? ''
  const generator = createGenerator(`failing ${Date.now()}`)
  return whileRunning(example, setting, async () => {
    const pay = async () => {
      const event = generator.event('completed')
      await deliver(setting, serialize(event))
      return event
    }
    if (!(await hasEffects(1, await pay(), setting))) return ['a payment was not handled']
    const restore = letUpdatesFail(path)
    const during = await pay()
    await pause(FAILING_MS)
    const isUnharmed = (await effectsOf(during, setting)).length > 0
    restore()
    if (isUnharmed) return ['a payment was handled although no update of the database succeeds']
    if (await hasEffects(1, await pay(), setting)) return []
    return ['an error of the database ended the work: the payments that follow it wait until a restart']
  })
}

/** Lets each update of the database fail. @returns what ends that */
function letUpdatesFail(path: string): () => void {
  const run = (statements: (table: string) => string) => {
    const database = new DatabaseSync(path, { timeout: LOCKED_MS })
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    for (const { name } of tables as { name: string }[]) {
      if (!name.startsWith('sqlite_')) database.exec(statements(name))
    }
    database.close()
  }
  run(
    (table) =>
      `CREATE TRIGGER "fail_${table}" BEFORE UPDATE ON "${table}" BEGIN SELECT RAISE(ABORT, 'the disk fails'); END`,
  )
  return () => run((table) => `DROP TRIGGER "fail_${table}"`)
}

/** One of each kind of moment: on a 200, some time after it, before the effect, and again while the receiver starts. */
const ROUNDS = 4
const RECOVER_WITHIN_MS = 20_000

/**
 * Kills an example while it handles payments, and starts it again with the same database (`hookproof crash`).
 * @returns what is not as it should be, one line each
 * @throws Error if it does not start
 */
async function faultsAfterCrashes(
  example: Example,
  { url, observe, secret, env }: Setting,
): Promise<string[]> {
  const report = await crash({
    url,
    observe,
    secret,
    start: example.start,
    cwd: example.folder,
    env,
    rounds: ROUNDS,
    recoverWithinMs: RECOVER_WITHIN_MS,
  })
  return faultsOf(report)
}

/** Everything that keeps a report from being perfect, one line each: the diagnosis, then what did not pass. */
function faultsOf({ profile, conclusion, diagnosis, verdicts }: ConformanceReport): string[] {
  const others = verdicts.filter(({ outcome }) => outcome !== 'passed')
  return [
    ...(conclusion === 'conformant' ? [] : [`${profile}: the conclusion is ${conclusion}`]),
    ...(others.length === 0 || diagnosis === null ? [] : [`${profile}: ${diagnosis}`]),
    ...others.map(({ outcome, level, case: id, problems, reason }) => {
      const received = problems[0]?.received ?? reason
      return `${outcome} (${level}): ${id}${received == null ? '' : `: ${received}`}`
    }),
  ]
}

/** What an example has not handled, or has taken for live money, one line each. */
async function faultsAfterWork(
  { store }: Example,
  { env }: Setting,
  judge: () => Promise<OddFault[]>,
): Promise<string[]> {
  const faults = (await judge()).map(({ text }) => text)
  const unhandled = store === 'SQLite' ? await unhandledEvents(env['DATABASE'] ?? '') : 0
  return unhandled > 0 ? [...faults, `${unhandled} acknowledged events are not handled`] : faults
}

/** The result of an example. */
export interface Grade {
  /** Everything that is not as it should be, one line each; empty for an example that is right. */
  readonly faults: readonly string[]
  /** What is kept of its report. */
  readonly results: CaseResults
}

/**
 * Starts an installed example with an empty database, grades it in the full profile, and kills it if it is durable.
 * @param only globs of cases; all by default
 * @param isShort grades it in the core profile, and does not kill it
 * @throws Error if it does not start, or does not answer
 */
export async function grade(example: Example, only: readonly string[], isShort: boolean): Promise<Grade> {
  return withTemporaryFolder(async (folder) => {
    const started = await settingIn(folder, 'HOOKPROOF_SECRET')
    const { report, time, judge, odd } = await whileRunning(example, started, async (setting) => {
      const { url, observe, secret } = setting
      const report = await check({ url, secret, profile: isShort ? 'core' : 'full', observe, only })
      const time = await acknowledgmentMs(setting)
      const judge = await sendOddEvents(setting)
      return { report, time, judge, odd: await faultsAfterWork(example, setting, judge) }
    })
    // What a busy machine kept from being handled is handled after a restart, like what a crash left behind.
    const remaining =
      odd.length > 0 && example.durable
        ? await whileRunning(example, started, () => faultsAfterWork(example, started, judge))
        : odd
    const faults = [...faultsOf(report), ...remaining]
    if (example.durable && only.length === 0 && !isShort) {
      faults.push(...(await faultsAfterCrashes(example, started)))
      if (example.store === 'SQLite') faults.push(...(await faultsAfterFailing(example, started)))
    }
    return { faults, results: resultsOf(report, time) }
  })
}
