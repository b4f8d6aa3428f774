import { expect, it } from 'vitest'
import { createConnectionLog } from '../../../server/log/connection-log.ts'
import { recordingLog } from './recording-log.ts'

it('logs closed connections at most once a minute, with their number', () => {
  const { log, lines } = recordingLog()
  let now = 5
  const logClosed = createConnectionLog(log, () => now)
  for (let count = 0; count < 3; count += 1) logClosed('idle')
  now += 59_999
  logClosed('idle')
  now += 1
  logClosed('pipelined')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, reason: 'idle', closed: 1 },
    { level: 40, reason: 'pipelined', closed: 4 },
  ])
})
