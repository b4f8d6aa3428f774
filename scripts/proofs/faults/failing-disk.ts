import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { between, type Random, randomFrom } from '../shared/random.ts'
import { start } from '../shared/receiver.ts'
import { formatResponses, unexpectedResponses } from '../shared/senders.ts'
import { stopAndAudit } from './disk.ts'
import { createFailingDisk, type FailingDisk } from './failing-disk-library.ts'
import { burst, type Fault, recoveryTime, sendOne, trafficOf } from './fault.ts'

/** How many deliveries without an acknowledgment are repeated, to both receivers. */
const REPEATED = 20

const FAILS_MS = 8
const WORKS_MS = 40

/** A disk that fails for a moment, again and again. @returns what ends it; the disk works then */
function flicker(disk: FailingDisk, random: Random): AbortController {
  const ending = new AbortController()
  void (async () => {
    while (!ending.signal.aborted) {
      disk.fail()
      await wait(between(random, 1, FAILS_MS))
      disk.recover()
      await wait(between(random, 1, WORKS_MS))
    }
  })()
  return ending
}

/**
 * The disk of two receivers on one file fails: a sync fails once, and later ones succeed although what was written before is not
 * on disk. Neither receiver may acknowledge a refused delivery, not even if it can read it in the file. Both recover when the
 * disk works again, or for a moment only, and then everything that can be read is on disk.
 */
export const diskFailing: Fault = (options) =>
  withTemporaryFolder(async (folder) => {
    const [own, watched] = ['own', 'disk'].map((name) => join(realpathSync(folder), name)) as [string, string]
    for (const path of [own, watched]) mkdirSync(path)
    const disk = createFailingDisk(watched, own)
    const path = join(watched, 'inbox.sqlite')
    const receiverOptions = { dist: options.dist, env: { INBOX: path, ...disk.env } }
    const first = await start(receiverOptions)
    const second = await start(receiverOptions)
    const traffic = trafficOf(options, 'failing disk')
    const before = await burst(first.port, traffic, 500)
    disk.fail()
    const during = await burst(first.port, traffic, options.quick ? 1000 : 3000)

    const acknowledged: string[] = []
    const refused = traffic.sent.filter((event) => !event.acknowledged).slice(0, REPEATED)
    for (const event of refused) {
      for (const [name, port] of [
        ['second', second.port],
        ['first', first.port],
        ['second', second.port],
      ] as const) {
        if ((await sendOne(port, event)).status === 200) acknowledged.push(name)
      }
    }
    disk.recover()
    const recovered = [await recoveryTime(first.port, traffic), await recoveryTime(second.port, traffic)]
    const flickering = flicker(disk, randomFrom(`${options.seed} flicker`))
    const after = await Promise.all([
      burst(first.port, traffic, options.quick ? 1000 : 3000),
      burst(second.port, traffic, options.quick ? 1000 : 3000),
    ])
    flickering.abort()
    const again = [await recoveryTime(first.port, traffic), await recoveryTime(second.port, traffic)]
    await second.stop()
    const problems = await stopAndAudit(first, path, traffic)
    const lost = disk.lostPagesOf(path)
    const failures = disk.failures()
    disk.close()
    const violations = [
      ...unexpectedResponses(before),
      ...unexpectedResponses(during),
      ...after.flatMap(unexpectedResponses),
      ...(refused.length > 0 && failures > 0 ? [] : ['the disk did not fail']),
      ...(acknowledged.length === 0
        ? []
        : [
            `${acknowledged.length} repetitions were acknowledged while the disk failed, by the ${[...new Set(acknowledged)].join(' and the ')} receiver`,
          ]),
      ...([...recovered, ...again].includes(undefined)
        ? ['a receiver acknowledged no delivery after the disk worked again']
        : []),
      ...problems,
      ...(lost.length === 0
        ? []
        : [`${lost.length} pages of the file are not on disk: ${lost.slice(0, 10).join(', ')}`]),
    ]
    const figure = `${formatResponses(during)} while it fails, ${after.map(formatResponses).join(' and ')} while it fails now and then; ${failures} syncs failed; ${refused.length} of the refused repeated to each of 2 receivers, ${acknowledged.length} acknowledged; ${lost.length} pages not on disk afterwards`
    return { figures: [['disk failing, two receivers', figure]], violations }
  })
