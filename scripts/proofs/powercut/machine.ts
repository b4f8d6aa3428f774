import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../shared/random.ts'
import { createDisk, type Disk, type Survivors } from './disk.ts'
import { readJournal } from './journal.ts'
import { compileRecorder, createRecorder, type Recorder } from './recorder.ts'

/** A computer whose power can be cut: programs on it write to one folder, of which only what was synced is sure to survive. */
export interface Machine {
  /** The variables that a program needs to run on it. */
  readonly env: Recorder['env']
  /** The folder that programs may write to; it has no subfolders. */
  readonly folder: string
  readonly arm: Recorder['arm']
  readonly hideSyncs: Recorder['hideSyncs']
  readonly isOff: Recorder['isOff']
  /**
   * Replaces the files by what is left of them, so that programs may be started again. Call it after all programs were
   * killed.
   */
  cutPower(random: Random): PowerCut
  close(): void
}

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
export function createMachine(root: string, library = compileRecorder(root)): Machine {
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
    env: recorder.env,
    folder,
    arm: (trigger, countdown) => recorder.arm(trigger, countdown),
    hideSyncs: () => recorder.hideSyncs(),
    isOff: () => recorder.isOff(),
    cutPower(random) {
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
    close: () => recorder.close(),
  }
}
