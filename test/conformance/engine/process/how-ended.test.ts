import { expect, it } from 'vitest'
import { howEnded } from '../../../../conformance/engine/process/how-ended.ts'

it.each<[number | null, NodeJS.Signals | null, string]>([
  [3, null, 'exit status 3'],
  [null, 'SIGSEGV', 'SIGSEGV'],
  [137, null, 'exit status 137 (SIGKILL)'],
  [139, null, 'exit status 139 (SIGSEGV)'],
  [255, null, 'exit status 255'],
])('the status %s and the signal %s are %s', (exitCode, signal, how) => {
  expect(howEnded(exitCode, signal)).toBe(how)
})
