import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** A small file system without a journal, on a device that can run out of space. */
interface FailingDisk {
  readonly folder: string
  /** From now on writing to the device fails, although the file system has free space. */
  fail(): void
  recover(): void
}

/**
 * Runs some work with a disk that accepts writes into its cache and then cannot write them: a sync fails once, and later syncs
 * succeed although the data is lost. @throws NotPossible without the right to mount
 */
export async function withFailingDisk<T>(
  folder: string,
  work: (disk: FailingDisk) => Promise<T>,
): Promise<T> {
  const [device, mounted] = [join(folder, 'device'), join(folder, 'disk')]
  for (const path of [device, mounted]) mkdirSync(path)
  return withSmallDisk(device, DEVICE_MIB, async () => {
    const [image, ballast] = [join(device, 'image'), join(device, 'ballast')]
    runSystem('truncate', '--size', '1G', image)
    runSystem('mkfs.ext4', '-q', '-F', '-O', '^has_journal', image)
    // By default ext4 reads zeros, once they have left the cache, where a write failed and was then repeated with success.
    runSystem('mount', '-o', 'loop,dioread_lock', image, mounted)
    try {
      return await work({
        folder: mounted,
        fail: () => fillDisk(ballast),
        recover: () => rmSync(ballast),
      })
    } finally {
      runSystem('umount', '--lazy', mounted)
    }
  })
}

const DEVICE_MIB = 256

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
