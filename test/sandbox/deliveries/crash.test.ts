import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../sandbox/store/store.ts'
import { receiver, temporaryFile } from './support.ts'

const PROGRAM = fileURLToPath(new URL('./crashing.ts', import.meta.url))

interface Life {
  /** Every event that it told of. */
  told: string[]
  /** Resolves when it has told of so many. */
  tells(count: number): Promise<void>
  kill(): Promise<void>
}

function live(path: string, port: number, events: number): Life {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, path, String(port), String(events)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const told: string[] = []
  let heard = () => {}
  createInterface(child.stdout).on('line', (line) => {
    told.push(line)
    heard()
  })
  return {
    told,
    tells: (count) =>
      new Promise((resolve) => {
        heard = () => {
          if (told.length >= count) resolve()
        }
        heard()
      }),
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}

test('no event is lost when the process is killed again and again', { timeout: 90_000 }, async () => {
  const path = temporaryFile()
  let requests = 0
  const { port, received } = await receiver((_request, response) => {
    requests += 1
    // Every seventh breaks, every fifth is slow, so that kills meet deliveries in every state.
    if (requests % 7 === 0) response.socket?.destroy()
    else setTimeout(() => response.end(), requests % 5 === 0 ? 100 : 2)
  })
  const told: string[] = []
  for (const after of [3, 40, 90]) {
    const life = live(path, port, 1000)
    await life.tells(after)
    await life.kill()
    told.push(...life.told)
  }
  // The last one has nothing to emit and only clears up.
  const last = live(path, port, 0)
  await last.tells(1)
  await last.kill()

  const arrived = new Set(received.map(({ body }) => JSON.parse(body.toString()).id as string))
  expect(told.length).toBeGreaterThanOrEqual(133)
  expect(told.filter((id) => !arrived.has(id))).toEqual([])
  const store = await openStore(path)
  const states = store.database
    .prepare('SELECT state, count(*) AS count FROM deliveries GROUP BY state')
    .all()
  store.close()
  expect(states).toEqual([{ state: 'delivered', count: arrived.size }])
})
