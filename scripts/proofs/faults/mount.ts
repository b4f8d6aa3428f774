import { runSystem } from '../shared/system.ts'

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
