import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { audit } from '../shared/audit.ts'
import { start } from '../shared/receiver.ts'
import { countOf, unexpectedResponses } from '../shared/senders.ts'
import { storedStateOf, waitUntilProcessed } from '../shared/sqlite.ts'
import { burst, type Fault, sendOne, trafficOf } from './fault.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 366 * 24 * HOUR_MS

/**
 * The receiver's clock jumps an hour ahead, then two hours back, then to the right time. Deliveries signed by another
 * clock must be refused as stale or early; what was acknowledged must be processed. Then the receiver starts with a clock
 * a year ahead, so that retention deletes the processed events: a redelivery must still have no second effect.
 */
export const clockJump: Fault = (options) =>
  withTemporaryFolder(async (folder) => {
    const path = join(folder, 'inbox.sqlite')
    const receiverOptions = { dist: options.dist, env: { INBOX: path }, hook: true }
    const traffic = trafficOf(options, 'clock')
    const receiver = await start(receiverOptions)
    const { port } = receiver
    const violations: string[] = []
    let acknowledged = 0

    for (const offset of [0, HOUR_MS, -HOUR_MS, 0]) {
      await receiver.callHook({ offset })
      const receiverSeconds = (): number => Math.floor((Date.now() + offset) / 1000)
      const tally = await burst(port, traffic, 700, receiverSeconds)
      violations.push(...unexpectedResponses(tally))
      acknowledged += countOf(tally, 200)
      if (countOf(tally, 200) === 0)
        violations.push(`nothing was acknowledged with the clock ${offset} ms off`)
      for (const outsideWindow of [receiverSeconds() - 301, receiverSeconds() + 310]) {
        const { status } = await sendOne(port, traffic.nextNew(), outsideWindow)
        if (status !== 400) violations.push(`a delivery outside the tolerance window was answered ${status}`)
      }
    }
    const open = await waitUntilProcessed(path)
    if (open > 0) violations.push(`${open} events were still open 30 s after the jumps`)
    const before = storedStateOf(path)
    violations.push(...audit(traffic.sent, before).violations)
    await receiver.stop()

    const yearAhead = Date.now() + YEAR_MS
    const later = await start({
      ...receiverOptions,
      env: { ...receiverOptions.env, PROOF_CLOCK_AT: String(yearAhead) },
    })
    const acknowledgedEvents = traffic.sent.filter((event) => event.acknowledged)
    const redelivered = acknowledgedEvents.slice(0, options.quick ? 200 : 2000)
    // Retention deletes in batches, so the first reading may still find events.
    for (let left = before.events.length; left > 0; left = storedStateOf(path).events.length) await wait(50)
    for (const event of redelivered) {
      const { status } = await sendOne(later.port, event, Math.floor(yearAhead / 1000))
      if (status !== 200) violations.push(`a redelivery a year later was answered ${status}`)
    }
    await waitUntilProcessed(path)
    const additionalEffects = storedStateOf(path).entries.length - before.entries.length
    if (additionalEffects !== 0) {
      violations.push(`duplicated: ${additionalEffects} additional effects after redeliveries a year later`)
    }
    await later.stop()
    return {
      figures: [
        [
          'clock an hour ahead, an hour behind',
          `${formatCount(acknowledged)} acknowledged, ${formatCount(open)} unprocessed`,
        ],
        [
          'clock a year ahead',
          `${formatCount(before.events.length)} events deleted by retention, ${formatCount(redelivered.length)} redelivered, ${formatCount(additionalEffects)} additional effects`,
        ],
      ],
      violations,
    }
  })
