import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Finished } from './temporary.ts'

/** Starts a server on a free port of this machine. It is stopped after the running test. @returns its origin */
export async function startServer(server: Server, finished: Finished = onTestFinished): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  finished(() => {
    server.close()
    if (server instanceof HttpServer) server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
