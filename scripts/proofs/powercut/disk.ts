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

/** The bytes of a file, which grow in place. */
class Content {
  #buffer: Buffer
  #size: number

  /** @param bytes are copied */
  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#buffer = Buffer.from(bytes)
    this.#size = bytes.length
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }

  /** Bytes that were never written are zero. */
  change(change: Change): void {
    if (change.kind === 'truncate') this.#resize(change.size)
    else {
      this.#resize(Math.max(this.#size, change.at + change.data.length))
      change.data.copy(this.#buffer, change.at)
    }
  }

  #resize(size: number): void {
    if (size > this.#buffer.length) {
      const larger = Buffer.alloc(2 * size)
      this.bytes.copy(larger)
      this.#buffer = larger
    }
    // What is beyond the end must be zero when the file grows again.
    if (size < this.#size) this.#buffer.fill(0, size, this.#size)
    this.#size = size
  }
}

/** What survives of each sector is decided on its own, as on a disk. */
const SECTOR_BYTES = 512

interface File {
  /** What the programs read. */
  readonly cached: Content
  /** What certainly survives a power cut. */
  readonly durable: Content
  /** What was written since, by position in the journal. */
  pending: { readonly position: number; readonly change: Change }[]
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
  const names = new Map<string, File>()
  for (const [inode, { name, bytes }] of files) {
    const file: File = { cached: new Content(bytes), durable: new Content(bytes), pending: [] }
    byInode.set(inode, file)
    names.set(name, file)
  }
  const durableNames = new Map(names)
  let pendingNames: NameChange[] = []

  function fileOf(inode: number): File {
    const file = byInode.get(inode)
    if (file === undefined) throw new RangeError(`the journal does not say how inode ${inode} was created`)
    return file
  }

  function rename(position: number, name: string, file: File | undefined): void {
    setName(names, name, file)
    pendingNames.push({ position, name, file })
  }

  return {
    apply(position: number, operation: Operation): void {
      switch (operation.kind) {
        case 'create': {
          const file: File = { cached: new Content(), durable: new Content(), pending: [] }
          // The inode may be that of a deleted file.
          byInode.set(operation.inode, file)
          rename(position, operation.name, file)
          return
        }
        case 'unlink':
          rename(position, operation.name, undefined)
          return
        case 'write':
        case 'truncate': {
          const file = fileOf(operation.inode)
          file.cached.change(operation)
          file.pending.push({ position, change: operation })
          return
        }
        case 'sync': {
          const file = fileOf(operation.inode)
          const isCovered = covers(operation.until)
          for (const { change } of file.pending.filter(isCovered)) file.durable.change(change)
          file.pending = file.pending.filter((pending) => !isCovered(pending))
          return
        }
        case 'sync-folder': {
          const isCovered = covers(operation.until)
          for (const { name, file } of pendingNames.filter(isCovered)) setName(durableNames, name, file)
          pendingNames = pendingNames.filter((pending) => !isCovered(pending))
        }
      }
    },
    /** The files as programs see them, before the power goes off. */
    cachedFiles: (): ReadonlyMap<string, Buffer> =>
      new Map([...names].map(([name, { cached }]) => [name, cached.bytes])),
    /** The files after a power cut: everything synced, and of the rest whatever chance lets through. */
    cutPower(random: Random): Survivors {
      const left = new Map(durableNames)
      const nameShare = shareThatSurvives(random)
      for (const { name, file } of pendingNames) if (random() < nameShare) setName(left, name, file)
      let keptSectors = 0
      let lostSectors = 0
      for (const { durable, pending } of new Set(left.values())) {
        const share = shareThatSurvives(random)
        for (const part of pending.flatMap(({ change }) => partsOf(change))) {
          const survives = random() < share
          if (survives) durable.change(part)
          if (survives) keptSectors += 1
          else lostSectors += 1
        }
      }
      const bytes = new Map([...left].map(([name, { durable }]) => [name, durable.bytes]))
      return { files: bytes, keptSectors, lostSectors }
    },
  }
}

const covers =
  (until: number) =>
  ({ position }: { readonly position: number }): boolean =>
    position < until

function setName(names: Map<string, File>, name: string, file: File | undefined): void {
  if (file === undefined) names.delete(name)
  else names.set(name, file)
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
