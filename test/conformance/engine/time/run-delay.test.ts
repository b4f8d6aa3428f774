import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { excludeStalls, stalledSoFar } from '../../../../conformance/engine/time/awake.ts'
import { thread } from '../../../../conformance/engine/time/run-delay.ts'
import { serve } from '../../servers.ts'
import { noted, senderTo } from '../wire/raw-server.ts'

const BLOCKED_MS = 200

/** Keeps the CPU busy, as a receiver does that computes too much. */
function compute(): void {
  const end = performance.now() + BLOCKED_MS
  while (performance.now() < end);
}

/** How much of the time in which a receiver in this process blocks it is excluded, in milliseconds. */
async function excluded(block: () => void): Promise<number> {
  const stop = excludeStalls()
  onTestFinished(() => void stop())
  let ms: number | undefined
  const { url } = await serve((_, response) => {
    const before = stalledSoFar()
    block()
    ms = stalledSoFar() - before
    response.end()
  })
  await senderTo(url, {}).send(noted)
  return ms ?? Number.NaN
}

describe('while a receiver in this process blocks it', () => {
  const delayedBy = (ms: number) => {
    const machine = vi.spyOn(thread, 'runDelayMs').mockReturnValue(1_000)
    onTestFinished(() => machine.mockRestore())
    return excluded(() => {
      compute()
      machine.mockReturnValue(1_000 + ms)
    })
  }

  it('the time that it computes counts', async () => {
    expect(await delayedBy(0)).toBe(0)
  })

  it('only the time is excluded in which the machine did not run this thread', async () => {
    expect(await delayedBy(60)).toBeCloseTo(60)
  })

  it('no more is excluded than the stall', async () => {
    expect(await delayedBy(3_600_000)).toBeLessThan(60_000)
  })
})

describe('the delay of this thread', () => {
  it('is the second number of the file, in milliseconds', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'hookproof-')), 'schedstat')
    onTestFinished(() => rmSync(dirname(file), { recursive: true }))
    writeFileSync(file, '5000000 7500000 12\n')
    expect(thread.runDelayMs(file)).toBe(7.5)
  })

  it('is 0 where the system has no such file', () => {
    expect(thread.runDelayMs('/nowhere/schedstat')).toBe(0)
  })

  it('grows by no more than the time that passes', () => {
    const started = performance.now()
    const before = thread.runDelayMs()
    compute()
    const grown = thread.runDelayMs() - before
    expect(grown).toBeGreaterThanOrEqual(0)
    expect(grown).toBeLessThanOrEqual(performance.now() - started)
  })
})
