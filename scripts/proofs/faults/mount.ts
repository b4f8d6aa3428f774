import { spawnSync } from 'node:child_process'
import { NotPossible } from './fault.ts'

/** Runs a program of the system. @throws NotPossible with what it says when it fails */
export function system(program: string, ...words: string[]): void {
  const { error, status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (error !== undefined) throw new NotPossible(`${program} is not installed`)
  if (status !== 0) throw new NotPossible(stderr.trim() || `${program} ended with ${status}`)
}

/** Does some work with a small file system of its own in a folder. @throws NotPossible without the right to mount */
export async function withSmallDisk<T>(
  folder: string,
  mebibytes: number,
  work: () => Promise<T>,
): Promise<T> {
  system('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'hookproof', folder)
  try {
    return await work()
  } finally {
    system('umount', '--lazy', folder)
  }
}
