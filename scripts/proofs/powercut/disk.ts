import type { Random } from '../shared/random.ts'

/** An operation on a file, which its inode identifies, or on the folder. */
export type Operation =
  | { readonly kind: 'create'; readonly inode: number; readonly name: string }
  | { readonly kind: 'write'; readonly inode: number; readonly at: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly inode: number; readonly size: number }
  | { readonly kind: 'unlink'; readonly name: string }
  /** Covers the operations on the file before `until`, a position in the journal. */
  | { readonly kind: 'sync'; readonly inode: number; readonly until: number }
  /** Covers creations and deletions before `until`. */
  | { readonly kind: 'sync-folder'; readonly until: number }

type Change = Extract<Operation, { kind: 'write' | 'truncate' }>

/** What survives of each sector is decided on its own, as on a disk. */
const SECTOR_BYTES = 512

interface File {
  /** Its bytes when the power was turned on, all of them durable. */
  readonly before: Buffer
  /** What was changed since, by position in the journal. */
  readonly changes: { readonly position: number; readonly change: Change }[]
  /** A sync covered the changes before this position. */
  durableUntil: number
}

interface NameChange {
  readonly position: number
  readonly name: string
  /** Undefined if the name was deleted. */
  readonly file: File | undefined
}

/** What a power cut left behind. */
export interface Survivors {
  readonly files: ReadonlyMap<string, Buffer>
  /** Sectors written without a sync: those that reached the disk, and those that did not. */
  readonly keptSectors: number
  readonly lostSectors: number
}

/** A folder on a disk with a cache that only a sync empties, and that is lost when the power goes off. */
export type Disk = ReturnType<typeof createDisk>

/** @param files what the folder contains, all of it durable, by inode */
export function createDisk(files: ReadonlyMap<number, { name: string; bytes: Buffer }>) {
  const byInode = new Map<number, File>()
  const nameChanges: NameChange[] = []
  let namesDurableUntil = 0
  for (const [inode, { name, bytes }] of files) create(-1, inode, name, bytes)

  function create(position: number, inode: number, name: string, bytes: Buffer): void {
    const file: File = { before: bytes, changes: [], durableUntil: 0 }
    // The inode may be that of a deleted file.
    byInode.set(inode, file)
    nameChanges.push({ position, name, file })
  }

  function fileOf(inode: number): File {
    const file = byInode.get(inode)
    if (file === undefined) throw new RangeError(`the journal does not say how inode ${inode} was created`)
    return file
  }

  /** The names after some of the changes. */
  function namesAfter(changes: readonly NameChange[]): Map<string, File> {
    const names = new Map<string, File>()
    for (const { name, file } of changes) {
      if (file === undefined) names.delete(name)
      else names.set(name, file)
    }
    return names
  }

  return {
    apply(position: number, operation: Operation): void {
      switch (operation.kind) {
        case 'create':
          create(position, operation.inode, operation.name, Buffer.alloc(0))
          return
        case 'unlink':
          nameChanges.push({ position, name: operation.name, file: undefined })
          return
        case 'write':
        case 'truncate':
          fileOf(operation.inode).changes.push({ position, change: operation })
          return
        case 'sync': {
          const file = fileOf(operation.inode)
          file.durableUntil = Math.max(file.durableUntil, operation.until)
          return
        }
        case 'sync-folder':
          namesDurableUntil = Math.max(namesDurableUntil, operation.until)
      }
    },
    /** The files as programs see them, before the power goes off. */
    cachedFiles: (): ReadonlyMap<string, Buffer> =>
      new Map(
        [...namesAfter(nameChanges)].map(([name, { before, changes }]) => [
          name,
          contentAfter(
            before,
            changes.map(({ change }) => change),
          ),
        ]),
      ),
    /** The files after a power cut: everything synced, and of the rest whatever chance lets through. */
    cutPower(random: Random): Survivors {
      const nameShare = shareThatSurvives(random)
      const names = namesAfter(
        nameChanges.filter(({ position }) => position < namesDurableUntil || random() < nameShare),
      )
      const files = new Map<string, Buffer>()
      let keptSectors = 0
      let lostSectors = 0
      for (const [name, { before, changes, durableUntil }] of names) {
        const share = shareThatSurvives(random)
        const kept = changes.flatMap(({ position, change }) => {
          if (position < durableUntil) return change
          const parts = partsOf(change)
          const survivors = parts.filter(() => random() < share)
          keptSectors += survivors.length
          lostSectors += parts.length - survivors.length
          return survivors
        })
        files.set(name, contentAfter(before, kept))
      }
      return { files, keptSectors, lostSectors }
    },
  }
}

/** The bytes of a file after some changes; those that were never written are zero. */
function contentAfter(before: Buffer, changes: readonly Change[]): Buffer {
  const endOf = (change: Change) => (change.kind === 'write' ? change.at + change.data.length : change.size)
  const bytes = Buffer.alloc(changes.reduce((most, change) => Math.max(most, endOf(change)), before.length))
  before.copy(bytes)
  let size = before.length
  for (const change of changes) {
    if (change.kind === 'write') {
      change.data.copy(bytes, change.at)
      size = Math.max(size, endOf(change))
    } else {
      bytes.fill(0, change.size, size)
      size = change.size
    }
  }
  return bytes.subarray(0, size)
}

/** Nothing, everything, or some of what was not synced. */
function shareThatSurvives(random: Random): number {
  const choice = random()
  if (choice < 0.25) return 0
  return choice < 0.4 ? 1 : random()
}

/** The parts of a change that survive or are lost independently: a write is split at the borders of sectors. */
function partsOf(change: Change): Change[] {
  if (change.kind === 'truncate') return [change]
  const { inode, at, data } = change
  const parts: Change[] = []
  for (let from = 0; from < data.length; ) {
    const to = Math.min(data.length, from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES))
    parts.push({ kind: 'write', inode, at: at + from, data: data.subarray(from, to) })
    from = to
  }
  return parts
}
