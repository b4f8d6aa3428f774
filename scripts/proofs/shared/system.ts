import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SHARED = dirname(fileURLToPath(import.meta.url))
const FLAGS = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-Werror', `-I${SHARED}`]

/** This machine does not allow what a part of a proof needs; the message says why. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible'
}

/** Runs a system program. @throws NotPossible with its standard error if it fails */
export function runSystem(program: string, ...args: string[]): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw new NotPossible(`${program} is not installed`)
  if (status !== 0) throw new NotPossible(stderr.trim() || `${program} exited with code ${status}`)
}

/** Runs some work with a small file system mounted at a folder. @throws NotPossible without the right to mount */
export async function withSmallDisk<T>(
  folder: string,
  mebibytes: number,
  work: () => Promise<T>,
): Promise<T> {
  runSystem('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'hookproof', folder)
  try {
    return await work()
  } finally {
    runSystem('umount', '--lazy', folder)
  }
}

/** Writes a file that takes all the space of its disk. */
export function fillDisk(path: string): void {
  for (let bytes = 16 * 1024 * 1024; bytes >= 512; ) {
    try {
      writeFileSync(path, Buffer.alloc(bytes, 1), { flag: 'a' })
    } catch {
      bytes /= 2
    }
  }
}

/**
 * Compiles a library that a process loads with LD_PRELOAD.
 *
 * @param source the C file, which includes preload.h
 * @param folder where the library is written
 * @returns the path of the library
 * @throws NotPossible without Linux or without gcc
 */
export function compilePreload(source: URL, folder: string): string {
  if (platform() !== 'linux') throw new NotPossible('it requires Linux')
  const library = join(folder, 'preload.so')
  runSystem('gcc', ...FLAGS, '-o', library, fileURLToPath(source), '-ldl', '-pthread')
  return library
}

/** The variables that load a library into a process. */
export const preloadEnv = (library: string): Readonly<Record<string, string>> => ({
  LD_PRELOAD: library,
  // The library sees calls of the C library only.
  UV_USE_IO_URING: '0',
})
