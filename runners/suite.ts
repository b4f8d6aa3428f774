import type { CatalogueCase, Profile } from '../conformance/case/model.ts'
import { SECTIONS } from '../conformance/catalogue/index.ts'
import { select } from '../conformance/run/select.ts'
import { ConformanceFailure, type Judgement } from './judgement.ts'
import type { ConformanceOptions } from './options.ts'
import { createSession } from './session.ts'

/** What a test runner has to offer. */
export interface Runner {
  readonly group: (name: string, define: () => void) => void
  /** Defines a test; `verdict` is called once by each that is run, and throws what the test fails with. */
  readonly test: (title: string, verdict: Verdict) => void
  readonly afterAll: (end: () => Promise<void>) => void
}

/**
 * What became of a case.
 *
 * @param chosen the titles of all tests of the group that will be run, where the runner knows; asked of the first only
 */
export type Verdict = (chosen?: () => ReadonlySet<string>) => Promise<Judgement>

const NOT_OBSERVED =
  "untested: the receiver's effects can not be seen; give `observe`, or `profile: 'core'` to leave this out"

/**
 * Defines a group for each section of SPEC.md with a test for each case. The cases are known without a run: that begins
 * with the first test.
 *
 * @throws HarnessError `nothing_selected` when a pattern matches no case, or nothing is left to test.
 */
export function define(options: ConformanceOptions, runner: Runner): void {
  const { mode = 'test', only = [], skip = [], observe, observeCommand, name = 'conformance' } = options
  const observed = observe !== undefined || observeCommand !== undefined
  const selection = { mode, only, skip }
  // Tests that nobody chose to leave out are there even if they can not be run: skipped, and seen to be.
  const { cases } = select({ ...selection, profile: options.profile ?? 'full' })
  const { cases: runnable } = select({
    ...selection,
    profile: observed ? (options.profile ?? 'full') : 'core',
  })
  const session = createSession(options)

  runner.group(name, () => {
    for (const { id, title } of SECTIONS) {
      const own = cases.filter(({ section }) => section === id)
      if (own.length === 0) continue
      runner.group(title, () => {
        for (const one of own) {
          const found: Verdict = (chosen) => session.verdictOf(one, () => among(runnable, chosen?.()))
          runner.test(titleOf(one), runnable.includes(one) ? found : unseen(one, options.profile))
        }
      })
    }
    runner.afterAll(session.end)
  })
}

function unseen({ id, level }: CatalogueCase, asked: Profile | undefined): Verdict {
  return async () => {
    if (asked === 'full' && level === 'MUST')
      throw new ConformanceFailure('untested', `${id} is ${NOT_OBSERVED}`)
    return { kind: 'skipped', note: NOT_OBSERVED }
  }
}

function titleOf({ id, spec }: CatalogueCase): string {
  return `${id} - ${spec}`
}

function among(cases: readonly CatalogueCase[], titles: ReadonlySet<string> | undefined): string[] {
  return cases.filter((one) => titles?.has(titleOf(one)) ?? true).map(({ id }) => id)
}
