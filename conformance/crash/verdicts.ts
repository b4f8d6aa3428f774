import type { ConformanceReport, ReportSynced } from '../../schemas/types.ts'
import type { PaymentContract } from '../contracts/payment-service/index.ts'
import { isShortSecret } from '../contracts/secret.ts'
import type {
  CrashExclusion,
  CrashExpectedData,
  CrashFinding,
  CrashMistake,
} from '../contracts/webhook/crash-finding.ts'
import type { Mode } from '../contracts/webhook/kit.ts'
import type {
  CatalogueCase,
  ContractVersion,
  Exchange,
  Problem,
  Severity,
  Verdict,
} from '../contracts/webhook/model.ts'
import type { Target } from '../contracts/webhook/target.ts'
import type { Terms } from '../diagnosis/verifier.ts'
import { toReport } from '../report/report.ts'
import { type ReproduceWith, reproduceCrash } from '../report/reproduce.ts'
import { CRASH_GUIDANCE, crashText } from '../report/words/crash.ts'
import type { OutputWatch } from './output.ts'
import type { Failure, HandledRefusal, Round, Rounds } from './rounds.ts'
import type { Rotation, WithoutSecret } from './secrets.ts'
import type { Attempt } from './send.ts'
import type { WarmUp } from './warm-up.ts'

/** The result of a finished run of crashes. */
export interface CrashSummary {
  readonly service: Pick<PaymentContract, 'crashCases' | 'caseIn'> & Terms
  readonly target: Target
  readonly contract: ContractVersion
  readonly mode: Mode
  readonly seed: string
  readonly startedAt: Date
  readonly durationMs: number
  /** How long the machine did not run this process or the receiver, in milliseconds. */
  readonly stalledMs: number
  readonly warm: WarmUp
  readonly rounds: readonly Round[]
  readonly late: readonly Failure[]
  readonly refusals: readonly HandledRefusal[]
  readonly notStarted: Rounds['notStarted']
  readonly withoutSecret: { readonly empty: WithoutSecret; readonly absent: WithoutSecret }
  /** Undefined where nobody said how the receiver gets two secrets. */
  readonly rotation: Rotation | undefined
  readonly output: OutputWatch
  /** The result of tracing syncs, or null without a trace. */
  readonly synced: ReportSynced | null
  readonly reproduceWith: ReproduceWith
}

/** What was found out about a case: `problems` fail it, and a `reason` leaves it without a result. */
interface Found {
  readonly problems?: readonly CrashFinding[]
  readonly reason?: CrashFinding
  readonly exchanges?: readonly Exchange[]
  /** Where what was observed names a cause that the case does not. */
  readonly mistake?: CrashMistake | undefined
  /** The round that repeats the failure. */
  readonly round?: number | undefined
  /** Why the case makes no sense here: it then does not affect the conclusion. */
  readonly excluded?: CrashExclusion
}

/** How many payments a verdict describes; the rest is counted. */
const DESCRIBED = 3

/** Turns a finished run of crashes into a report of the durable profile. */
export function toCrashReport(summary: CrashSummary): ConformanceReport {
  const found = summary.service.crashCases.flatMap((one) => {
    const testCase = summary.service.caseIn(summary.contract, one)
    if (testCase === undefined) return []
    const { severity, judge } = judgeOf(testCase)
    return [{ testCase, severity, found: judge(summary) }]
  })
  const rounds = new Map(found.map(({ testCase, found }) => [testCase.id, found.round]))
  const failures = [...summary.rounds.flatMap(({ failures }) => failures), ...summary.late]
  const count = (isCounted: (failure: Failure) => boolean) =>
    new Set(failures.filter(isCounted).map(({ payment }) => payment)).size
  return toReport({
    ...summary,
    signing: summary.service,
    service: undefined,
    started: false,
    profile: 'durable',
    skewSeconds: undefined,
    selection: { only: [], skip: [] },
    excluded: found.flatMap(({ testCase, found: { excluded } }) =>
      excluded === undefined ? [] : [{ case: testCase.id, code: excluded.code, reason: crashText(excluded) }],
    ),
    verdicts: found.flatMap(({ testCase, severity, found }) =>
      found.excluded === undefined ? [toVerdict(testCase, severity, found, summary.warm)] : [],
    ),
    crash: {
      figures: {
        rounds: summary.rounds.length,
        kills: summary.rounds.reduce((sum, { kills }) => sum + kills, 0),
        payments: paymentsIn(summary),
        acknowledged: acknowledgedIn(summary),
        lost: count((failure) => failure.kind === 'lost' && !isNeverHandled(failure)),
        neverHandled: count(isNeverHandled),
        doubled: count(({ kind }) => kind === 'doubled'),
        startMs: Math.round(summary.warm.startMs),
        synced: summary.synced,
      },
      reproduce: ({ case: { id } }) => reproduceCrash(rounds.get(id), summary),
    },
  })
}

