import type { ConformanceReport, ReportSynced } from '../../schemas/types.ts'
import type { CatalogueCase, Exchange, Mode, Problem, Severity, Verdict } from '../case/model.ts'
import { isShortSecret } from '../case/secret.ts'
import { type ContractVersion, caseIn } from '../contract/versions.ts'
import type { ReproduceWith } from '../options.ts'
import type { OutputWatch } from '../process/output.ts'
import { toReport } from '../report/report.ts'
import { reproduceCrash } from '../report/reproduce.ts'
import type { Target } from '../run/target.ts'
import { CRASH_CASES, type CrashCaseId } from './catalogue.ts'
import type { Round } from './round.ts'
import type { Rounds } from './rounds.ts'
import type { Sent } from './send.ts'
import type { Failure } from './story.ts'
import type { WarmUp } from './warm-up.ts'
import type { WithoutSecret } from './without-secret.ts'

/** How many payments a verdict describes; the rest is counted. */
const DESCRIBED = 5

/** The result of a finished run of crashes. */
export interface CrashSummary {
  readonly target: Target
  readonly contract: ContractVersion
  readonly mode: Mode
  readonly seed: string
  readonly startedAt: Date
  readonly durationMs: number
  readonly warm: WarmUp
  readonly rounds: readonly Round[]
  readonly late: readonly Failure[]
  readonly notStarted: Rounds['notStarted']
  readonly withoutSecret: { readonly empty: WithoutSecret; readonly absent: WithoutSecret }
  readonly output: OutputWatch
  /** The result of tracing syncs, or null without a trace. */
  readonly synced: ReportSynced | null
  readonly reproduceWith: ReproduceWith
}

/** What was found out about a case: `problems` fail it, and a `reason` leaves it without a result. */
interface Found {
  readonly problems?: readonly string[]
  readonly reason?: string | undefined
  readonly exchanges?: readonly Exchange[]
  /** The round that repeats the failure. */
  readonly round?: number | undefined
  /** Why the case makes no sense here: it then does not affect the conclusion. */
  readonly excluded?: string
}

/** Turns a finished run of crashes into a report of the durable profile. */
export function toCrashReport(summary: CrashSummary): ConformanceReport {
  const found = CRASH_CASES.flatMap((one) => {
    const testCase = caseIn(summary.contract, one)
    return testCase === undefined ? [] : [{ testCase, found: judge(one.id as CrashCaseId, summary) }]
  })
  const rounds = new Map(found.map(({ testCase, found }) => [testCase.id, found.round]))
  const failures = [...summary.rounds.flatMap(({ failures }) => failures), ...summary.late]
  const count = (kind: Failure['kind']) =>
    new Set(failures.filter((failure) => failure.kind === kind).map(({ payment }) => payment)).size
  const reproducible = { ...summary, mode: summary.mode }
  return toReport({
    ...summary,
    started: false,
    profile: 'durable',
    skewSeconds: undefined,
    ended: undefined,
    selection: { only: [], skip: [] },
    excluded: found.flatMap(({ testCase, found: { excluded } }) =>
      excluded === undefined ? [] : [{ case: testCase.id, reason: excluded }],
    ),
    verdicts: found.flatMap(({ testCase, found }) =>
      found.excluded === undefined ? [toVerdict(testCase, found)] : [],
    ),
    crash: {
      figures: {
        rounds: summary.rounds.length,
        kills: summary.rounds.reduce((sum, { kills }) => sum + kills, 0),
        payments: summary.rounds.reduce((sum, { payments }) => sum + payments.length, 0),
        acknowledged: summary.rounds.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
        lost: count('lost'),
        doubled: count('doubled'),
        startMs: Math.round(summary.warm.startMs),
        synced: summary.synced,
      },
      reproduce: ({ case: { id } }) => reproduceCrash(rounds.get(id), reproducible),
    },
  })
}

