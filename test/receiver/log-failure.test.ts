import { expect, it, onTestFinished } from 'vitest'
import { memoryInbox } from '../../receiver/inbox/memory.ts'
import { logFailure, startProcessing } from '../../receiver/processing.ts'
import { replaceStandardError, standardError } from '../support/standard-error.ts'
import { until } from '../support/until.ts'
import { completed } from './support.ts'

it('logs each processing failure in one line on standard error when there is no onOutcome', async () => {
  const lines = standardError()
  const inbox = memoryInbox({ retries: { maxAttempts: 2, firstDelayMs: 1 } })
  await inbox.accept(completed('tx_a\nb'))
  const processing = startProcessing({
    inbox,
    pollMs: 5,
    handle() {
      throw new Error('the warehouse\nis closed')
    },
  })
  onTestFinished(() => processing.stop())
  await until(() => lines().length === 2)
  expect(lines()[0]).toMatch(
    /^hookproof: processing: entry 1, "payment\.completed" of "tx_a\\nb", attempt 1: the warehouse is closed \(next attempt at 2[^\n]*\)\n$/,
  )
  expect(lines()[1]).toMatch(/attempt 2: the warehouse is closed \(dead\)\n$/)
})

it('logs nothing for a handled event', async () => {
  const lines = standardError()
  const inbox = memoryInbox()
  await inbox.accept(completed('tx_well'))
  let handled = 0
  const processing = startProcessing({ inbox, handle: () => void (handled += 1) })
  await until(() => handled === 1)
  await processing.stop()
  expect(lines()).toEqual([])
})

it('goes on when standard error cannot be written', async () => {
  replaceStandardError('/dev/full')
  const fail = () => logFailure({ outcome: 'store_failed', error: new Error('down') })
  fail()
  // An error event would arrive later.
  await new Promise((resolve) => setTimeout(resolve, 10))
  fail()
})
