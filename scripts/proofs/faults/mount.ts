import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { NotPossible } from './fault.ts'

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
