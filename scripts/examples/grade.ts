import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { type ConformanceReport, check, crash } from '../../conformance/index.ts'
import { createGenerator, serialize, sign } from '../../fixtures/index.ts'
import type { ServiceEvent } from '../../schemas/types.ts'
import { median } from '../shared/numbers.ts'
import { type CaseResults, resultsOf } from '../shared/results.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import type { Example } from './example.ts'
import { type Setting, settingIn, whileRunning } from './running.ts'

/**
 * Sends a valid delivery of an event.
 * @returns the time until the acknowledgment, in milliseconds
 * @throws Error if it is not acknowledged
 */
async function deliver(url: string, secret: string, event: ServiceEvent): Promise<number> {
  const body = new Uint8Array(serialize(event))
  const { header } = sign({ secret, t: Math.floor(Date.now() / 1000), body })
  const headers = { 'content-type': 'application/json', 'x-service-signature': header }
  const begin = performance.now()
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`a valid delivery was answered ${response.status}`)
  return performance.now() - begin
}

const DELIVERIES = 200

/**
 * Sends payments one after the other over one connection.
 * @returns the median time until the acknowledgment, in milliseconds
 * @throws Error if one is not acknowledged
 */
async function acknowledgmentMs(url: string, secret: string): Promise<number> {
  const generator = createGenerator(`acknowledgment ${Date.now()}`)
  const times: number[] = []
  for (let sent = 0; sent < DELIVERIES; sent += 1) {
    times.push(await deliver(url, secret, generator.event('completed')))
  }
  return median(times)
}

/** How long an example tries to handle an event while its database fails, in milliseconds. */
const FAILING_MS = 700
const HANDLED_WITHIN_MS = 10_000
const POLL_MS = 50

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
      await deliver(setting.url, setting.secret, event)
      return event
    }
    if (!(await isHandled(await pay(), setting))) return ['a payment was not handled']
    const restore = letUpdatesFail(path)
    const during = await pay()
    await pause(FAILING_MS)
    const isUnharmed = (await effectsOf(during, setting)) > 0
    restore()
    if (isUnharmed) return ['a payment was handled although no update of the database succeeds']
    if (await isHandled(await pay(), setting)) return []
    return ['an error of the database ended the work: the payments that follow it wait until a restart']
  })
}

/** Lets each update of the database fail. @returns what ends that */
function letUpdatesFail(path: string): () => void {
  const run = (statements: (table: string) => string) => {
    const database = new DatabaseSync(path, { timeout: HANDLED_WITHIN_MS })
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

async function isHandled(event: ServiceEvent, setting: Setting): Promise<boolean> {
  const deadline = performance.now() + HANDLED_WITHIN_MS
  while ((await effectsOf(event, setting)) === 0) {
    if (performance.now() > deadline) return false
    await pause(POLL_MS)
  }
  return true
}

async function effectsOf({ id }: ServiceEvent, { observe }: Setting): Promise<number> {
  const response = await fetch(`${observe}?payment_id=${encodeURIComponent(id)}`)
  const { effects } = (await response.json()) as { effects: readonly unknown[] }
  return effects.length
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

/** The result of an example. */
export interface Grade {
  /** Everything that is not as it should be, one line each; empty for an example that is right. */
  readonly faults: readonly string[]
  /** The conclusion, and the number of cases. */
  readonly result: string
  readonly acknowledgmentMs: number
  /** What is kept of its report. */
  readonly results: CaseResults
}

/**
 * Starts an installed example with an empty database, grades it in the full profile, and kills it if it is durable.
 * @param only globs of cases; all by default
 * @throws Error if it does not start, or does not answer
 */
export async function grade(example: Example, only: readonly string[] = []): Promise<Grade> {
  return withTemporaryFolder(async (folder) => {
    const started = await settingIn(folder, 'HOOKPROOF_SECRET')
    const { report, time } = await whileRunning(example, started, async ({ url, observe, secret }) => ({
      report: await check({ url, secret, profile: 'full', observe, only }),
      time: await acknowledgmentMs(url, secret),
    }))
    const faults = faultsOf(report)
    if (example.durable && only.length === 0) {
      faults.push(...(await faultsAfterCrashes(example, started)))
      if (example.store === 'SQLite') faults.push(...(await faultsAfterFailing(example, started)))
    }
    const { counts, verdicts, conclusion } = report
    const result = `${conclusion}, ${counts.passed} of ${verdicts.length} cases`
    return { faults, result, acknowledgmentMs: time, results: resultsOf(report) }
  })
}
