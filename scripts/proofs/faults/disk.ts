import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from '../shared/audit.ts'
import { inFolder } from '../shared/folder.ts'
import type { Result } from '../shared/program.ts'
import { launch, type Receiver, start } from '../shared/receiver.ts'
import { told, unexpected } from '../shared/senders.ts'
import { damageIn, drained, storedIn } from '../shared/sqlite.ts'
import type { Traffic } from '../shared/traffic.ts'
import {
  amissWith503,
  amissWithRefusal,
  burst,
  countOf,
  type Fault,
  recovery,
  sendOne,
  trafficOf,
} from './fault.ts'
import { system, withSmallDisk } from './mount.ts'

/** More than the log of a busy receiver takes before it is carried over into the file, which is 80 MiB. */
const DISK_MIB = 256

/** The disk fills up while deliveries come in; later there is room again. */
export const diskFull: Fault = (asked) =>
  inFolder((folder) =>
    withSmallDisk(folder, DISK_MIB, async () => {
      const path = join(folder, 'inbox.sqlite')
      const receiver = await start({ dist: asked.dist, env: { INBOX: path } })
      return throughFault('disk full', asked, receiver, path, {
        begin: () => fill(join(folder, 'ballast')),
        end: () => rmSync(join(folder, 'ballast')),
      })
    }),
  )

/** The file becomes read-only under a receiver that runs. */
export const readOnlyWhileRunning: Fault = (asked) =>
  inFolder(async (folder) => {
    const path = join(folder, 'inbox.sqlite')
    const receiver = await start({ dist: asked.dist, env: { INBOX: path } })
    const files = [path, `${path}-wal`]
    return throughFault('file read-only', asked, receiver, path, {
      begin: () => system('chattr', '+i', ...files),
      end: () => system('chattr', '-i', ...files),
    })
  })

/** The file is moved away under a receiver that runs, and later back. */
export const movedAway: Fault = (asked) =>
  inFolder(async (folder) => {
    const path = join(folder, 'inbox.sqlite')
    const away = join(folder, 'away.sqlite')
    const receiver = await start({ dist: asked.dist, env: { INBOX: path } })
    return throughFault('file moved away', asked, receiver, path, {
      begin: () => renameSync(path, away),
      end: () => renameSync(away, path),
    })
  })

/**
 * The file system is read-only when the receiver starts. It either refuses to start, in one line, or answers 503 and
 * goes on by itself when it can write.
 */
export const readOnlyAtStart: Fault = (asked) =>
  inFolder((folder) =>
    withSmallDisk(folder, DISK_MIB, async () => {
      const path = join(folder, 'inbox.sqlite')
      const launched = { dist: asked.dist, env: { INBOX: path } }
      const traffic = trafficOf(asked, 'read-only')
      const first = await start(launched)
      await burst(first.port, traffic, 500)
      await first.kill()

      system('mount', '-o', 'remount,ro', folder)
      const second = launch(launched)
      const port = await second.listening
      const refused = port === undefined
      const broken = refused
        ? amissWithRefusal(await second.ended, second.stderr(), path)
        : amissWith503(await sendOne(port, traffic.next()))
      system('mount', '-o', 'remount,rw', folder)

      const last = port === undefined ? await start(launched) : { ...second, port }
      if ((await recovery(last.port, traffic)) === undefined) {
        broken.push('it answers 503 for as long as it runs, though the file can be written again')
        await last.kill()
      } else broken.push(...(await accounts(last, path, traffic)))
      const line = refused ? second.stderr().trim().replace(path, '<file>') : 'started, and answered 503'
      return { figures: [['read-only at start', line]], broken }
    }),
  )

interface Bounds {
  readonly begin: () => void
  readonly end: () => void
}

/** Deliveries before, during and after a fault of the disk: 503 while it lasts, and nothing acknowledged is lost. */
async function throughFault(
  name: string,
  asked: Parameters<Fault>[0],
  receiver: Receiver & { readonly port: number },
  path: string,
  { begin, end }: Bounds,
): Promise<Result> {
  const { port } = receiver
  const traffic = trafficOf(asked, name)
  const before = await burst(port, traffic, 1000)
  begin()
  let during: Awaited<ReturnType<typeof burst>>
  let refused: Awaited<ReturnType<typeof sendOne>>
  try {
    during = await burst(port, traffic, asked.quick ? 1500 : 3000)
    refused = await sendOne(port, traffic.next())
  } finally {
    end()
  }
  const tookMs = await recovery(port, traffic)
  const after = await burst(port, traffic, 1000)

  const broken = [before, during, after].flatMap(unexpected).concat(amissWith503(refused))
  if (tookMs === undefined) broken.push('no delivery was acknowledged within 20 s after the fault had ended')
  if (countOf(after, 503) > 0) broken.push('deliveries were still answered 503 after the fault had ended')
  broken.push(...(await accounts(receiver, path, traffic)))
  return {
    figures: [
      [name, `during it ${told(during)}; acknowledged again after ${tookMs ?? 'more than 20,000'} ms`],
    ],
    broken,
  }
}

/** Stops a receiver when it has nothing left to do, and compares what it holds with what was sent. */
async function accounts(receiver: Receiver, path: string, traffic: Traffic): Promise<string[]> {
  const open = await drained(path)
  const code = await receiver.stop()
  return [
    ...(open > 0 ? [`${open} events were still open 30 s later`] : []),
    ...(code === 0 ? [] : [`the receiver ended with exit code ${code}: ${receiver.stderr().trim()}`]),
    ...audit(traffic.sent, storedIn(path)).broken,
    ...damageIn(path),
  ]
}

/** Takes all the room there is. */
function fill(path: string): void {
  for (let bytes = 16 * 1024 * 1024; bytes >= 512; ) {
    try {
      writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' })
    } catch {
      bytes /= 2
    }
  }
}
