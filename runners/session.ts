import { readFile } from 'node:fs/promises'
import { type CheckOptions, check } from '../conformance/check.ts'
import { requireService } from '../conformance/contracts/services.ts'
import type { CatalogueCase } from '../conformance/contracts/webhook/model.ts'
import { HarnessError } from '../conformance/harness-error.ts'
import { parseBaseline } from '../conformance/report/baseline.ts'
import type { Baseline } from '../schemas/types.ts'
import { type Judgement, judge } from './judgement.ts'
import type { ConformanceOptions } from './options.ts'
import { open } from './target.ts'

/** Creates one run of the suite, shared by all tests of a group. It opens nothing before the first case is requested. */
export function createSession(options: ConformanceOptions) {
  let started: ReturnType<typeof start> | undefined
  // A receiver that the tests create or serve is gone when someone reads the message.
  const remains = typeof options.target === 'string' || options.target instanceof URL
  return {
    /**
     * Waits for one case: until it has passed, or otherwise until the run has ended and its report is there. The first
     * call starts the run.
     *
     * @param ids returns the cases of the run; called by the first call only
     * @throws ConformanceFailure when the case fails, HarnessError when the run could not take place
     */
    async verdictOf(testCase: CatalogueCase, ids: () => readonly string[]): Promise<Judgement> {
      started ??= start(options, ids())
      const { passed, report, baseline } = started
      const known = await baseline
      const { id } = testCase
      // Only the report shows whether an entry of the baseline is stale.
      const early = Object.hasOwn(known.failures, id) ? report : (passed.get(id) ?? report)
      const found = await Promise.race([early, report])
      return found === undefined ? { kind: 'passed' } : judge(testCase, found, known, remains)
    },
    /** Closes what the session opened. */
    end: async (): Promise<void> => {
      const opened = await started?.opened.catch(() => undefined)
      await opened?.close()
    },
  }
}

function start(options: ConformanceOptions, ids: readonly string[]) {
  const resolvePassed = new Map<string, () => void>()
  // Each resolves when the case has passed; otherwise it never settles.
  const passed = new Map(
    ids.map((id) => [
      id,
      new Promise<undefined>((resolve) => {
        resolvePassed.set(id, () => resolve(undefined))
      }),
    ]),
  )
  const baseline = readBaseline(options)
  const opened = open(options)
  const report = Promise.all([opened, baseline]).then(([{ url }]) =>
    check({
      ...checkOptions(options, url),
      only: ids,
      onVerdict({ case: { id }, outcome }) {
        if (outcome === 'passed') resolvePassed.get(id)?.()
      },
    }),
  )
  // Each test reports a rejection itself; without any test left it must not become an unhandled rejection.
  for (const task of [opened, baseline, report]) task.catch(inOneLine)
  return { opened, baseline, report, passed }
}

/** The message names the problem and its fix; the stack helps only when the suite itself is broken. */
function inOneLine(error: unknown): void {
  if (error instanceof HarnessError && error.code !== 'internal')
    error.stack = `${error.name}: ${error.message}`
}

function checkOptions(options: ConformanceOptions, url: URL): CheckOptions {
  const { observe, secret = '', ...shared } = options
  const observed =
    typeof observe === 'string' && URL.canParse(observe, url.href) ? new URL(observe, url).href : observe
  return { ...shared, secret, url: url.href, ...(observed === undefined ? {} : { observe: observed }) }
}

async function readBaseline({
  baseline: file,
  service = 'payment-service',
}: ConformanceOptions): Promise<Baseline> {
  if (file === undefined) return { failures: {} }
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new HarnessError(
      'bad_option',
      `"baseline" cannot be read: ${String(file)} (${code}); create it with \`hookproof check --baseline <file> --update-baseline\``,
      { names: ['baseline'] },
    )
  }
  return parseBaseline(text, String(file), requireService(service).cases)
}