function toVerdict(
  testCase: CatalogueCase,
  severity: Severity,
  { problems = [], reason, exchanges, mistake }: Found,
  warm: WarmUp,
): Verdict {
  // What concerns the entire run shows its first payment.
  const shown = exchanges ?? (problems.length > 0 ? warm.sent.map(toExchange) : [])
  const failed = testCase.level === 'MUST' ? 'failed' : 'warning'
  const guidance = mistake && CRASH_GUIDANCE[mistake]
  return {
    case: testCase,
    outcome: problems.length > 0 ? failed : reason === undefined ? 'passed' : 'untested',
    problems: problems.map(
      (found): Problem => ({
        kind: 'effects',
        expected: { code: codeOf(testCase) },
        wrong: { code: 'found_in_crash', found },
        severity,
        guidance,
      }),
    ),
    reason:
      problems.length > 0 || reason === undefined
        ? undefined
        : { code: 'open', open: { code: 'open_in_crash', found: reason } },
    exchanges: shown,
    durationMs: 0,
  }
}

/** A delivery of the run as a report shows it. */
function toExchange({ delivery, status, error, sentAt, answeredAt }: Attempt): Exchange {
  const ms = answeredAt === undefined ? 0 : answeredAt - sentAt
  return {
    delivery,
    answer:
      status === undefined ? undefined : { status, headers: [], body: Buffer.alloc(0), truncated: false, ms },
    error,
  }
}

/** What a case states, by which it is judged. */
const codeOf = ({ expect: [stated] }: CatalogueCase) => stated?.expected.code as keyof CrashExpectedData

const judgeOf = (testCase: CatalogueCase) => JUDGES[codeOf(testCase)]

/** How each case is judged by what happened in the run, and what its failure puts at risk. */
const JUDGES: Readonly<
  Record<
    keyof CrashExpectedData,
    { readonly severity: Severity; readonly judge: (summary: CrashSummary) => Found }
  >
> = {
  kept_over_restart: { severity: 'money', judge: ({ warm: { wrong } }) => overRestart(wrong) },
  nothing_lost_in_crash: { severity: 'money', judge: (summary) => afterCrashes(summary, 'lost') },
  redelivery_accepted_after_crash: {
    severity: 'protocol',
    judge: (summary) => afterCrashes(summary, 'not-accepted'),
  },
  nothing_doubled_after_crash: { severity: 'money', judge: (summary) => afterCrashes(summary, 'doubled') },
  refused_not_handled_after_crash: { severity: 'security', judge: refusedNotHandled },
  refused_with_empty_secret: {
    severity: 'security',
    judge: ({ withoutSecret }) => startedWithout(withoutSecret.empty, 'empty'),
  },
  refused_without_secret: {
    severity: 'security',
    judge: ({ withoutSecret }) => startedWithout(withoutSecret.absent, 'absent'),
  },
  both_secrets_accepted: { severity: 'money', judge: ({ rotation }) => acceptsBoth(rotation) },
  old_secret_refused: { severity: 'security', judge: ({ rotation }) => refusesOld(rotation) },
  no_secret_printed: {
    severity: 'security',
    judge: ({ output, target }) =>
      isShortSecret(target.secret)
        ? { reason: { code: 'short-secret' } }
        : inOutput('secret', output.secretLines(), output.lines()),
  },
  no_signature_printed: {
    severity: 'security',
    judge: ({ output }) => inOutput('signature', output.signatureLines(), output.lines()),
  },
}

function overRestart(wrong: WarmUp['wrong']): Found {
  if (wrong?.code === 'unseen') return { reason: wrong }
  return wrong?.code === 'forgotten' ? { problems: [wrong] } : {}
}

