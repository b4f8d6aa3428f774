import { expect, test } from 'vitest'
import { groupsBelow, listProcesses, parseStat } from '../../../../conformance/engine/process/descendants.ts'
import { onWindows } from '../../../support/prerequisites.ts'

test('finds the groups that descendants have made, whatever the order of the list', () => {
  const all = [
    { pid: 9, parent: 1, group: 9 },
    { pid: 40, parent: 30, group: 30 },
    { pid: 30, parent: 20, group: 30 },
    { pid: 20, parent: 10, group: 10 },
    { pid: 10, parent: 5, group: 10 },
    { pid: 5, parent: 1, group: 5 },
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
  expect(parseStat('42 (a) b (c) S 1 40 40 0')).toEqual({ state: 'S', parent: 1, group: 40 })
})
