import { readFile } from 'node:fs/promises'
import { parseBaseline } from '../conformance/baseline.ts'
import type { CatalogueCase } from '../conformance/case/model.ts'
import { type CheckOptions, check } from '../conformance/check.ts'
import { HarnessError } from '../conformance/errors.ts'
import type { Baseline, ConformanceReport } from '../schemas/types.ts'
import { type Judgement, judge } from './judgement.ts'
import type { ConformanceOptions } from './options.ts'
import { type Opened, open } from './target.ts'

/** One run of the suite, shared by all tests of a group. */
export interface Session {
  /**
   * Waits for one case: until it has passed, or else until the run is over and the report can tell more. The first call
   * begins the run.
   *
   * @param ids the cases of the run, asked for by the first call
   * @throws ConformanceFailure for the case, HarnessError when the run could not take place
   */
  readonly verdictOf: (one: CatalogueCase, ids: () => readonly string[]) => Promise<Judgement>
  /** Closes what was opened. */
  readonly end: () => Promise<void>
}

/** Makes a session; nothing is opened before the first case is asked for. */
export function createSession(options: ConformanceOptions): Session {
  let begun: Begun | undefined
  // What a function makes, or what is served here, is gone when somebody reads the message.
  const lasting = typeof options.target === 'string' || options.target instanceof URL
  return {
    async verdictOf(one, ids) {
      begun ??= start(options, ids())
      const { passed, report, baseline } = begun
      const known = await baseline
      // Whether an entry of the baseline is stale, the report tells.
      const early = Object.hasOwn(known.failures, one.id) ? report : (passed.get(one.id) ?? report)
      const found = await Promise.race([early, report])
      return found === undefined ? { kind: 'passed' } : judge(one, found, known, lasting)
    },
    async end() {
      const opened = await begun?.opened.catch(() => undefined)
      await opened?.close()
    },
  }
}

interface Begun {
  readonly opened: Promise<Opened>
  readonly baseline: Promise<Baseline>
  readonly report: Promise<ConformanceReport>
  /** Settled by a passed case only. */
  readonly passed: ReadonlyMap<string, Promise<undefined>>
}

function start(options: ConformanceOptions, ids: readonly string[]): Begun {
  const tell = new Map<string, () => void>()
  const passed = new Map(
    ids.map((id) => [
      id,
      new Promise<undefined>((resolve) => {
        tell.set(id, () => resolve(undefined))
      }),
    ]),
  )
  const baseline = readBaseline(options.baseline)
  const opened = open(options)
  const report = Promise.all([opened, baseline]).then(([{ url }]) =>
    check({
      ...checkOptions(options, url),
      only: ids,
      onVerdict({ case: { id }, outcome }) {
        if (outcome === 'passed') tell.get(id)?.()
      },
    }),
  )
  // Each test tells of a failure itself; when none is left to do so, nobody is interested.
  for (const task of [opened, baseline, report]) task.catch(inOneLine)
  return { opened, baseline, report, passed }
}

/** The line names the thing and the mend: where the suite noticed it is of use only when the suite itself is broken. */
function inOneLine(error: unknown): void {
  if (error instanceof HarnessError && error.code !== 'internal')
    error.stack = `${error.name}: ${error.message}`
}

function checkOptions(options: ConformanceOptions, url: URL): CheckOptions {
  const { observe, secret = '', ...shared } = options
  const shown =
    typeof observe === 'string' && URL.canParse(observe, url.href) ? new URL(observe, url).href : observe
  return { ...shared, secret, url: url.href, ...(shown === undefined ? {} : { observe: shown }) }
}

async function readBaseline(file: string | URL | undefined): Promise<Baseline> {
  if (file === undefined) return { failures: {} }
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new HarnessError(
      'bad_option',
      `can not read the baseline ${String(file)} (${code}): write it with \`hookproof check --baseline <file> --update-baseline\``,
    )
  }
  return parseBaseline(text, String(file))
}
