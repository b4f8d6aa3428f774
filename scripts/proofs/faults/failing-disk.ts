import {
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { stopAndAudit } from '../shared/audit.ts'
import { between, type Random, randomFrom } from '../shared/random.ts'
import { start } from '../shared/receiver.ts'
import { formatResponses, unexpectedResponses } from '../shared/senders.ts'
import { sqliteStore } from '../shared/sqlite.ts'
import { compilePreload, preloadEnv } from '../shared/system.ts'
import { burst, type Fault, recoveryTime, sendOne, trafficOf } from './fault.ts'

/** The disk of the processes that failing-disk.c was loaded into. */
type FailingDisk = ReturnType<typeof createFailingDisk>

/** The layout of `struct state` in failing-disk.c, in bytes. */
const FILES = 8
const PAGE_BYTES = 4096
const PAGES = 64 * 1024
const HEAD_BYTES = 16
const FILE_HEAD_BYTES = 24
const FILE_BYTES = FILE_HEAD_BYTES + PAGES
const MUTEX_BYTES = 256
const LOST = 2

/**
 * Compiles failing-disk.c.
 * @param watched the folder whose files are on the disk, without symbolic links
 * @param own an empty folder for the library and its state
 * @throws NotPossible without Linux or without gcc
 */
function createFailingDisk(watched: string, own: string) {
  const library = compilePreload(new URL('failing-disk.c', import.meta.url), own)
  const statePath = join(own, 'state')
  writeFileSync(statePath, Buffer.alloc(HEAD_BYTES + FILES * FILE_BYTES + MUTEX_BYTES))
  const state = openSync(statePath, 'r+')

  function setFailing(failing: boolean): void {
    writeSync(state, Buffer.from([failing ? 1 : 0]), 0, 1, 8)
  }

  function entries(): Buffer[] {
    return Array.from({ length: FILES }, (_, index) => {
      const entry = Buffer.alloc(FILE_BYTES)
      readSync(state, entry, 0, FILE_BYTES, HEAD_BYTES + index * FILE_BYTES)
      return entry
    })
  }

  return {
    /** The variables that load it into a process. */
    env: {
      ...preloadEnv(library),
      FAILING_FOLDER: watched,
      FAILING_STATE: statePath,
    },
    /** From now on a sync cannot write what was written since the last one. */
    fail: () => setFailing(true),
    recover: () => setFailing(false),
    /** How many syncs could not write a file. */
    failures: () => entries().reduce((sum, entry) => sum + Number(entry.readBigUInt64LE(8)), 0),
    /** The pages of a file that can be read but are not on disk, numbered from 1. */
    lostPagesOf(path: string): number[] {
      const { ino, size } = statSync(path, { bigint: true })
      const pages = entries()
        .find((entry) => entry.readBigUInt64LE() === ino)
        ?.subarray(FILE_HEAD_BYTES)
      if (pages === undefined) throw new Error(`no process has opened ${path}`)
      const count = Math.ceil(Number(size) / PAGE_BYTES)
      return Array.from({ length: count }, (_, page) => page + 1).filter((page) => pages[page - 1] === LOST)
    },
    close: () => closeSync(state),
  }
}

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
 * on disk. From then on neither receiver may acknowledge anything, not even a refused delivery that it can read in the file,
 * and not even when the disk works again. After a restart of both, everything that can be read is on disk.
 */
export const diskFailing: Fault = (options) =>
  withTemporaryFolder(async (folder) => {
    const [own, watched] = ['own', 'disk'].map((name) => join(realpathSync(folder), name)) as [string, string]
    for (const path of [own, watched]) mkdirSync(path)
    const disk = createFailingDisk(watched, own)
    const path = join(watched, 'inbox.sqlite')
    const receiverOptions = { dist: options.dist, env: { INBOX: path, ...disk.env } }
    const startBoth = () => Promise.all([start(receiverOptions), start(receiverOptions)])
    const traffic = trafficOf(options, 'failing disk')
    let [first, second] = await startBoth()
    const before = await burst(first.port, traffic, 500)
    disk.fail()
    const during = await burst(first.port, traffic, options.quick ? 1000 : 3000)

    const acknowledged: string[] = []
    async function repeatRefused(): Promise<void> {
      for (const event of refused) {
        for (const [name, port] of [
          ['second', second.port],
          ['first', first.port],
          ['second', second.port],
        ] as const) {
          if ((await sendOne(port, event)).status === 200) acknowledged.push(name)
        }
      }
    }
    const refused = traffic.sent.filter((event) => !event.acknowledged).slice(0, REPEATED)
    await repeatRefused()
    disk.recover()
    await repeatRefused()
    const ready: number[] = []
    for (const { port } of [first, second]) {
      const { status } = await fetch(`http://127.0.0.1:${port}/readyz`)
      if (status !== 503) ready.push(status)
    }

    const exits: (number | null)[] = []
    const lines: string[] = []
    /** Restarts both. @returns how long each of them took to acknowledge a delivery */
    async function restart() {
      for (const receiver of [first, second]) {
        exits.push(await receiver.stop())
        lines.push(receiver.stderr().trim())
      }
      ;[first, second] = await startBoth()
      return [await recoveryTime(first.port, traffic), await recoveryTime(second.port, traffic)]
    }
    const recovered = await restart()
    const failed = lines.filter((line) => /^hookproof receiver: inbox .*: the disk failed [^\n]*$/.test(line))
    const flickering = flicker(disk, randomFrom(`${options.seed} flicker`))
    const after = await Promise.all([
      burst(first.port, traffic, options.quick ? 1000 : 3000),
      burst(second.port, traffic, options.quick ? 1000 : 3000),
    ])
    flickering.abort()
    disk.recover()
    const again = await restart()
    await second.stop()
    const { violations: problems } = await stopAndAudit([first], sqliteStore(path), traffic.sent)
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
            `${acknowledged.length} repetitions were acknowledged after the disk failed, by the ${[...new Set(acknowledged)].join(' and the ')} receiver`,
          ]),
      ...(ready.length === 0 ? [] : [`/readyz answered ${ready.join(' and ')} after a sync had failed`]),
      ...(failed.length === 2
        ? []
        : [`the receivers did not say in one line that the disk failed: ${JSON.stringify(lines)}`]),
      ...([...recovered, ...again].includes(undefined)
        ? ['a receiver acknowledged no delivery after the disk worked again and both were restarted']
        : []),
      ...problems,
      ...(lost.length === 0
        ? []
        : [`${lost.length} pages of the file are not on disk: ${lost.slice(0, 10).join(', ')}`]),
    ]
    const figure = `${formatResponses(during)} while it fails, ${after.map(formatResponses).join(' and ')} while it fails now and then; ${failures} syncs failed; ${refused.length} of the refused repeated to each of 2 receivers, ${acknowledged.length} acknowledged; ${lost.length} pages not on disk after a restart`
    return { figures: [['disk failing, two receivers', figure]], violations }
  })
