import type { CatalogueCase, Verdict } from '../../contracts/payment-service/model.ts'

/** Why a case was not tested in a run that was interrupted. */
export const INTERRUPTED = 'the run was interrupted before the case was judged'

/** Yields verdicts until the signal is aborted; what is then still to come is given up. */
export async function* untilAborted(
  verdicts: AsyncGenerator<Verdict>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Verdict> {
  if (signal === undefined) {
    yield* verdicts
    return
  }
  let abort = (): void => undefined
  const aborted = new Promise<undefined>((resolve) => {
    abort = () => resolve(undefined)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
  try {
    for (;;) {
      const next = await Promise.race([verdicts.next(), aborted])
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // Waits for nothing: the generator may be waiting for a verdict itself.
    verdicts.return(undefined).catch(() => undefined)
  }
}

/** A verdict for each case that has none yet. */
export function notJudged(cases: readonly CatalogueCase[], judged: readonly Verdict[]): Verdict[] {
  const done = new Set(judged.map(({ case: { id } }) => id))
  return cases
    .filter(({ id }) => !done.has(id))
    .map((testCase) => ({
      case: testCase,
      outcome: 'untested',
      problems: [],
      reason: INTERRUPTED,
      exchanges: [],
      durationMs: 0,
    }))
}
