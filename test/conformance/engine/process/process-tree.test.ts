import { expect, test } from 'vitest'
import {
  groupsBelow,
  howEnded,
  listProcesses,
  type Platform,
  parseStat,
  treeOf,
  treeOptions,
} from '../../../../conformance/engine/process/process-tree.ts'
import { onWindows } from '../../../support/prerequisites.ts'

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

test('finds the groups that descendants have made, whatever the order of the list', () => {
  const all = [
    { pid: 9, parent: 1, group: 9, state: 'S' },
    { pid: 40, parent: 30, group: 30, state: 'S' },
    { pid: 30, parent: 20, group: 30, state: 'S' },
    { pid: 20, parent: 10, group: 10, state: 'S' },
    { pid: 10, parent: 5, group: 10, state: 'S' },
    { pid: 5, parent: 1, group: 5, state: 'S' },
  ]
  expect(groupsBelow(10, all)).toEqual([30])
  expect(new Set(groupsBelow(5, all))).toEqual(new Set([10, 30]))
  expect(groupsBelow(9, all)).toEqual([])
})

test.skipIf(onWindows)('lists this process on every system that has process groups', () => {
  const parent = { pid: process.pid, parent: process.ppid }
  for (const platform of [process.platform, 'darwin'] as const)
    expect(listProcesses(platform)).toContainEqual(expect.objectContaining(parent))
  expect(listProcesses('win32')).toEqual([])
})

test('reads the stat of a process whose name contains spaces and parentheses', () => {
  expect(parseStat('42 (a) b (c) S 1 40 40 0')).toEqual({ pid: 42, parent: 1, group: 40, state: 'S' })
})

test.each<[number | null, NodeJS.Signals | null, string]>([
  [3, null, 'exit status 3'],
  [null, 'SIGSEGV', 'SIGSEGV'],
  [137, null, 'exit status 137 (SIGKILL)'],
  [139, null, 'exit status 139 (SIGSEGV)'],
  [255, null, 'exit status 255'],
])('the status %s and the signal %s are %s', (exitCode, signal, how) => {
  expect(howEnded(exitCode, signal)).toBe(how)
})
