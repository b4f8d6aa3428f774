import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { compilePreload, preloadEnv } from '../shared/preload.ts'

/** The operation that turns the power off. */
export type Trigger = 'write' | 'write-to-database' | 'sync'

/** The shared memory and the journal of the processes that recorder.c was loaded into. */
export interface Recorder {
  /** The variables that load it into a process. */
  readonly env: Readonly<Record<string, string>>
  /** Forgets what was recorded. Call it while no process is running. */
  reset(): void
  /** Turns the power off at an operation: number `countdown` of its sort from now on. */
  arm(trigger: Trigger, countdown: number): void
  /** From now on syncs report success and do nothing. */
  hideSyncs(): void
  /** Whether the trigger has turned the power off. The processes stand still then, until they are killed. */
  isOff(): boolean
  /** Whether a process was killed between an operation and its entry in the journal. */
  wasInterrupted(): boolean
  journal(): Buffer
  close(): void
}

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
export function createRecorder(library: string, stateFolder: string, watched: string): Recorder {
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
    reset,
    arm(trigger, countdown) {
      write('countdown', countdown)
      write('trigger', TRIGGERS[trigger])
    },
    hideSyncs: () => write('hidden', 1),
    isOff: () => read('off') !== 0,
    wasInterrupted: () => read('inFlight') !== 0,
    journal: () => readFileSync(journalPath).subarray(0, read('committed')),
    close: () => closeSync(state),
  }
}
