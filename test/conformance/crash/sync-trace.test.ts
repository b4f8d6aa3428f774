import { expect, test } from 'vitest'
import { countSynced } from '../../../conformance/crash/sync-trace.ts'

const READ = '12  read(20, "POST /webhooks HTTP/1.1\\r\\nHost: 12"..., 65536) = 512'
const ANSWER = '12  write(20, "HTTP/1.1 200 OK\\r\\nContent-Type: ap"..., 210) = 210'
const SYNC = '14  fdatasync(7) = 0'

test.each<[string, string[], { before: number; of: number }]>([
  ['a sync between the request and its 200', [READ, SYNC, ANSWER], { before: 1, of: 1 }],
  ['no sync', [READ, ANSWER], { before: 0, of: 1 }],
  ['a sync after the 200', [READ, ANSWER, SYNC], { before: 0, of: 1 }],
  ['a sync before the request', [SYNC, READ, ANSWER], { before: 0, of: 1 }],
  [
    'a sync that has not ended',
    [READ, '14  fsync(7 <unfinished ...>', ANSWER, '14  <... fsync resumed>) = 0'],
    { before: 0, of: 1 },
  ],
  [
    'a sync that ended in time',
    [READ, '14  fsync(7 <unfinished ...>', '14  <... fsync resumed>) = 0', ANSWER],
    { before: 1, of: 1 },
  ],
  ['a sync that failed', [READ, '14  fsync(7) = -1 EIO (Input/output error)', ANSWER], { before: 0, of: 1 }],
  [
    'a response in parts',
    [READ, SYNC, '12  writev(20, [{iov_base="HTTP/1.1 200 OK\\r\\n", iov_len=17}], 1) = 17'],
    { before: 1, of: 1 },
  ],
  [
    'a request whose read was resumed',
    ['12  <... recvfrom resumed>"POST /webhooks HTTP/1.1"..., 4096, 0) = 90', SYNC, ANSWER],
    { before: 1, of: 1 },
  ],
  [
    'an observation',
    ['12  read(20, "GET /observe?payment_id=1 HTTP/1"..., 65536) = 80', ANSWER],
    { before: 0, of: 0 },
  ],
])('counts the acknowledgments after a sync: %s', async (_, lines, expected) => {
  expect(await countSynced(lines)).toEqual(expected)
})
