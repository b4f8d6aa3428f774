import { spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReportSynced } from '../../schemas/types.ts'
import { HarnessError } from '../harness-error.ts'
import { createReceiver, type Launching, type World } from './receiver.ts'
import { send } from './send.ts'

const DELIVERIES = 10
/** After this time the work on one delivery does not sync any more while the next one is handled. */
const LEAST_PAUSE_MS = 100
const CALLS = 'read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg,fsync,fdatasync'
/** Enough to see the first line of a request or a response. */
const SHOWN_BYTES = 40
/** The variables from which the shells read the command and the file of the trace: no quoting can change them. */
const COMMAND = 'HOOKPROOF_TRACED_COMMAND'
const FILE = 'HOOKPROOF_TRACE_FILE'

/** @throws HarnessError `bad_option` where system calls cannot be traced */
export function requireStrace({ protocol }: URL): void {
  const names = ['fsyncTrace']
  const missing =
    process.platform !== 'linux' || spawnSync('strace', ['--version'], { stdio: 'ignore' }).status !== 0
  if (missing)
    throw new HarnessError(
      'bad_option',
      '"fsyncTrace" needs Linux and strace: install it, or leave this out',
      { names },
    )
  if (protocol !== 'http:')
    throw new HarnessError(
      'bad_option',
      '"fsyncTrace" needs an http URL: it cannot read encrypted responses',
      { names },
    )
}

/**
 * Starts the receiver under strace, sends deliveries one at a time, and counts before how many 200s an fsync or fdatasync
 * ended. That is no verdict: a store in another process, or one that opens its files with O_DSYNC, syncs unseen.
 */
export async function traceSyncs(
  launching: Launching,
  world: Pick<World, 'target' | 'kitOf' | 'signal' | 'sent' | 'effectMs' | 'onWaiting'> & {
    readonly startWithinMs: number
  },
): Promise<ReportSynced> {
  const { target, kitOf, effectMs } = world
  const folder = await mkdtemp(join(tmpdir(), 'hookproof-'))
  const strace = `exec strace -f -qq -I 2 -s ${SHOWN_BYTES} -e trace=${CALLS} -e signal=none -o "$${FILE}"`
  const traced = {
    ...launching,
    command: `${strace} sh -c "$${COMMAND}"`,
    env: { ...launching.env, [COMMAND]: launching.command, [FILE]: join(folder, 'trace') },
  }
  const kit = kitOf('sync-trace')
  const receiver = createReceiver({ ...traced, ...world, kit })
  try {
    await receiver.start()
    for (let n = 0; n < DELIVERIES; n += 1) {
      await pause(Math.max(LEAST_PAUSE_MS, effectMs * 2))
      const sent = await send(kit.delivery('completed'), target)
      world.sent(sent)
    }
    await receiver.current().stop()
    // A busy receiver makes a trace that does not fit into memory.
    const input = createReadStream(join(folder, 'trace'), 'latin1')
    return await countSynced(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
  } finally {
    await receiver.end()
    await rm(folder, { recursive: true, force: true })
  }
}

const REQUEST = /^\d+ +(?:<\.\.\. )?(?:read|readv|recvfrom|recvmsg)\b.*"POST /
const RESPONSE = /^\d+ +(?:write|writev|sendto|sendmsg)\(.*"HTTP\/1\.[01] 200\b/
const SYNC_ENDED = /^\d+ +(?:<\.\.\. )?(?:fsync|fdatasync)\b.* = 0$/

/** Counts the 200s of a trace that follow a sync since their request was read. The first line of each call counts. */
export async function countSynced(trace: AsyncIterable<string> | Iterable<string>): Promise<ReportSynced> {
  let before = 0
  let of = 0
  let isHandling = false
  let isSynced = false
  for await (const line of trace) {
    if (REQUEST.test(line)) {
      isHandling = true
      isSynced = false
    } else if (SYNC_ENDED.test(line)) isSynced = true
    else if (isHandling && RESPONSE.test(line)) {
      of += 1
      if (isSynced) before += 1
      isHandling = false
    }
  }
  return { before, of }
}
