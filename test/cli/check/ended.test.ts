import { expect, it } from 'vitest'
import { orEnd } from '../../../cli/commands/check/ended.ts'
import { HarnessError } from '../../../conformance/harness-error.ts'
import { testIo } from '../support.ts'

const failure = new HarnessError('unreachable', 'could not reach http://127.0.0.1:1/: reset')
const receiver = (...output: string[]) => ({
  url: 'http://127.0.0.1:1/',
  secret: 'x',
  stop: async () => undefined,
  ended: Promise.resolve({ how: 'exit status 1', output }),
})

it('names the error of a receiver that ends at the first delivery, and prints its last output', async () => {
  const { io, stderr } = testIo()
  const output = [
    'listening',
    'Error: no table "payments"',
    '    at handle (server.js:3)',
    'Node.js v20.20.2',
  ]
  await expect(orEnd(failure, receiver(...output), io)).rejects.toThrow(
    'the receiver ended at the first delivery: exit status 1; last output: Error: no table "payments"',
  )
  expect(stderr()).toBe(
    `hookproof: the last output of the receiver:\n${output.map((line) => `  ${line}\n`).join('')}`,
  )
})

it('repeats no single line', async () => {
  const { io, stderr } = testIo()
  await expect(orEnd(failure, receiver('no database'), io)).rejects.toThrow('last output: no database')
  await expect(orEnd(failure, receiver(), io)).rejects.toThrow('it printed nothing')
  expect(stderr()).toBe('')
})