function afterCrashes(summary: CrashSummary, kind: Failure['kind']): Found {
  const { warm, rounds, late, notStarted } = summary
  if (warm.wrong?.code === 'unseen') return { reason: warm.wrong }
  if (warm.wrong?.code === 'forgotten') return { reason: { code: 'no-crash-tried' } }
  const failures = [...rounds.flatMap(({ failures }) => failures), ...late].filter((one) => one.kind === kind)
  const atRestart = kind === 'doubled' && warm.wrong !== undefined ? [warm.wrong] : []
  if (failures.length + atRestart.length > 0) {
    const more = failures.length - DESCRIBED
    const { findings, mistake } = overview(failures, summary)
    return {
      problems: [
        ...findings,
        ...atRestart,
        ...failures.slice(0, DESCRIBED).map(({ story }) => ({ code: 'payment', ...story }) as const),
        ...(more > 0 ? [{ code: 'more-payments', count: more } as const] : []),
      ],
      mistake,
      exchanges: failures.slice(0, DESCRIBED).flatMap(({ payment }) => payment.sent.map(toExchange)),
      round: failures[0]?.story.round,
    }
  }
  if (notStarted !== undefined) {
    const { round, why } = notStarted
    const finding = { code: 'not-restarted', round, why } as const
    return kind === 'lost' && !why.isAddressTaken ? { problems: [finding], round } : { reason: finding }
  }
  return rounds.some(({ acknowledged }) => acknowledged > 0)
    ? {}
    : { reason: { code: 'nothing-acknowledged' } }
}

function refusedNotHandled({ warm, rounds, refusals, notStarted }: CrashSummary): Found {
  if (warm.wrong?.code === 'unseen') return { reason: warm.wrong }
  if (warm.wrong?.code === 'forgotten') return { reason: { code: 'no-crash-tried' } }
  if (refusals.length > 0) {
    const more = refusals.length - DESCRIBED
    return {
      problems: [
        ...refusals.slice(0, DESCRIBED).map(
          ({ round, refused: { delivery, status }, observed }) =>
            ({
              code: 'refused-handled',
              round,
              payment: delivery.key ?? '',
              change: delivery.change,
              status,
              effects: observed,
            }) as const,
        ),
        ...(more > 0 ? [{ code: 'more-payments', count: more } as const] : []),
      ],
      exchanges: refusals.slice(0, DESCRIBED).map(({ refused }) => toExchange(refused)),
      round: refusals[0]?.round,
    }
  }
  if (rounds.some(({ refused }) => refused.length > 0)) return {}
  if (notStarted === undefined) return { reason: { code: 'nothing-refused' } }
  return { reason: { code: 'not-restarted', round: notStarted.round, why: notStarted.why } }
}

/** What the failures of a run have in common. */
interface Overview {
  readonly findings: readonly CrashFinding[]
  /** Undefined where several mistakes are as likely. */
  readonly mistake: CrashMistake | undefined
}

/** Sums up the failures of one kind: how many, when, and what they show about the receiver. */
export function overview(
  failures: readonly Failure[],
  summary: { readonly rounds: readonly Round[] },
): Overview {
  const [first] = failures
  if (first === undefined || first.kind === 'not-accepted') return { findings: [], mistake: undefined }
  const about = (some: readonly Failure[]) => ({
    count: some.length,
    rounds: new Set(some.map(({ story }) => story.round)).size,
    ofRounds: summary.rounds.length,
  })
  if (first.kind === 'doubled') {
    const later = failures.filter(({ story }) => story.redeliveredMs !== undefined).length
    const finding = { code: 'doubled', ...about(failures), payments: paymentsIn(summary), later } as const
    return { findings: [finding], mistake: later === failures.length ? 'not-recognized' : undefined }
  }
  const interrupted = failures.filter(isNeverHandled)
  const lost = failures.filter((failure) => !isNeverHandled(failure))
  const recovered = lost.filter(({ isRecovered }) => isRecovered === true).length
  const isEarly = lost.every(({ payment: { isRefundedEarly } }) => isRefundedEarly === true)
  const mistakeOfUndone = isEarly ? 'early-refund-forgotten' : 'left-undone'
  const mistakeOfLost: CrashMistake | undefined =
    recovered === lost.length ? 'not-kept' : recovered === 0 ? mistakeOfUndone : undefined
  const beforeKillMs = lost.flatMap(({ beforeKillMs: ms }) => ms ?? [])
  const acknowledged = acknowledgedIn(summary)
  return {
    findings: [
      ...(lost.length > 0
        ? [{ code: 'lost', ...about(lost), acknowledged, recovered, beforeKillMs } as const]
        : []),
      ...(interrupted.length > 0 ? [{ code: 'never-handled', ...about(interrupted) } as const] : []),
    ],
    // Of two kinds, one mistake is the likely cause only where both name it.
    mistake:
      lost.length === 0
        ? 'taken-for-duplicate'
        : interrupted.length === 0 || recovered === 0
          ? mistakeOfLost
          : undefined,
  }
}

