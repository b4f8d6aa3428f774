import { expect, test } from 'vitest'
import { parseTrace } from '../../../../scripts/proofs/fsync/trace.ts'
import { hex } from './lines.ts'

const LOG = `7<${hex('/tmp/log')}>`

test('reads calls on files and sockets, with their bytes and their order', () => {
  const lines = [
    `11    read(20<socket:[99]>, "${hex('POST')}", 65536) = 4`,
    `11    pwrite64(${LOG}, "${hex('page')}", 4, 8192)   = 4`,
    `12    fdatasync(${LOG} <unfinished ...>`,
    `11    writev(20<socket:[99]>, [{iov_base="${hex('HTTP')}", iov_len=4}, {iov_base="${hex('/1.1')}", iov_len=4}], 2) = 8`,
    `12    <... fdatasync resumed>)          = 0`,
  ]
  const calls = parseTrace(`${lines.join('\n')}\n`)
  expect(calls.map(({ data, ...call }) => ({ ...call, data: data.toString() }))).toEqual([
    call('read', 'socket:[99]', 'POST', 4, 0),
    { ...call('pwrite64', '/tmp/log', 'page', 4, 1), offset: 8192 },
    call('writev', 'socket:[99]', 'HTTP/1.1', 8, 3),
    { ...call('fdatasync', '/tmp/log', '', 0, 4), began: 2 },
  ])
})

test('reads a call whose bytes come in its second line', () => {
  const lines = [
    `11    read(20<socket:[99]>,  <unfinished ...>`,
    `11    <... read resumed>"${hex('POST')}", 65536) = 4`,
  ]
  expect(parseTrace(lines.join('\n'))).toMatchObject([
    { name: 'read', path: 'socket:[99]', data: Buffer.from('POST'), began: 0, ended: 1 },
  ])
})

test('notices errors and calls that strace made the kernel skip', () => {
  const lines = [`11 fsync(${LOG}) = -1 EIO (Input/output error)`, `11 fsync(${LOG}) = 0 (INJECTED)`]
  expect(parseTrace(lines.join('\n'))).toMatchObject([
    { result: -1, injected: false },
    { result: 0, injected: true },
  ])
})

test('leaves out calls that did not end, and what is not a call', () => {
  const lines = [`11 fsync(${LOG} <unfinished ...>`, '12 +++ exited with 0 +++', '13 <... read resumed>) = ?']
  expect(parseTrace(lines.join('\n'))).toEqual([])
})

const call = (name: string, path: string, data: string, result: number, line: number) => ({
  name,
  path,
  data,
  offset: undefined,
  result,
  injected: false,
  began: line,
  ended: line,
})
