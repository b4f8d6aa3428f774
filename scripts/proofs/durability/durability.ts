// Runs `hookproof crash` against receivers with one mistake each, which it must detect, and against correct ones, which it
// must not fail: small ones with a journal, and the reference receiver on SQLite and Postgres.
// npm run proof -- durability [rounds] [--quick] [--seed <text>] [--only mutants|variants|sqlite|postgres] [--write]
import { join } from 'node:path'
import { crash } from '../../../conformance/crash/crash.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { CRASH_MUTANTS, CRASH_VARIANTS, rotateEnvOf } from '../../../test/crash/mutants.ts'
import { freePort } from '../../shared/free-port.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { startPostgres } from '../shared/postgres.ts'
import { type ProofOptions, type ProofResult, proveParts } from '../shared/prove.ts'
import { repeat } from './repeat.ts'

const SECRET = 'whsec_of_the_proof_of_durability'
const JOURNAL = 'exec node test/crash/receiver.mjs'
/** The slowest of the small receivers is idle for a second before it recovers. */
const RECOVER_WITHIN_MS = 4_000
/** The Postgres inbox looks for attempts of killed processes every 30 s. */
const TAKE_OVER_WITHIN_MS = 90_000
const AGE_EVERY_MS = 1_000
const RUNS = { mutants: 3, variants: 10 }
/** Every kind of moment, and most of them twice. */
const QUICK_ROUNDS = 6
const ROUNDS = 10
const REFERENCE_ROUNDS = 20
/** So few that none has to wait for a processor. */
const AT_ONCE = 4

/** Each receiver with a mistake must fail its cases, and no other. */
async function gradeMutants(options: ProofOptions): Promise<ProofResult> {
  const { quick, amount } = options
  const violations: string[] = []
  const undetected = new Set<string>()
  const runs = await eachRun(Object.keys(CRASH_MUTANTS), RUNS.mutants, options, async (name, run, seed) => {
    const cases: readonly string[] = CRASH_MUTANTS[name] ?? []
    const missedBy = (failed: readonly string[]) => cases.filter((id) => !failed.includes(id))
    let failed = failedIn(await gradeJournal(name, roundsOf(options), seed))
    // Fewer rounds than the command has by default may miss the moment of the mistake.
    if (quick && amount === undefined && missedBy(failed).length > 0)
      failed = failedIn(await gradeJournal(name, ROUNDS, seed))
    const missed = missedBy(failed)
    const others = failed.filter((id) => !cases.includes(id))
    if (missed.length > 0) violations.push(`${name}, run ${run}: not detected by ${missed.join(', ')}`)
    if (others.length > 0) violations.push(`${name}, run ${run}: also failed ${others.join(', ')}`)
    if (missed.length > 0) undetected.add(name)
  })
  const all = Object.keys(CRASH_MUTANTS).length
  const detected = `${all - undetected.size} of ${all}, ${runs} runs each`
  return { figures: [['receivers with a mistake, each detected in every run', detected]], violations }
}

/** No correct receiver may fail a case, nor leave one without a result. */
async function gradeVariants(options: ProofOptions): Promise<ProofResult> {
  const violations: string[] = []
  const rounds = roundsOf(options)
  let longestMs = 0
  const runs = await eachRun(CRASH_VARIANTS, RUNS.variants, options, async (name, run, seed) => {
    const report = await gradeJournal(name, rounds, seed)
    violations.push(...problemsOf(report).map((problem) => `${name}, run ${run}: ${problem}`))
    if (name === 'plain') longestMs = Math.max(longestMs, report.durationMs)
  })
  return {
    figures: [
      ['correct receivers, none failed', `${CRASH_VARIANTS.length}, ${runs} runs each`],
      [
        `longest run of ${rounds} rounds of a receiver that starts at once`,
        `${(longestMs / 1000).toFixed(0)} s`,
      ],
    ],
    violations,
  }
}

