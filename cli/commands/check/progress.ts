import type { Verdict } from '../../../conformance/index.ts'

/** Tells how far a run is: a bar on a terminal, a line for each failure in a pipe. */
export interface Progress {
  /**
   * A run begins, the first or another.
   *
   * @param total how many cases it has
   * @param label which one it is, such as `run 2 of 3`
   */
  readonly start: (total: number, label?: string) => void
  readonly verdict: (verdict: Verdict) => void
  /** Nothing more is told: what comes after an interruption is no verdict. */
  readonly stop: () => void
}

/** Makes the progress for standard error, which keeps standard output for the report. */
export async function createProgress(): Promise<Progress> {
  return process.stderr.isTTY ? bar() : lines()
}

async function bar(): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress')
  const drawn = new cliProgress.SingleBar({
    format: '{bar} {value}/{total} {cases}  {failed} failed{label}',
    stream: process.stderr,
    barsize: 30,
    clearOnComplete: true,
    hideCursor: true,
  })
  let failed = 0
  return {
    start(total, label) {
      drawn.stop()
      failed = 0
      drawn.start(total, 0, {
        failed,
        cases: total === 1 ? 'case' : 'cases',
        label: label === undefined ? '' : `  ${label}`,
      })
    },
    verdict({ outcome }) {
      if (outcome === 'failed') failed += 1
      drawn.increment({ failed })
    },
    stop: () => drawn.stop(),
  }
}

function lines(): Progress {
  let stopped = false
  return {
    start(total, label) {
      const which = label === undefined ? '' : ` (${label})`
      process.stderr.write(`hookproof: running ${total} ${total === 1 ? 'case' : 'cases'}${which}\n`)
    },
    verdict({ outcome, case: { id } }) {
      if (!stopped && outcome !== 'passed') process.stderr.write(`${outcome.padEnd(8)} ${id}\n`)
    },
    stop() {
      stopped = true
    },
  }
}
