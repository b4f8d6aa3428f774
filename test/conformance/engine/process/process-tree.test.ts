import { expect, test } from 'vitest'
import { type Platform, treeOf, treeOptions } from '../../../../conformance/engine/process/process-tree.ts'

/** A platform that only notes what it is received to do. */
function platform(name: NodeJS.Platform) {
  const done: unknown[] = []
  const made: Platform = {
    name,
    kill: (id, signal) => done.push([id, signal]),
    run: (program, args) => done.push([program, ...args]),
  }
  return { made, done }
}

test.each(['linux', 'darwin', 'freebsd'] as const)('signals the process group on %s', (name) => {
  const { made, done } = platform(name)
  const { ask, kill } = treeOf({ pid: 4711 }, made)
  ask()
  kill()
  expect(done).toEqual([
    [-4711, 'SIGTERM'],
    [-4711, 'SIGKILL'],
  ])
  expect(treeOptions(made)).toEqual({ detached: true, windowsHide: true })
})

test('ends the process tree with taskkill on Windows, without a window of its own', () => {
  const { made, done } = platform('win32')
  treeOf({ pid: 4711 }, made).ask()
  expect(done).toEqual([['taskkill', '/pid', '4711', '/t', '/f']])
  expect(treeOptions(made)).toEqual({ detached: false, windowsHide: true })
})

test('a process that never started, or has ended, is left alone', () => {
  const { made, done } = platform('linux')
  treeOf({ pid: undefined }, made).kill()
  expect(done).toEqual([])
  const gone = {
    ...made,
    kill: () => {
      throw new Error('ESRCH')
    },
  }
  expect(() => treeOf({ pid: 4711 }, gone).ask()).not.toThrow()
})
