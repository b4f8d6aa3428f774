import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBounded, readText } from '../../../cli/shared/read-file.ts'
import { onWindows } from '../../support/prerequisites.ts'
import { temporaryFolder } from '../support.ts'

function pipe(): string {
  const path = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  return path
}

test('reads a file of up to the limit', async () => {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, 'x'.repeat(100_000))
  expect(await readBounded(path, { maxBytes: 100_000 })).toHaveLength(100_000)
  await expect(readBounded(path, { maxBytes: 99_999 })).rejects.toThrow('it is larger than 99999 bytes')
})

test.skipIf(!existsSync('/proc/self/comm'))('reads a file whose size is unknown', async () => {
  expect(String(await readBounded('/proc/self/comm'))).toMatch(/^.+\n$/)
})

test.each([
  ['UTF-8', Buffer.from('\ufeffnaïve\n')],
  ['UTF-16', Buffer.from('\ufeffnaïve\n', 'utf16le')],
])('reads text with the byte order mark of %s', async (_, bytes) => {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, bytes)
  expect(await readText(path)).toBe('naïve\n')
})

test.skipIf(onWindows)('reads what arrives from a pipe, also after a pause', async () => {
  const path = pipe()
  const reading = readBounded(path)
  const writer = createWriteStream(path)
  writer.write('one ')
  setTimeout(() => writer.end('two'), 30)
  expect(String(await reading)).toBe('one two')
})

test.skipIf(onWindows)('does not wait forever for a pipe to which nobody writes', async () => {
  const path = pipe()
  await expect(readBounded(path, { waitMs: 20 })).rejects.toThrow('nobody writes to this pipe')
  const writer = createWriteStream(path)
  const reading = readBounded(path, { waitMs: 50 })
  writer.write('x')
  await expect(reading).rejects.toThrow('nobody writes to this pipe')
  writer.end()
})

test.skipIf(onWindows)('does not read a device without an end', async () => {
  await expect(readBounded('/dev/zero', { maxBytes: 1e6 })).rejects.toThrow('it is larger than')
  expect(await readBounded('/dev/null')).toHaveLength(0)
})
