import { closeSync, openSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { compilePreload, preloadEnv } from '../shared/preload.ts'

/** The disk of the processes that failing-disk.c was loaded into. */
export interface FailingDisk {
  /** The variables that load it into a process. */
  readonly env: Readonly<Record<string, string>>
  /** From now on a sync cannot write what was written since the last one. */
  fail(): void
  recover(): void
  /** How many syncs could not write a file. */
  failures(): number
  /** The pages of a file that can be read but are not on disk, numbered from 1. */
  lostPagesOf(path: string): number[]
  close(): void
}

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
export function createFailingDisk(watched: string, own: string): FailingDisk {
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
    env: {
      ...preloadEnv(library),
      FAILING_FOLDER: watched,
      FAILING_STATE: statePath,
    },
    fail: () => setFailing(true),
    recover: () => setFailing(false),
    failures: () => entries().reduce((sum, entry) => sum + Number(entry.readBigUInt64LE(8)), 0),
    lostPagesOf(path) {
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
