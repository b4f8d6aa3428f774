import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// A system takes the ports of outgoing connections from 32768 up. One of those may be taken while a receiver that was killed
// does not listen.
const FIRST = 20_000
const END = 32_768

/** A port of this machine on which nothing listens, and which no outgoing connection is given. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, END)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort()
    throw error
  }
  server.close()
  await once(server, 'close')
  return port
}