function judge(id: CrashCaseId, summary: CrashSummary): Found {
  const { warm, withoutSecret, output, target } = summary
  switch (id) {
    case 'durability/kept-over-a-restart':
      if (warm.state === 'unseen') return { reason: unseen(warm) }
      return warm.state === 'forgotten' ? { problems: [warm.story] } : {}
    case 'durability/nothing-lost-in-a-crash':
      return afterCrashes(summary, 'lost')
    case 'durability/redelivery-accepted-after-a-crash':
      return afterCrashes(summary, 'not-accepted')
    case 'durability/nothing-doubled-after-a-crash':
      return afterCrashes(summary, 'doubled')
    case 'startup/started-with-an-empty-secret':
      return startedWithout(withoutSecret.empty, 'an empty secret')
    case 'startup/started-without-a-secret':
      return startedWithout(withoutSecret.absent, 'no secret')
    case 'output/no-secret-in-the-output':
      if (isShortSecret(target.secret))
        return { reason: 'the signing secret is so short that its characters may occur by chance' }
      return inOutput(output.secretLines(), output.lines(), 'the signing secret')
    case 'output/no-signature-in-the-output':
      return inOutput(output.signatureLines(), output.lines(), 'the entire signature of a valid delivery')
  }
}

function afterCrashes(summary: CrashSummary, kind: Failure['kind']): Found {
  const { warm, rounds, late, notStarted } = summary
  if (warm.state === 'unseen') return { reason: unseen(warm) }
  if (warm.state === 'forgotten')
    return { reason: 'the receiver does not keep its state over a graceful restart, so no crash was tried' }
  const failures = [...rounds.flatMap(({ failures }) => failures), ...late].filter((one) => one.kind === kind)
  if (failures.length > 0) {
    const more = failures.length - DESCRIBED
    return {
      problems: [
        ...failures.slice(0, DESCRIBED).map(({ story }) => story),
        ...(more > 0 ? [`and ${more} more`] : []),
      ],
      exchanges: failures.slice(0, DESCRIBED).flatMap(({ payment }) => payment.sent.map(toExchange)),
      round: failures[0]?.round,
    }
  }
  if (notStarted !== undefined) {
    const message = `round ${notStarted.round}: after a SIGKILL, ${notStarted.message}`
    // The address of a killed process can stay taken for a minute, which is a matter of the socket's options.
    const isTaken = /EADDRINUSE|address already in use/i.test(message)
    return kind === 'lost' && !isTaken
      ? { problems: [message], round: notStarted.round }
      : { reason: message }
  }
  return rounds.some(({ acknowledged }) => acknowledged > 0)
    ? {}
    : { reason: 'the receiver acknowledged no payment before it was killed' }
}

const unseen = ({ story }: WarmUp): string =>
  `${story}: check that effects can be observed, with \`hookproof check --observe\``

function startedWithout(found: WithoutSecret, what: string): Found {
  if (found.outcome === 'has-the-secret')
    return { excluded: 'needs a receiver that gets its secret from nothing but its environment' }
  if (found.outcome === 'not-listening')
    return { reason: `started with ${what}, the receiver neither ended nor listened` }
  if (found.outcome !== 'accepted') return {}
  return {
    problems: [
      `started with ${what}, the receiver answered 200 to a delivery with ${found.sent.delivery.change ?? ''}`,
    ],
    exchanges: [toExchange(found.sent)],
  }
}

function inOutput(found: number, all: number, what: string): Found {
  if (found === 0) return {}
  return { problems: [`${found} of ${all} lines that the receiver printed contain ${what}`] }
}

const SEVERITY: Readonly<Record<string, Severity>> = { startup: 'security', output: 'security' }

function toVerdict(testCase: CatalogueCase, { problems = [], reason, exchanges = [] }: Found): Verdict {
  const severity =
    testCase.id === 'durability/redelivery-accepted-after-a-crash'
      ? 'protocol'
      : (SEVERITY[testCase.section] ?? 'money')
  const failed = testCase.level === 'MUST' ? 'failed' : 'warning'
  const expected = testCase.expect[0]?.expected ?? ''
  return {
    case: testCase,
    outcome: problems.length > 0 ? failed : reason === undefined ? 'passed' : 'untested',
    problems: problems.map((received): Problem => ({ kind: 'effects', expected, received, severity })),
    reason: problems.length > 0 ? undefined : reason,
    exchanges,
    durationMs: 0,
  }
}

function toExchange({ delivery, status, error, sentAt, answeredAt }: Sent): Exchange {
  const ms = answeredAt === undefined ? 0 : answeredAt - sentAt
  return {
    delivery,
    answer:
      status === undefined ? undefined : { status, headers: [], body: Buffer.alloc(0), truncated: false, ms },
    error: error === undefined ? undefined : { code: 'reset', message: error },
  }
}
