import type { PaceOfRun } from '../../../conformance/check.ts'
import type { Verdict } from '../../../conformance/index.ts'
import { counted, countOf, OUTCOMES } from '../../../conformance/report/wording.ts'
import type { Output } from '../../shared/io.ts'

/** Shows the progress of a run: a bar on a terminal, otherwise a line at the start, one every 20 s, and one at the end. */
export interface Progress {
  /**
   * Starts a run.
   *
   * @param total the number of its cases
   * @param pace shows at any time how it gets on
   * @param label which run it is, for example `run 2 of 3`
   */
  readonly start: (total: number, pace: () => PaceOfRun, label?: string) => void
  readonly verdict: (verdict: Verdict) => void
  /** Whether a run has started. */
  readonly hasStarted: () => boolean
  /** Shows how many cases wait for effects. */
  readonly waiting: (cases: number) => void
  /** Ends the display: verdicts after an interruption mean nothing. */
  readonly stop: () => void
}

/** How often a line says that cases wait, in milliseconds. */
const WAITING_EVERY_MS = 10_000
/** How often a line says how far the run is, in milliseconds. */
const SHOWN_EVERY_MS = 20_000
/** More cases at the same time do not make a receiver faster that answers so quickly, in milliseconds. */
const QUICK_MS = 200
const MOST_CONCURRENT = 64

const waitingFor = (cases: number) => `waiting for effects: ${counted(cases, 'case')}`

/** Creates the progress display on standard error; standard output is for the report. */
export async function createProgress(stderr: Output): Promise<Progress> {
  return stderr.isTTY ? bar(stderr) : lines(stderr)
}

async function bar(stream: Output): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress')
  const display = new cliProgress.SingleBar({
    format: '{bar} {value}/{total} {cases}  {failed} failed{label}{waiting}',
    stream,
    barsize: 30,
    clearOnComplete: true,
    hideCursor: true,
  })
  let failed = 0
  return {
    start(total, _pace, label) {
      display.stop()
      failed = 0
      display.start(total, 0, {
        failed,
        cases: total === 1 ? 'case' : 'cases',
        label: label === undefined ? '' : `  ${label}`,
        waiting: '',
      })
    },
    hasStarted: () => display.isActive,
    verdict({ outcome }) {
      if (outcome === 'failed') failed += 1
      display.increment({ failed })
    },
    waiting: (cases) => display.update({ waiting: cases === 0 ? '' : `  ${waitingFor(cases)}` }),
    stop: () => display.stop(),
  }
}

function lines(stream: Output): Progress {
  let stopped = false
  let done = 0
  let total = 0
  let shownAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const counts: Record<Verdict['outcome'], number> = {
    passed: 0,
    failed: 0,
    warning: 0,
    inconclusive: 0,
    untested: 0,
  }
  return {
    start(cases, pace, label) {
      total = cases
      done = 0
      const startedAt = performance.now()
      clearInterval(timer)
      timer = setInterval(() => {
        stream.write(`hookproof: ${progressText(done, total, performance.now() - startedAt, pace())}\n`)
      }, SHOWN_EVERY_MS).unref()
      for (const outcome of OUTCOMES) counts[outcome] = 0
      stream.write(
        `hookproof: running ${counted(total, 'case')}${label === undefined ? '' : ` (${label})`}\n`,
      )
    },
    hasStarted: () => total > 0,
    verdict({ outcome }) {
      done += 1
      counts[outcome] += 1
      if (stopped || done !== total) return
      const parts = OUTCOMES.filter((name) => counts[name] > 0).map((name) => countOf(name, counts[name]))
      stream.write(`hookproof: finished: ${parts.join(', ')}\n`)
    },
    waiting(cases) {
      if (stopped || cases === 0 || performance.now() - shownAt < WAITING_EVERY_MS) return
      shownAt = performance.now()
      stream.write(`hookproof: ${waitingFor(cases)}\n`)
    },
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}

/** How far a run is, how slow the receiver answers, how long the rest takes, and what makes it shorter, in one line. */
export function progressText(done: number, total: number, afterMs: number, pace: PaceOfRun): string {
  const { sent, deliveries, answerMs, isParallel, concurrency } = pace
  const after = `after ${Math.round(afterMs / 1000)} s`
  const answers = answerMs === undefined ? 'no response yet' : `a response takes ${secondsText(answerMs)}`
  if (done >= total)
    return `${after}: all cases are judged, and more deliveries look for the causes; ${answers}`
  const share = Math.max(done / total, Math.min(sent / deliveries, 1))
  const leftMs = share === 0 ? undefined : (afterMs / share) * (1 - share)
  const left = leftMs === undefined ? '' : `; about ${timeText(leftMs)} left`
  const more = Math.min(MOST_CONCURRENT, concurrency * 4)
  const faster =
    isParallel && (answerMs ?? 0) > QUICK_MS && more > concurrency ? `, less with --concurrency ${more}` : ''
  return `${after}: ${done} of ${counted(total, 'case')} judged; ${answers}${left}${faster}`
}

const secondsText = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`

const timeText = (ms: number): string =>
  ms < 90_000
    ? counted(Math.max(1, Math.round(ms / 10_000)) * 10, 'second')
    : counted(Math.round(ms / 60_000), 'minute')
