import { join } from 'node:path'
import { audit } from '../shared/audit.ts'
import { inFolder } from '../shared/folder.ts'
import { start } from '../shared/receiver.ts'
import { unexpected } from '../shared/senders.ts'
import { drained, storedIn } from '../shared/sqlite.ts'
import { burst, countOf, type Fault, sendOne, trafficOf } from './fault.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 366 * 24 * HOUR_MS

/**
 * The receiver's clock jumps an hour ahead, two hours back, and home. Deliveries signed by another clock are refused as
 * stale or early; whatever was acknowledged meanwhile is handled. Then it starts with a clock a year ahead, so that
 * retention forgets what was handled: a redelivery must still have no second effect.
 */
export const clockJump: Fault = (asked) =>
  inFolder(async (folder) => {
    const path = join(folder, 'inbox.sqlite')
    const launched = { dist: asked.dist, env: { INBOX: path }, inside: true }
    const traffic = trafficOf(asked, 'clock')
    const receiver = await start(launched)
    const { port } = receiver
    const broken: string[] = []
    let acknowledged = 0

    for (const offset of [0, HOUR_MS, -HOUR_MS, 0]) {
      await receiver.tell({ offset })
      const signedBy = (): number => Math.floor((Date.now() + offset) / 1000)
      const tally = await burst(port, traffic, 700, signedBy)
      broken.push(...unexpected(tally))
      acknowledged += countOf(tally, 200)
      if (countOf(tally, 200) === 0) broken.push(`nothing was acknowledged with the clock ${offset} ms off`)
      for (const wrong of [signedBy() - 301, signedBy() + 310]) {
        const { status } = await sendOne(port, traffic.next(), wrong)
        if (status !== 400) broken.push(`a delivery outside the window was answered ${status}`)
      }
    }
    const open = await drained(path)
    if (open > 0) broken.push(`${open} events were still open 30 s after the jumps`)
    const before = storedIn(path)
    broken.push(...audit(traffic.sent, before).broken)
    await receiver.stop()

    const ahead = Date.now() + YEAR_MS
    const later = await start({ ...launched, env: { ...launched.env, PROOF_CLOCK_AT: String(ahead) } })
    const seen = traffic.sent.filter((event) => event.acknowledged)
    const redelivered = seen.slice(0, asked.quick ? 200 : 2000)
    // Retention deletes in portions, so the first look may still find some.
    for (let left = before.events.length; left > 0; left = storedIn(path).events.length) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (const event of redelivered) {
      const { status } = await sendOne(later.port, event, Math.floor(ahead / 1000))
      if (status !== 200) broken.push(`a redelivery a year later was answered ${status}`)
    }
    await drained(path)
    const after = storedIn(path)
    if (after.lines.length !== before.lines.length) {
      broken.push(
        `doubled: ${after.lines.length - before.lines.length} effects more after redeliveries a year later`,
      )
    }
    await later.stop()
    return {
      figures: [
        ['clock an hour ahead, an hour behind', `${acknowledged} acknowledged on the way, ${open} left open`],
        [
          'clock a year ahead',
          `${before.events.length} events forgotten, ${redelivered.length} sent again, ${after.lines.length - before.lines.length} effects more`,
        ],
      ],
      broken,
    }
  })
