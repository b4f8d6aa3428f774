import { requireService } from '../conformance/contracts/services.ts'
import type { CatalogueCase, Profile } from '../conformance/contracts/webhook/model.ts'
import { ConformanceFailure, type Judgement } from './judgement.ts'
import type { ConformanceOptions } from './options.ts'
import { createSession } from './session.ts'

/** What a test runner must provide. */
export interface Runner {
  readonly group: (name: string, define: () => void) => void
  /** Defines a test, which calls `verdict` once when it runs; what that throws is why the test fails. */
  readonly test: (title: string, verdict: Verdict) => void
  readonly afterAll: (end: () => Promise<void>) => void
}

/**
 * The result of a case.
 *
 * @param selected returns the titles of all tests of the group that will run, if the runner knows them; called only for
 * the first test
 */
export type Verdict = (selected?: () => ReadonlySet<string>) => Promise<Judgement>

const NOT_OBSERVED =
  "not tested: the receiver's effects cannot be observed; set `observe`, or `profile: 'core'` to skip these cases"

/**
 * Defines a group for each section of the contract with a test for each case. The cases are known in advance; the run starts
 * with the first test.
 *
 * @throws HarnessError `nothing_selected` when a pattern matches no case or no case is left to test
 */
export function define(options: ConformanceOptions, runner: Runner): void {
  const { mode = 'test', only = [], skip = [], observe, observeCommand, name = 'conformance' } = options
  const observed = observe !== undefined || observeCommand !== undefined
  const { requireVersion, sections, select } = requireService(options.service ?? 'payment-service')
  const contract = requireVersion(options.contract)
  const selection = { mode, contract, only, skip }
  // A case that was selected but cannot run is still a test, so that it is visibly skipped.
  const { cases } = select({ ...selection, profile: options.profile ?? 'full' })
  const { cases: runnable } = select({
    ...selection,
    profile: observed ? (options.profile ?? 'full') : 'core',
  })
  const runnableIds = new Set(runnable.map(({ id }) => id))
  const session = createSession(options)

  runner.group(name, () => {
    for (const { id, title } of sections) {
      const own = cases.filter(({ section }) => section === id)
      if (own.length === 0) continue
      runner.group(title, () => {
        for (const testCase of own) {
          const graded: Verdict = (selected) =>
            session.verdictOf(testCase, () => idsAmong(runnable, selected?.()))
          runner.test(
            titleOf(testCase),
            runnableIds.has(testCase.id) ? graded : notObserved(testCase, options.profile),
          )
        }
      })
    }
    runner.afterAll(session.end)
  })
}

function notObserved({ id, level }: CatalogueCase, profile: Profile | undefined): Verdict {
  return async () => {
    if (profile === 'full' && level === 'MUST')
      throw new ConformanceFailure('untested', `${id} was ${NOT_OBSERVED}`)
    return { kind: 'skipped', note: NOT_OBSERVED }
  }
}

function titleOf({ id, spec }: CatalogueCase): string {
  return `${id} - ${spec}`
}

function idsAmong(cases: readonly CatalogueCase[], titles: ReadonlySet<string> | undefined): string[] {
  return cases.filter((testCase) => titles?.has(titleOf(testCase)) ?? true).map(({ id }) => id)
}
