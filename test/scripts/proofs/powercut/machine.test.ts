import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileRecorder, createMachine, type Machine } from '../../../../scripts/proofs/powercut/machine.ts'
import {
  createTemporaryFolder,
  type TemporaryFolder,
  withTemporaryFolder,
} from '../../../../scripts/shared/temporary-folder.ts'
import { missingProgram, requires } from '../../../support/prerequisites.ts'

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
const textsOf = (files: ReadonlyMap<string, Buffer>) =>
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
      expect(textsOf(first.files)).toEqual(['log: synced'])
      expect(first).toMatchObject({ syncs: 1, differences: [] })

      // The next program continues with what is left.
      run(machine, `require('node:fs').appendFileSync(process.argv[1] + '/log', '!')`)
      const second = machine.cutPower(() => 0.3)
      expect(textsOf(second.files)).toEqual(['log: synced!'])
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
      expect(textsOf(files)).toEqual(['log: synced not synced'])
      expect(differences).toEqual([])
      machine.close()
    }))
})
