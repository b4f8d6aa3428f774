import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { stopAndAudit } from '../shared/audit.ts'
import type { ProofOptions, ProofResult } from '../shared/prove.ts'
import { launch, type Receiver, start } from '../shared/receiver.ts'
import { countOf, formatResponses, unexpectedResponses } from '../shared/senders.ts'
import { sqliteStore } from '../shared/sqlite.ts'
import { fillDisk, runSystem, withSmallDisk } from '../shared/system.ts'
import {
  burst,
  type Fault,
  formatRecovery,
  problemsWith503,
  problemsWithRefusedStart,
  recoveryTime,
  sendOne,
  trafficOf,
} from './fault.ts'

/** More than the write-ahead log of a busy receiver grows to before a checkpoint, which is 80 MiB. */
const DISK_MIB = 256

/** The disk fills up during deliveries; later there is space again. */
export const diskFull: Fault = (options) =>
  withTemporaryFolder((folder) =>
    withSmallDisk(folder, DISK_MIB, async () => {
      const path = join(folder, 'inbox.sqlite')
      const receiver = await start({ dist: options.dist, env: { INBOX: path } })
      return throughFault('disk full', options, receiver, path, {
        begin: () => fillDisk(join(folder, 'ballast')),
        end: () => rmSync(join(folder, 'ballast')),
      })
    }),
  )

/**
 * A receiver is stopped while its disk is full. It must exit with code 1 and one line that names the file and the cause, and
 * the next receiver must find everything.
 */
export const diskFullAtStop: Fault = (options) =>
  withTemporaryFolder((folder) =>
    withSmallDisk(folder, DISK_MIB, async () => {
      const path = join(folder, 'inbox.sqlite')
      const receiverOptions = { dist: options.dist, env: { INBOX: path } }
      const ballast = join(folder, 'ballast')
      const traffic = trafficOf(options, 'full at stop')
      let code: number | null = 0
      let line = ''
      // A receiver whose log SQLite has just written back needs no room to stop.
      for (let attempt = 0; attempt < 5 && code === 0 && line === ''; attempt += 1) {
        const first = await start(receiverOptions)
        await burst(first.port, traffic, 500)
        fillDisk(ballast)
        code = await first.stop()
        line = first.stderr().trim()
        rmSync(ballast)
      }
      const last = await start(receiverOptions)
      const recoveredMs = await recoveryTime(last.port, traffic)
      const violations = [
        ...(recoveredMs === undefined ? ['the next receiver did not acknowledge a delivery'] : []),
        ...(code === 1 ? [] : [`the receiver exited with code ${code}, not 1`]),
        ...(/^hookproof receiver: inbox .*: the disk is full\. [^\n]*$/.test(line) && line.includes(path)
          ? []
          : [
              `standard error is not one line that names the file and the full disk: ${JSON.stringify(line)}`,
            ]),
        ...(await stopAndAudit([last], sqliteStore(path), traffic.sent)).violations,
      ]
      return { figures: [['disk full at the stop', line.replace(path, '<file>')]], violations }
    }),
  )

/** The file becomes read-only under a running receiver. */
export const readOnlyWhileRunning: Fault = (options) =>
  withTemporaryFolder(async (folder) => {
    const path = join(folder, 'inbox.sqlite')
    const receiver = await start({ dist: options.dist, env: { INBOX: path } })
    const files = [path, `${path}-wal`]
    return throughFault('file read-only', options, receiver, path, {
      begin: () => runSystem('chattr', '+i', ...files),
      end: () => runSystem('chattr', '-i', ...files),
    })
  })

/** The file is moved away under a running receiver, and later moved back. */
export const movedAway: Fault = (options) =>
  withTemporaryFolder(async (folder) => {
    const path = join(folder, 'inbox.sqlite')
    const away = join(folder, 'away.sqlite')
    const receiver = await start({ dist: options.dist, env: { INBOX: path } })
    return throughFault('file moved away', options, receiver, path, {
      begin: () => renameSync(path, away),
      end: () => renameSync(away, path),
    })
  })

/**
 * The file system is read-only when the receiver starts. It must either refuse to start, in one line, or answer 503 and
 * recover without help once it can write.
 */
export const readOnlyAtStart: Fault = (options) =>
  withTemporaryFolder((folder) =>
    withSmallDisk(folder, DISK_MIB, async () => {
      const path = join(folder, 'inbox.sqlite')
      const receiverOptions = { dist: options.dist, env: { INBOX: path } }
      const traffic = trafficOf(options, 'read-only')
      const first = await start(receiverOptions)
      await burst(first.port, traffic, 500)
      await first.kill()

      runSystem('mount', '-o', 'remount,ro', folder)
      const second = launch(receiverOptions)
      const port = await second.listening
      const violations =
        port === undefined
          ? problemsWithRefusedStart(await second.exited, second.stderr(), path)
          : problemsWith503(await sendOne(port, traffic.nextNew()))
      runSystem('mount', '-o', 'remount,rw', folder)

      const last = port === undefined ? await start(receiverOptions) : { ...second, port }
      if ((await recoveryTime(last.port, traffic)) === undefined) {
        violations.push('the receiver still answered 503 after the file had become writable')
        await last.kill()
      } else violations.push(...(await stopAndAudit([last], sqliteStore(path), traffic.sent)).violations)
      const figure =
        port === undefined ? second.stderr().trim().replace(path, '<file>') : 'started and answered 503'
      return { figures: [['read-only at start', figure]], violations }
    }),
  )

interface FaultSwitch {
  readonly begin: () => void
  readonly end: () => void
}

/** Delivers before, during and after a disk fault: the receiver answers 503 meanwhile, and loses nothing. */
async function throughFault(
  name: string,
  options: ProofOptions,
  receiver: Receiver & { readonly port: number },
  path: string,
  { begin, end }: FaultSwitch,
): Promise<ProofResult> {
  const { port } = receiver
  const traffic = trafficOf(options, name)
  const before = await burst(port, traffic, 1000)
  begin()
  let during: Awaited<ReturnType<typeof burst>>
  let rejected: Awaited<ReturnType<typeof sendOne>>
  try {
    during = await burst(port, traffic, options.quick ? 1500 : 3000)
    rejected = await sendOne(port, traffic.nextNew())
  } finally {
    end()
  }
  const recoveredMs = await recoveryTime(port, traffic)
  const after = await burst(port, traffic, 1000)

  const violations = [before, during, after].flatMap(unexpectedResponses).concat(problemsWith503(rejected))
  if (recoveredMs === undefined)
    violations.push('no delivery was acknowledged within 20 s after the end of the fault')
  if (countOf(after, 503) > 0) violations.push('the receiver still answered 503 after the end of the fault')
  violations.push(...(await stopAndAudit([receiver], sqliteStore(path), traffic.sent)).violations)
  return {
    figures: [[name, `${formatResponses(during)} during the fault; ${formatRecovery(recoveredMs)}`]],
    violations,
  }
}
