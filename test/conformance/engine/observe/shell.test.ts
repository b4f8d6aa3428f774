import { expect, test } from 'vitest'
import { inShell } from '../../../../conformance/engine/observe/observe.ts'

test('a command that observes effects runs in the shell of the system, with the payment id as its last argument', () => {
  expect(inShell('node show.js | cat', 'tx_1', 'linux')).toEqual([
    '/bin/sh',
    '-c',
    'node show.js | cat "$@"',
    'sh',
    'tx_1',
  ])
  expect(inShell('node "my show.js"', 'tx_1', 'win32', { ComSpec: 'C:\\cmd.exe' })).toEqual([
    'C:\\cmd.exe',
    '/d',
    '/s',
    '/c',
    '"node "my show.js" "tx_1""',
  ])
})
