import { join } from 'node:path'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { start } from '../shared/receiver.ts'
import { formatResponses, unexpectedResponses } from '../shared/senders.ts'
import { stopAndAudit } from './disk.ts'
import { burst, type Fault, recoveryTime, sendOne, trafficOf } from './fault.ts'
import { withFailingDisk } from './mount.ts'

/** How many deliveries without an acknowledgment are repeated, to both receivers. */
const REPEATED = 20

/**
 * The disk of two receivers on one file fails: a sync fails once, and later ones may succeed. Neither receiver may
 * acknowledge a refused delivery, not even if it can read it in the file. Both recover when the disk works again.
 */
export const diskFailing: Fault = (options) =>
  withTemporaryFolder((folder) =>
    withFailingDisk(folder, async (disk) => {
      const path = join(disk.folder, 'inbox.sqlite')
      const receiverOptions = { dist: options.dist, env: { INBOX: path } }
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
      await second.stop()
      const violations = [
        ...unexpectedResponses(before),
        ...unexpectedResponses(during),
        ...(refused.length > 0 ? [] : ['the disk did not fail']),
        ...(acknowledged.length === 0
          ? []
          : [
              `${acknowledged.length} repetitions were acknowledged while the disk failed, by the ${[...new Set(acknowledged)].join(' and the ')} receiver`,
            ]),
        ...(recovered.includes(undefined)
          ? ['a receiver acknowledged no delivery after the disk worked again']
          : []),
        ...(await stopAndAudit(first, path, traffic)),
      ]
      const figure = `${formatResponses(during)}; ${refused.length} of the refused repeated to each of 2 receivers, ${acknowledged.length} acknowledged`
      return { figures: [['disk failing, two receivers', figure]], violations }
    }),
  )
