import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../sandbox/store/store.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { receiver } from './support.ts'

const PROGRAM = fileURLToPath(new URL('./crashing.ts', import.meta.url))

function start(path: string, port: number, events: number) {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, path, String(port), String(events)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed: string[] = []
  let notify = () => {}
  createInterface(child.stdout).on('line', (line) => {
    printed.push(line)
    notify()
  })
  return {
    /** The ids of the committed events. */
    printed,
    /** Resolves when at least `count` were printed. */
    prints: (count: number) =>
      new Promise<void>((resolve) => {
        notify = () => {
          if (printed.length >= count) resolve()
        }
        notify()
      }),
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}

test('loses no event when the process is killed repeatedly', { timeout: 90_000 }, async () => {
  const path = temporaryFile('sandbox.sqlite')
  let requests = 0
  const { port, received } = await receiver((_request, response) => {
    requests += 1
    // Some connections break and some responses are slow, so that kills happen in every state of a delivery.
    if (requests % 7 === 0) response.socket?.destroy()
    else setTimeout(() => response.end(), requests % 5 === 0 ? 100 : 2)
  })
  const printed: string[] = []
  for (const after of [3, 40, 90]) {
    const run = start(path, port, 1000)
    await run.prints(after)
    await run.kill()
    printed.push(...run.printed)
  }
  // The last run adds no events and only delivers the rest.
  const last = start(path, port, 0)
  await last.prints(1)
  await last.kill()

  const arrived = new Set(received.map(({ body }) => JSON.parse(body.toString()).id as string))
  expect(printed.length).toBeGreaterThanOrEqual(133)
  expect(printed.filter((id) => !arrived.has(id))).toEqual([])
  const store = await openStore(path)
  const states = store.database
    .prepare('SELECT state, count(*) AS count FROM deliveries GROUP BY state')
    .all()
  store.close()
  expect(states).toEqual([{ state: 'delivered', count: arrived.size }])
})
