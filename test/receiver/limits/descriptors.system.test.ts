import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { expect, it } from 'vitest'
import { connectionLimit, descriptorLimit } from '../../../receiver/limits/connection-limit.ts'
import { events, SECRET, signed } from '../../receiver/support.ts'
import { addressOf, launch, nowInSeconds, post } from '../../support/program.ts'
import { openConnection, type RawConnection } from '../../support/raw-connection.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

it.each([
  [10_000, 1_048_576, 10_000],
  [10_000, 4096, 3840],
  [10_000, 1024, 768],
  [10_000, 256, 192],
  [10_000, 64, 16],
  [100, 1024, 100],
  [10_000, 1, 1],
])('of %d wanted connections and %d open files, %d are accepted', (wanted, files, expected) => {
  expect(connectionLimit(wanted, files)).toBe(expected)
})

it.each([
  [
    'Limit   Soft Limit   Hard Limit   Units\nMax open files            256                  4096   files\n',
    256,
  ],
  ['Max open files            unlimited            unlimited            files\n', Number.MAX_SAFE_INTEGER],
  ['', 1024],
])('reads the limit of open files from %j', (text, expected) => {
  const file = temporaryFile('limits')
  writeFileSync(file, text)
  expect(descriptorLimit(file)).toBe(expected)
  expect(descriptorLimit(`${file}.none`)).toBe(1024)
})

it('the receiver stores deliveries while idle clients open more connections than it has descriptors', async () => {
  const env = { WEBHOOK_SECRET: SECRET, INBOX: temporaryFile('inbox.sqlite') }
  const program = launch(env, { openFiles: 128 })
  const url = await addressOf(program)
  const source = events('descriptors')
  const idle: RawConnection[] = []
  for (let round = 0; round < 4; round += 1) {
    idle.push(...(await Promise.all(Array.from({ length: 60 }, () => openConnection(url)))))
    const answer = await post(url, signed(source.event('completed'), nowInSeconds()), new Agent())
    expect(answer).toMatchObject({ status: 200 })
  }
  await until(() => idle.some(({ closed }) => closed()))
  expect(JSON.stringify(program.lines)).not.toMatch(/EMFILE|"level":50/)
  expect(program.stderr()).toBe('')
  for (const { socket } of idle) socket.destroy()
})
