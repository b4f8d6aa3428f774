import type { ConformanceReport } from '../../../schemas/types.ts'
import type { CatalogueCase, Problem, Severity, Verdict } from '../../contracts/payment-service/model.ts'
import { caseIn } from '../../contracts/payment-service/requirements/versions.ts'
import { toReport } from '../../report/report.ts'
import { reproduceCrash } from '../../report/reproduce.ts'
import { CRASH_CASES, type CrashCaseId } from '../catalogue.ts'
import type { WarmUp } from '../warm-up.ts'
import { type Found, toExchange } from './found.ts'
import { judge } from './judge-case.ts'
import { isNeverHandled } from './overview.ts'
import type { Failure } from './story.ts'
import type { CrashSummary } from './summary.ts'

/** Turns a finished run of crashes into a report of the durable profile. */
export function toCrashReport(summary: CrashSummary): ConformanceReport {
  const found = CRASH_CASES.flatMap((one) => {
    const testCase = caseIn(summary.contract, one)
    return testCase === undefined ? [] : [{ testCase, found: judge(one.id as CrashCaseId, summary) }]
  })
  const rounds = new Map(found.map(({ testCase, found }) => [testCase.id, found.round]))
  const failures = [...summary.rounds.flatMap(({ failures }) => failures), ...summary.late]
  const count = (isCounted: (failure: Failure) => boolean) =>
    new Set(failures.filter(isCounted).map(({ payment }) => payment)).size
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
      found.excluded === undefined ? [toVerdict(testCase, found, summary.warm)] : [],
    ),
    crash: {
      figures: {
        rounds: summary.rounds.length,
        kills: summary.rounds.reduce((sum, { kills }) => sum + kills, 0),
        payments: summary.rounds.reduce((sum, { payments }) => sum + payments.length, 0),
        acknowledged: summary.rounds.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
        lost: count((failure) => failure.kind === 'lost' && !isNeverHandled(failure)),
        neverHandled: count(isNeverHandled),
        doubled: count(({ kind }) => kind === 'doubled'),
        startMs: Math.round(summary.warm.startMs),
        synced: summary.synced,
      },
      reproduce: ({ case: { id } }) => reproduceCrash(rounds.get(id), reproducible),
    },
  })
}

const SEVERITY: Readonly<Record<string, Severity>> = {
  'durability/redelivery-accepted-after-a-crash': 'protocol',
  'rotation/old-secret-refused-afterwards': 'security',
  startup: 'security',
  output: 'security',
}

function toVerdict(
  testCase: CatalogueCase,
  { problems = [], reason, exchanges, guidance }: Found,
  warm: WarmUp,
): Verdict {
  // What concerns the entire run shows its first payment.
  const shown = exchanges ?? (problems.length > 0 ? warm.sent.map(toExchange) : [])
  const severity = SEVERITY[testCase.id] ?? SEVERITY[testCase.section] ?? 'money'
  const failed = testCase.level === 'MUST' ? 'failed' : 'warning'
  const expected = testCase.expect[0]?.expected ?? ''
  return {
    case: testCase,
    outcome: problems.length > 0 ? failed : reason === undefined ? 'passed' : 'untested',
    problems: problems.map(
      (received): Problem => ({ kind: 'effects', expected, received, severity, guidance }),
    ),
    reason: problems.length > 0 ? undefined : reason,
    exchanges: shown,
    durationMs: 0,
  }
}
