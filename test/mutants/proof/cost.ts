import { startBundled } from '../../../cli/commands/check/start-bundled.ts'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { createTarget } from '../../../conformance/contracts/webhook/target.ts'
import { observeUrl } from '../../../conformance/engine/observe/observe-url.ts'
import { createPatience } from '../../../conformance/engine/wire/patience.ts'
import { median } from '../../../scripts/shared/numbers.ts'
import { runCases } from '../../conformance/run-cases.ts'

const TIMES = [1, 2, 4]
const ROUNDS = 5

/** The cost of one case, in milliseconds, in a catalogue of `cases` cases. */
export interface Cost {
  readonly cases: number
  readonly ms: number
}

/** Runs the catalogue once, doubled and quadrupled against the bundled receiver, alternately: the medians. */
export async function costOfCases(): Promise<Cost[]> {
  const receiver = await startBundled({ env: process.env })
  const own = CATALOGUE.filter(({ mode, alone }) => mode !== 'live' && alone !== true)
  const spent = new Map<number, number[]>(TIMES.map((times) => [times, []]))
  try {
    // The first round warms up the engine.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const times of TIMES) {
        const cases = Array.from({ length: times }, (_, n) =>
          // A different id gives different payments.
          own.map((testCase) => ({ ...testCase, id: `${testCase.id}-${n}` })),
        ).flat()
        const started = performance.now()
        for await (const { outcome, case: testCase } of runCases({
          ...options(receiver),
          seed: `cost-${round}-${times}`,
          cases,
        })) {
          if (outcome !== 'passed') throw new Error(`${testCase.id} ${outcome}`)
        }
        if (round > 0) spent.get(times)?.push((performance.now() - started) / cases.length)
      }
    }
  } finally {
    await receiver.stop()
  }
  return TIMES.map((times) => ({ cases: times * own.length, ms: median(spent.get(times) ?? []) }))
}

function options({ url, secret, observe = '' }: Awaited<ReturnType<typeof startBundled>>) {
  const timeoutMs = 10_000
  return {
    secret,
    target: createTarget({
      url: new URL(url),
      secret,
      signatureHeader: 'X-Service-Signature',
      headers: [],
      timeoutMs,
    }),
    observer: observeUrl(new URL(observe), paymentService.observation, createPatience(timeoutMs)),
    mode: 'test' as const,
    now: () => Math.floor(Date.now() / 1000),
    concurrency: 8,
    ackWithinMs: 5_000,
    waitMs: 5_000,
  }
}
