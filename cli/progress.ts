import type { Verdict } from '../conformance/index.ts'

/** Tells how far a run is: a bar on a terminal, a line for each failure in a pipe. */
export interface Progress {
  readonly start: (total: number) => void
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
    format: '{bar} {value}/{total} cases  {failed} failed',
    stream: process.stderr,
    barsize: 30,
    clearOnComplete: true,
    hideCursor: true,
  })
  let failed = 0
  return {
    start: (total) => drawn.start(total, 0, { failed }),
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
    start: (total) => process.stderr.write(`hookproof: running ${total} cases\n`),
    verdict({ outcome, case: { id } }) {
      if (!stopped && outcome !== 'passed') process.stderr.write(`${outcome.padEnd(8)} ${id}\n`)
    },
    stop() {
      stopped = true
    },
  }
}
