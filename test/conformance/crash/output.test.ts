import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { watchOutput } from '../../../conformance/crash/output.ts'

const SECRET = 'whsec_of_the_test_of_output'
const SIGNATURE = 'ab'.repeat(32)

async function watched(pieces: readonly string[], secret = SECRET) {
  const lines: string[] = []
  const watch = watchOutput(secret, (line) => lines.push(line))
  watch.signed(SIGNATURE)
  const stream = new PassThrough()
  watch.follow([stream, null])
  for (const piece of pieces) stream.write(piece)
  stream.destroy()
  await new Promise((resolve) => {
    stream.once('close', resolve)
  })
  return { watch, lines }
}

test('recognizes the secret in any usual encoding, across the pieces of a line, and never passes it on', async () => {
  const base64 = Buffer.from(SECRET).toString('base64')
  const { watch, lines } = await watched([
    'config: {"secret":"whsec_of_',
    'the_test_of_output"}\n',
    `${base64}\nok\n`,
  ])
  expect(watch.secretLines()).toBe(2)
  expect(watch.lines()).toBe(3)
  expect(lines.join('\n')).not.toContain(SECRET)
  expect(lines.at(0)).toBe('config: {"secret":"[signing secret]"}')
  expect(watch.lastLines()).toEqual(lines)
  expect(watch.lastLines(2)).toEqual(['ok'])
})

test('does not take the characters of a short secret for the secret', async () => {
  const { watch } = await watched(['a test ran\n'], 'test')
  expect(watch.secretLines()).toBe(0)
})

test('recognizes only entire signatures of deliveries, and shortens them', async () => {
  const { watch, lines } = await watched([
    `v1=${SIGNATURE}\n`,
    `v1=${SIGNATURE.slice(0, 12)}...\n`,
    `commit ${'cd'.repeat(32)}\n`,
  ])
  expect(watch.signatureLines()).toBe(1)
  expect(lines.at(0)).toBe(`v1=${SIGNATURE.slice(0, 8)}...`)
})

test('keeps the last lines only, and reads a line without an end in parts', async () => {
  const { watch } = await watched([
    ...Array.from({ length: 60 }, (_, n) => `line ${n}\n`),
    'x'.repeat(100_000),
    ` ${SECRET}`,
  ])
  expect(watch.lastLines().length).toBe(40)
  expect(watch.secretLines()).toBe(1)
})

test('hides a secret wherever a line without an end is cut', async () => {
  for (const before of [16_384 - SECRET.length, 16_384 - 10, 16_384 - 1]) {
    const { watch, lines } = await watched([
      'x'.repeat(before),
      SECRET.slice(0, 10),
      SECRET.slice(10),
      'y'.repeat(40_000),
    ])
    expect(watch.secretLines()).toBe(1)
    expect(lines.join('').replace(/[xy]/g, '')).toBe('[signing secret]')
  }
})
