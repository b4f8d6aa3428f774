import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NotPossible } from '../faults/fault.ts'
import { runSystem } from '../faults/mount.ts'

const SHARED = dirname(fileURLToPath(import.meta.url))
const FLAGS = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-Werror', `-I${SHARED}`]

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
