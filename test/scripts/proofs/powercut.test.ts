import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDisk, type Disk, type Operation } from '../../../scripts/proofs/powercut/disk.ts'
import { compileRecorder, createMachine, type Machine } from '../../../scripts/proofs/powercut/machine.ts'
import { randomFrom } from '../../../scripts/proofs/shared/random.ts'
import {
  createTemporaryFolder,
  type TemporaryFolder,
  withTemporaryFolder,
} from '../../../scripts/shared/temporary-folder.ts'
import { missingProgram, requires } from '../../support/prerequisites.ts'

const LOG = 7
const nothing = (): number => 0
/** Decides that everything survives: the share is 1, and each choice is below it. */
const everything = (): number => 0.3

/** A disk with an empty file `log` that is durable, after some operations; each takes one byte of the journal. */
function diskAfter(...operations: Operation[]): Disk {
  const disk = createDisk(new Map([[LOG, { name: 'log', bytes: Buffer.alloc(0) }]]))
  for (const [position, operation] of operations.entries()) disk.apply(position, operation)
  return disk
}

const write = (text: string, at = 0, inode = LOG): Operation => ({
  kind: 'write',
  inode,
  at,
  data: Buffer.from(text),
})
const truncate = (size: number): Operation => ({ kind: 'truncate', inode: LOG, size })
const sync = (until: number, inode = LOG): Operation => ({ kind: 'sync', inode, until })
const create = (name: string, inode: number): Operation => ({ kind: 'create', inode, name })
const textsOf = (files: ReadonlyMap<string, Buffer>): Record<string, string> =>
  Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString()]))
const survivorsOf = (disk: Disk, random = nothing): Record<string, string> =>
  textsOf(disk.cutPower(random).files)

describe('a disk whose power is cut', () => {
  it('keeps what was synced and loses what was not', () => {
    expect(survivorsOf(diskAfter(write('ab'), sync(1), write('cd', 2)))).toEqual({ log: 'ab' })
  })

  it('loses what was written after the sync began, although the sync ended later', () => {
    expect(survivorsOf(diskAfter(write('ab'), write('cd', 2), sync(1)))).toEqual({ log: 'ab' })
  })

  it('may also keep everything that was not synced', () => {
    const disk = diskAfter(write('ab'), truncate(1), write('c', 2))
    expect(survivorsOf(disk, everything)).toEqual({ log: 'a\0c' })
  })

  it('shows programs what they wrote, synced or not', () => {
    const disk = diskAfter(
      write('abc'),
      sync(1),
      truncate(1),
      write('d', 1),
      create('new', 8),
      write('x', 0, 8),
    )
    expect(textsOf(disk.cachedFiles())).toEqual({ log: 'ad', new: 'x' })
  })

  it('keeps or loses each sector of a write by itself', () => {
    const disk = diskAfter(write('x'.repeat(5000), 100))
    const { files, keptSectors, lostSectors } = disk.cutPower(randomFrom('some sectors'))
    const text = (files.get('log') ?? Buffer.alloc(0)).toString().padEnd(5100, '\0')
    const inner = text.slice(512, 4608).match(/.{512}/gs) ?? []
    expect(keptSectors + lostSectors).toBe(10)
    expect(inner).toHaveLength(8)
    for (const sector of inner) expect(['x'.repeat(512), '\0'.repeat(512)]).toContain(sector)
    expect(inner.filter((sector) => sector.startsWith('x')).length).toBeGreaterThan(0)
    expect(inner.filter((sector) => sector.startsWith('\0')).length).toBeGreaterThan(0)
  })

  it('loses a new file whose folder was not synced, also if the file was', () => {
    const created = [create('new', 8), write('x', 0, 8), sync(2, 8)] as const
    expect(survivorsOf(diskAfter(...created))).toEqual({ log: '' })
    expect(survivorsOf(diskAfter(...created, { kind: 'sync-folder', until: 3 }))).toEqual({
      log: '',
      new: 'x',
    })
  })

  it('brings back a deleted file if the folder was not synced', () => {
    const deleted = [write('ab'), sync(1), { kind: 'unlink', name: 'log' }] as const
    expect(survivorsOf(diskAfter(...deleted))).toEqual({ log: 'ab' })
    expect(survivorsOf(diskAfter(...deleted, { kind: 'sync-folder', until: 3 }))).toEqual({})
  })

  it('distinguishes a new file from a deleted one with the same inode', () => {
    const disk = diskAfter(write('ab'), { kind: 'unlink', name: 'log' }, create('new', LOG), write('x'))
    expect(textsOf(disk.cachedFiles())).toEqual({ new: 'x' })
  })

  it('throws if the journal is not complete', () => {
    expect(() => diskAfter(write('x', 0, 99))).toThrow('inode 99')
  })
})

