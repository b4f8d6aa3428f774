import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../shared/random.ts'
import { compilePreload, preloadEnv } from '../shared/system.ts'
import { createDisk, type Disk, type Operation, type Survivors } from './disk.ts'

const HEADER_BYTES = 32

/**
 * Reads what recorder.c wrote.
 * @returns the operations in the order in which they happened, each with its position in the journal
 * @throws RangeError if the bytes are not a journal
 */
function* readJournal(bytes: Buffer): Generator<[position: number, operation: Operation]> {
  for (let position = 0; position < bytes.length; ) {
    const [kind, inode, at, length] = [0, 8, 16, 24].map((field) =>
      Number(bytes.readBigUInt64LE(position + field)),
    ) as [number, number, number, number]
    const start = position + HEADER_BYTES
    const data = bytes.subarray(start, start + length)
    if (data.length !== length) throw new RangeError(`the journal ends within its record at ${position}`)
    yield [position, operationOf(kind, inode, at, data)]
    position = start + length
  }
}

function operationOf(kind: number, inode: number, at: number, data: Buffer): Operation {
  switch (kind) {
    case 1:
      return { kind: 'create', inode, name: data.toString() }
    case 2:
      return { kind: 'write', inode, at, data }
    case 3:
      return { kind: 'truncate', inode, size: at }
    case 4:
      return { kind: 'unlink', name: data.toString() }
    case 5:
      return { kind: 'sync', inode, until: at }
    case 6:
      return { kind: 'sync-folder', until: at }
    default:
      throw new RangeError(`the journal contains the unknown kind ${kind}`)
  }
}

/** The operation that turns the power off. */
export type Trigger = 'write' | 'write-to-database' | 'sync'

/** The fields of `struct state` in recorder.c, each of 8 bytes. */
const FIELDS = ['ready', 'committed', 'inFlight', 'off', 'trigger', 'countdown', 'hidden', 'pause'] as const
const TRIGGERS: Readonly<Record<Trigger, number>> = { write: 1, 'write-to-database': 2, sync: 3 }
const STATE_BYTES = 4096
/** How long a sync takes. Meanwhile further deliveries arrive, and are written behind what is synced. */
const SYNC_MICROSECONDS = 2000

/**
 * Compiles recorder.c.
 * @returns the path of the library
 * @throws NotPossible without Linux or without gcc
 */
export function compileRecorder(folder: string): string {
  return compilePreload(new URL('recorder.c', import.meta.url), folder)
}

/**
 * @param library recorder.c, compiled
 * @param stateFolder an empty folder for the journal
 * @param watched the folder whose files are recorded, without symbolic links
 */
function createRecorder(library: string, stateFolder: string, watched: string) {
  const journalPath = join(stateFolder, 'journal')
  const statePath = join(stateFolder, 'state')
  writeFileSync(statePath, Buffer.alloc(STATE_BYTES))
  const state = openSync(statePath, 'r+')

  const offsetOf = (field: (typeof FIELDS)[number]): number => 8 * FIELDS.indexOf(field)
  function read(field: (typeof FIELDS)[number]): number {
    const bytes = Buffer.alloc(8)
    readSync(state, bytes, 0, 8, offsetOf(field))
    return Number(bytes.readBigUInt64LE())
  }
  function write(field: (typeof FIELDS)[number], value: number): void {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(value))
    writeSync(state, bytes, 0, 8, offsetOf(field))
  }
  function reset(): void {
    writeSync(state, Buffer.alloc(STATE_BYTES), 0, STATE_BYTES, 0)
    write('pause', SYNC_MICROSECONDS)
    writeFileSync(journalPath, '')
  }

  reset()
  return {
    env: {
      ...preloadEnv(library),
      RECORDER_FOLDER: watched,
      RECORDER_STATE: stateFolder,
    },
    /** Forgets what was recorded. Call it while no process is running. */
    reset,
    /** Turns the power off at an operation: number `countdown` of its sort from now on. */
    arm(trigger: Trigger, countdown: number) {
      write('countdown', countdown)
      write('trigger', TRIGGERS[trigger])
    },
    /** From now on syncs report success and do nothing. */
    hideSyncs: () => write('hidden', 1),
    /** Whether the trigger has turned the power off. The processes stand still then, until they are killed. */
    isOff: () => read('off') !== 0,
    /** Whether a process was killed between an operation and its entry in the journal. */
    wasInterrupted: () => read('inFlight') !== 0,
    journal: () => readFileSync(journalPath).subarray(0, read('committed')),
    close: () => closeSync(state),
  }
}

/** A computer whose power can be cut: programs on it write to one folder, of which only what was synced is sure to survive. */
export type Machine = ReturnType<typeof createMachine>

export interface PowerCut extends Survivors {
  /** How many syncs of files completed since the last power cut. */
  readonly syncs: number
  /**
   * How the files differ from what was recorded: then the recorder missed something, and the cut proves nothing. Undefined
   * if they could not be compared, because the kill hit an operation that was not recorded yet.
   */
  readonly differences: readonly string[] | undefined
}

/** Memory that the programs share, which no power cut leaves behind. */
const isSharedMemory = (name: string): boolean => name.endsWith('-shm')

/**
 * @param root an empty folder
 * @param library recorder.c, if it is compiled already
 * @throws NotPossible if this computer cannot compile the recorder
 */
export function createMachine(root: string, library = compileRecorder(root)) {
  mkdirSync(join(root, 'disk'))
  mkdirSync(join(root, 'state'))
  const folder = realpathSync(join(root, 'disk'))
  const recorder = createRecorder(library, join(root, 'state'), folder)
  const recordedNames = (): string[] => readdirSync(folder).filter((name) => !isSharedMemory(name))
  let disk: Disk = createDisk(new Map())

  function differences(): string[] {
    const recorded = disk.cachedFiles()
    const names = new Set([...recorded.keys(), ...recordedNames()])
    return [...names].flatMap((name) => {
      const bytes = recorded.get(name)
      if (bytes === undefined) return [`the recorder did not notice that ${name} was created`]
      if (!recordedNames().includes(name)) return [`the recorder did not notice that ${name} was deleted`]
      return readFileSync(join(folder, name)).equals(bytes) ? [] : [`the recorder missed changes of ${name}`]
    })
  }

  function restore(files: Survivors['files']): Disk {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    const byInode = new Map<number, { name: string; bytes: Buffer }>()
    for (const [name, bytes] of files) {
      const path = join(folder, name)
      writeFileSync(path, bytes)
      byInode.set(statSync(path).ino, { name, bytes })
    }
    return createDisk(byInode)
  }

  return {
    ...recorder,
    /** The folder that programs may write to; it has no subfolders. */
    folder,
    /**
     * Replaces the files by what is left of them, so that programs may be started again. Call it after all programs were
     * killed.
     */
    cutPower(random: Random): PowerCut {
      let syncs = 0
      for (const [position, operation] of readJournal(recorder.journal())) {
        disk.apply(position, operation)
        if (operation.kind === 'sync') syncs += 1
      }
      const cut = { syncs, differences: recorder.wasInterrupted() ? undefined : differences() }
      const survivors = disk.cutPower(random)
      disk = restore(survivors.files)
      recorder.reset()
      return { ...cut, ...survivors }
    },
  }
}