/** Whether a payment without its effect was acknowledged only after the restart: the crash lost no acknowledged one. */
const isNeverHandled = ({ kind, beforeKillMs }: Failure): boolean =>
  kind === 'lost' && beforeKillMs === undefined

const paymentsIn = ({ rounds }: Pick<CrashSummary, 'rounds'>): number =>
  rounds.reduce((sum, { payments }) => sum + payments.length, 0)

const acknowledgedIn = ({ rounds }: Pick<CrashSummary, 'rounds'>): number =>
  rounds.reduce((sum, { acknowledged }) => sum + acknowledged, 0)

function startedWithout(found: WithoutSecret, secret: 'empty' | 'absent'): Found {
  switch (found.outcome) {
    case 'has-the-secret':
      return { excluded: { code: 'secret_from_elsewhere' } }
    case 'not-listening':
      return { reason: { code: 'not-listening-without-secret', secret } }
    case 'accepted':
      return {
        problems: [{ code: 'accepted-without-secret', secret, change: found.sent.delivery.change }],
        exchanges: [toExchange(found.sent)],
      }
    case 'refused-to-start':
    case 'refused-all':
      return {}
  }
}

function inOutput(what: 'secret' | 'signature', lines: number, of: number): Found {
  return lines === 0 ? {} : { problems: [{ code: 'printed', what, lines, of }] }
}

/** Judges whether a receiver with two secrets accepts both (SPEC.md 5.20). */
export function acceptsBoth(rotation: Rotation | undefined): Found {
  const unfit = unfitFor(rotation)
  if (unfit !== undefined) return unfit
  const both = rotation?.both
  if (both === undefined) return { reason: { code: 'both-not-listening' } }
  const { old, fresh } = both
  if (isAccepted(old) && isAccepted(fresh)) return {}
  const asOne = both.asOne.find(isAccepted)
  if (asOne !== undefined)
    return { problems: [{ code: 'both-as-one' }], exchanges: [old, fresh, asOne].map(toExchange) }
  if (!isAccepted(old) && !isAccepted(fresh))
    return { reason: { code: 'none-of-both-accepted', answer: old } }
  const [accepted, refused] = isAccepted(old) ? (['old', fresh] as const) : (['new', old] as const)
  return {
    problems: [{ code: 'one-of-both-accepted', accepted, answer: refused }],
    exchanges: [toExchange(refused)],
  }
}

/** Judges whether a receiver refuses the old secret once it is removed (SPEC.md 5.1). */
export function refusesOld(rotation: Rotation | undefined): Found {
  const unfit = unfitFor(rotation)
  if (unfit !== undefined) return unfit
  const old = rotation?.after?.old
  if (old?.status === undefined)
    return { reason: { code: 'old-unanswered', answer: { status: undefined, error: old?.error } } }
  if (old.status < 200 || old.status > 299) return {}
  return { problems: [{ code: 'old-accepted', status: old.status }], exchanges: [toExchange(old)] }
}

/** Why nothing can be judged: nobody asked, or the new secret has not replaced the old one. */
function unfitFor(rotation: Rotation | undefined): Found | undefined {
  if (rotation === undefined) return { excluded: { code: 'rotation_not_asked' } }
  const { after } = rotation
  if (after === undefined) return { reason: { code: 'new-not-listening' } }
  if (isAccepted(after.fresh)) return undefined
  return isAccepted(after.old)
    ? { excluded: { code: 'secret_from_elsewhere' } }
    : { reason: { code: 'new-refused', answer: after.fresh } }
}

const isAccepted = ({ status }: Attempt): boolean => status === 200
