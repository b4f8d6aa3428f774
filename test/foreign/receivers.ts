import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { type Running, withFastify, withHono, withNode } from './frameworks.ts'
import { createShop, handWritten } from './shop.ts'

export const SECRET = 'whsec_foreign_0123456789'

/** A correct receiver that shares no code with the reference receiver. */
export interface Foreign {
  readonly start: () => Promise<Running>
  /** Why it cannot run on this machine, or undefined when it can. */
  readonly missing: () => string | undefined
}

const inNode = (serve: typeof withNode): Foreign => ({
  start: () => serve(createShop(handWritten(SECRET))),
  missing: () => undefined,
})

/** The foreign receivers, by what they are built with. */
export const FOREIGN: Readonly<Record<string, Foreign>> = {
  Fastify: inNode(withFastify),
  Hono: inNode(withHono),
  'node:http': inNode(withNode),
  'Python with its standard library': program(
    'python3',
    'Python 3',
    ['-c', 'import http.server'],
    'python.py',
  ),
  'Ruby with WEBrick': program('ruby', 'Ruby with WEBrick', ['-r', 'webrick', '-e', ''], 'ruby.rb'),
}

function program(command: string, needs: string, probe: readonly string[], file: string): Foreign {
  return {
    missing: () => (spawnSync(command, probe).status === 0 ? undefined : `${needs} is not installed`),
    async start() {
      const port = await freePort()
      const env = { ...process.env, HOOKPROOF_SECRET: SECRET }
      const child = spawn(command, [`test/foreign/${file}`, String(port)], { env, stdio: 'ignore' })
      const url = `http://127.0.0.1:${port}`
      const deadline = Date.now() + 10_000
      for (;;) {
        if (await answers(url)) return { url, close: async () => child.kill('SIGKILL') }
        if (Date.now() > deadline) throw new Error(`${file} does not respond`)
        await pause(50)
      }
    },
  }
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )
