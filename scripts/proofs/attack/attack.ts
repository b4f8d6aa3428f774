// Attacks a receiver without its secret, while another process sends it valid deliveries: all must be answered in time.
// npm run proof -- attack [--quick] [--seed <text>] [--only <attack>] [--write]
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { audit } from '../shared/audit.ts'
import { type ProofResult, prove } from '../shared/prove.ts'
import { randomFrom } from '../shared/random.ts'
import { integrityProblems, storedStateOf, waitUntilProcessed } from '../shared/sqlite.ts'
import { createTraffic, type Traffic } from '../shared/traffic.ts'
import { ATTACKS, type Attack, type AttackName } from './attacks.ts'
import { controlsThatFail } from './control.ts'
import {
  formatEffort,
  formatObservation,
  isDoubtful,
  isOnlyLate,
  shortfallsOf,
  violationsOf,
} from './judge.ts'
import { attacksOn, FRAMEWORKS, openApp } from './library.ts'
import { acceptedAmong, sendMalformed } from './malformed/run.ts'
import { measure, startAttackers, type Victim } from './measure.ts'
import { openReceiver } from './victim.ts'

const SECONDS = 20
const QUICK_SECONDS = 3
const AT_REST_MS = 1_000
const MALFORMED = 'malformed requests'
const CONTROL = 'control'

/** A name as `--only` takes it. */
const optionOf = (part: string): string => part.replaceAll(/[, ]+/g, '-')

await prove('attack', ({ dist, seed, quick, amount, only }) =>
  withTemporaryFolder(async (folder) => {
    const parts = [...Object.keys(ATTACKS), ...FRAMEWORKS, MALFORMED, CONTROL].map(optionOf)
    if (only !== undefined && !parts.includes(only))
      throw new Error(`--only ${only} must be one of ${parts.join(', ')}`)
    const chosen = (part: string): boolean => only === undefined || only === optionOf(part)
    const ms = (amount ?? (quick ? QUICK_SECONDS : SECONDS)) * 1000
    const path = join(folder, 'inbox.sqlite')
    const traffic = createTraffic(randomFrom(seed), seed)
    const malformedTraffic = createTraffic(randomFrom(`${seed} malformed`), `${seed} malformed`)
    const figures: ProofResult['figures'][number][] = []
    const violations: string[] = []
    const attackers = await startAttackers()
    let receiver = await openReceiver(dist, path)

    /** For the next attack, so that it is judged alone. */
    async function restart(): Promise<void> {
      await receiver.kill()
      receiver = await openReceiver(dist, path)
    }

    // Also warms up the code that every delivery runs.
    const peace = await measure(receiver, traffic, 2000)
    figures.push(['no attack', formatObservation(peace)])
    violations.push(...violationsOf(peace, {}).map((violation) => `no attack: ${violation}`))

    /**
     * Attacks a victim, and once more if the machine alone may have caused what is wrong.
     * @param restarted the victim for the repetition
     * @returns whether the victim withstood
     */
    async function attackVictim(
      victim: Victim,
      name: AttackName,
      label: string,
      sent: Traffic,
      forMs: number,
      restarted: () => Promise<Victim>,
    ): Promise<boolean> {
      const attack: Attack = ATTACKS[name]
      // A connection of the attack before it that still waits would cost a valid one a second: TCP sends its first packet again.
      await pause(AT_REST_MS)
      const observe = (target: Victim) =>
        measure(target, sent, Math.max(forMs, attack.leastMs ?? 0), {
          attackers,
          name,
          seed: `${seed} ${name}`,
        })
      let observed = await observe(victim)
      let problems = violationsOf(observed, attack)
      let note = ''
      // A short run has few valid deliveries: a slow moment of the machine decides about them.
      const isFew = quick && isOnlyLate(observed, attack)
      if (isFew || isDoubtful(observed, attack)) {
        const stalled = `the machine stalled for ${Math.round(observed.withheldMs)} ms`
        note = `; repeated, because ${isFew ? 'deliveries were late' : stalled} (${problems.join('; ')})`
        observed = await observe(await restarted())
        problems = violationsOf(observed, attack)
      }
      const { effort } = observed
      figures.push([label, formatObservation(observed) + note])
      figures.push(['', formatEffort(effort)])
      const shortfalls = shortfallsOf(effort, attack.least)
      if (effort.unavailable > 0 && shortfalls.length > 0) {
        figures.push(['', 'NOT TESTED: this machine allows too few connections (see ulimit -n)'])
        if (process.env['CI']) violations.push(`${label}: could not be tested in CI: too few connections`)
      } else {
        violations.push(...shortfalls.map((shortfall) => `${label}: ${shortfall}`))
      }
      violations.push(...problems.map((problem) => `${label}: ${problem}`))
      return problems.length === 0
    }

    for (const name of Object.keys(ATTACKS) as AttackName[]) {
      if (!chosen(name)) continue
      const withstood = await attackVictim(receiver, name, name, traffic, ms, async () => {
        await restart()
        return receiver
      })
      violations.push(...receiver.problems().map((problem) => `${name}: ${problem}`))
      if (!withstood || !receiver.isRunning()) await restart()
    }

    for (const framework of FRAMEWORKS) {
      if (!chosen(framework)) continue
      const app = await openApp(framework, dist, folder, seed)
      await measure(app, app.traffic, 1000)
      for (const name of attacksOn(framework)) {
        const label = `${framework}: ${name}`
        await attackVictim(app, name, label, app.traffic, ms / 2, () => Promise.resolve(app))
      }
      const { figure, violations: atEnd } = await app.finish()
      figures.push([`${framework}: inbox`, figure])
      violations.push(...atEnd.map((what) => `${framework}: ${what}`))
    }

    const malformed = chosen(MALFORMED)
      ? await sendMalformed(receiver.port, traffic, malformedTraffic)
      : undefined
    if (malformed !== undefined) {
      const { requests, answers, deliveries } = malformed
      const memory = { before: receiver.residentMiB(), peak: receiver.residentMiB() }
      const observed = { deliveries, memory, withheldMs: 0 }
      const counts = [...answers].map(([answer, count]) => `${answer} × ${count}`)
      figures.push([MALFORMED, `${formatCount(requests)}: ${counts.join(', ')}`])
      figures.push(['', formatObservation(observed)])
      violations.push(
        ...[...malformed.violations, ...violationsOf(observed, {})].map((what) => `${MALFORMED}: ${what}`),
      )
    }

    await attackers.end()
    const end = await receiver.finish()
    figures.push(...end.figures)
    violations.push(...end.violations)
    const open = await waitUntilProcessed(path)
    if (open > 0) violations.push(`${open} events were still open 30 s after the last attack`)
    const state = storedStateOf(path)
    if (malformed !== undefined) {
      violations.push(...acceptedAmong(malformed, state.events).map((what) => `${MALFORMED}: ${what}`))
    }
    const result = audit([...traffic.sent, ...(malformed?.events ?? [])], state)
    violations.push(...result.violations, ...integrityProblems(path))
    figures.push([
      'inbox',
      `${formatCount(result.acknowledged)} acknowledged, ${formatCount(result.stored)} stored, ${result.lost} lost, ${result.duplicated} duplicated`,
    ])

    if (chosen(CONTROL)) {
      const control = await controlsThatFail(seed)
      figures.push(...control.figures)
      violations.push(...control.violations)
    }
    return { figures, violations }
  }),
)