/** Grades receivers, each several times, a few at a time: they mostly wait. @returns how often; once if the run is short */
async function eachRun(
  names: readonly string[],
  usual: number,
  { quick, seed }: ProofOptions,
  grade: (name: string, run: number, seed: string) => Promise<void>,
): Promise<number> {
  const runs = quick ? 1 : usual
  const jobs = names.flatMap((name) => Array.from({ length: runs }, (_, n) => [name, n + 1] as const))
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const [name, run] = job
      await grade(name, run, `${seed}-${run}`)
    }
  })
  await Promise.all(workers)
  return runs
}

/** The reference receiver must pass. */
const gradeReference =
  (store: 'sqlite' | 'postgres') =>
  (options: ProofOptions): Promise<ProofResult> =>
    withTemporaryFolder(async (folder) => {
      const { quick, seed, dist, amount } = options
      const rounds = amount ?? (quick ? QUICK_ROUNDS : REFERENCE_ROUNDS)
      const postgres = store === 'postgres' ? await startPostgres() : undefined
      // Otherwise the attempt of a killed process counts as running for two minutes. The tables do not exist at first.
      const stopAgeing = postgres && repeat(() => postgres.ageAttempts(), AGE_EVERY_MS)
      try {
        const inbox = postgres?.url ?? join(folder, 'inbox.sqlite')
        const origin = `http://127.0.0.1:${await freePort()}`
        const report = await crash({
          url: `${origin}/webhooks`,
          observe: `${origin}/observe`,
          secret: SECRET,
          start: `exec node ${join(dist, 'cli/main.js')} receive --observe`,
          env: { ...process.env, INBOX: inbox },
          rotateEnv: { WEBHOOK_SECRET_PREVIOUS: '{old}' },
          rounds,
          seed,
          recoverWithinMs: postgres === undefined ? RECOVER_WITHIN_MS : TAKE_OVER_WITHIN_MS,
        })
        const { kills = 0, payments = 0, acknowledged = 0, lost = 0, doubled = 0 } = report.crash ?? {}
        const counts = `${payments} payments, ${acknowledged} acknowledged before the kill, ${lost} lost, ${doubled} doubled`
        return {
          figures: [[`${store}: ${rounds} rounds of hookproof crash`, `${kills} kills, ${counts}`]],
          violations: problemsOf(report).map((problem) => `${store}: ${problem}`),
        }
      } finally {
        await stopAgeing?.()
        await postgres?.remove()
      }
    })

const roundsOf = ({ quick, amount }: ProofOptions): number => amount ?? (quick ? QUICK_ROUNDS : ROUNDS)

function gradeJournal(behavior: string, rounds: number, seed: string): Promise<ConformanceReport> {
  return withTemporaryFolder(async (folder) => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const rotateEnv = rotateEnvOf(behavior)
    return crash({
      url: `${origin}/webhooks`,
      observe: `${origin}/observe`,
      secret: SECRET,
      start: JOURNAL,
      ...(rotateEnv !== undefined && { rotateEnv }),
      env: { ...process.env, BEHAVIOR: behavior, STORE: folder },
      rounds,
      seed,
      recoverWithinMs: RECOVER_WITHIN_MS,
    })
  })
}

function failedIn({ verdicts }: ConformanceReport): string[] {
  return verdicts.flatMap(({ case: id, outcome }) =>
    outcome === 'failed' || outcome === 'warning' ? [id] : [],
  )
}

function problemsOf({ verdicts }: ConformanceReport): string[] {
  return verdicts.flatMap(({ case: id, outcome, reason, problems }) =>
    outcome === 'passed' ? [] : [`${id}: ${outcome}: ${reason ?? problems[0]?.received ?? ''}`],
  )
}

await proveParts('durability', {
  mutants: gradeMutants,
  variants: gradeVariants,
  sqlite: gradeReference('sqlite'),
  postgres: gradeReference('postgres'),
})
