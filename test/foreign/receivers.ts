import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Running, withFastify, withHono, withNode } from './frameworks.ts'
import { createShop, handWritten } from './shop.ts'

export const SECRET = 'whsec_foreign_0123456789'

/** A correct receiver that is not ours. */
export interface Foreign {
  readonly start: () => Promise<Running>
  /** What this machine lacks to run it, if anything. */
  readonly lacks: () => string | undefined
}

const inNode = (serve: typeof withNode): Foreign => ({
  start: () => serve(createShop(handWritten(SECRET))),
  lacks: () => undefined,
})

/** Every correct receiver that is not ours, by what it is made with. */
export const FOREIGN: Readonly<Record<string, Foreign>> = {
  Fastify: inNode(withFastify),
  Hono: inNode(withHono),
  'node:http': inNode(withNode),
  'Python, on its standard library alone': program('python3', ['-c', 'import http.server'], 'python.py'),
  'Ruby, on WEBrick': program('ruby', ['-r', 'webrick', '-e', ''], 'ruby.rb'),
}

function program(command: string, probe: readonly string[], file: string): Foreign {
  return {
    lacks: () => (spawnSync(command, probe).status === 0 ? undefined : command),
    async start() {
      const port = await freePort()
      const env = { ...process.env, HOOKPROOF_SECRET: SECRET }
      const child = spawn(command, [`test/foreign/${file}`, String(port)], { env, stdio: 'ignore' })
      const url = `http://127.0.0.1:${port}`
      const until = Date.now() + 10_000
      for (;;) {
        if (await answers(url)) return { url, close: async () => child.kill('SIGKILL') }
        if (Date.now() > until) throw new Error(`${file} does not answer`)
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