const missing = process.platform === 'linux' ? missingProgram('gcc') : 'it requires Linux'

const WRITES = `
  const fs = require('node:fs')
  const log = fs.openSync(process.argv[1] + '/log', 'w')
  fs.writeSync(log, 'synced')
  fs.fdatasyncSync(log)
  fs.fsyncSync(fs.openSync(process.argv[1], 'r'))
  fs.writeSync(log, ' not synced')
  fs.writeFileSync(process.argv[1] + '/index-shm', 'shared memory')
`
const linesOf = (files: ReadonlyMap<string, Buffer>) =>
  [...files].map(([name, bytes]) => `${name}: ${bytes.toString()}`)

function run(machine: Machine, code: string): void {
  const { status, stderr } = spawnSync(process.execPath, ['-e', code, machine.folder], { env: machine.env })
  expect(stderr.toString()).toBe('')
  expect(status).toBe(0)
}

requires(missing).describe('a machine whose power can be cut', () => {
  let compiled: TemporaryFolder
  let library: string
  beforeAll(() => {
    compiled = createTemporaryFolder()
    library = compileRecorder(compiled.path)
  })
  afterAll(() => compiled.remove())

  it('sees the writes and syncs of a program, and keeps what was synced', () =>
    withTemporaryFolder(async (root) => {
      const machine = createMachine(root, library)
      run(machine, WRITES)
      const first = machine.cutPower(() => 0)
      expect(linesOf(first.files)).toEqual(['log: synced'])
      expect(first).toMatchObject({ syncs: 1, differences: [] })

      // The next program continues with what is left.
      run(machine, `require('node:fs').appendFileSync(process.argv[1] + '/log', '!')`)
      const second = machine.cutPower(() => 0.3)
      expect(linesOf(second.files)).toEqual(['log: synced!'])
      expect(second.differences).toEqual([])
      machine.close()
    }))

  it('loses everything if syncs do nothing', () =>
    withTemporaryFolder(async (root) => {
      const machine = createMachine(root, library)
      machine.hideSyncs()
      run(machine, WRITES)
      expect(machine.cutPower(() => 0).files).toEqual(new Map())
      machine.close()
    }))

  it('reports a change that the recorder did not see', () =>
    withTemporaryFolder(async (root) => {
      const machine = createMachine(root, library)
      run(machine, WRITES)
      spawnSync('sh', ['-c', 'echo more >> log; echo new > other'], { cwd: machine.folder })
      expect(machine.cutPower(() => 0).differences).toEqual([
        'the recorder missed changes of log',
        'the recorder did not notice that other was created',
      ])
      machine.close()
    }))

  it('stops a program at the operation that the trigger names', () =>
    withTemporaryFolder(async (root) => {
      const machine = createMachine(root, library)
      machine.arm('write', 2)
      const program = spawn(process.execPath, ['-e', WRITES, machine.folder], { env: machine.env })
      while (!machine.isOff()) await new Promise((resolve) => setTimeout(resolve, 2))
      program.kill('SIGKILL')
      await once(program, 'exit')
      const { files, differences } = machine.cutPower(() => 0.3)
      expect(linesOf(files)).toEqual(['log: synced not synced'])
      expect(differences).toEqual([])
      machine.close()
    }))
})
