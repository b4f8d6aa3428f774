import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileOf, filesIn } from './built.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Serves the built site as a host of static files does. @returns its address, and the server to close */
export async function serve(folder: string, base: string): Promise<{ url: string; server: Server }> {
  const files = new Set(filesIn(folder))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const file = pathname.startsWith(base) ? fileOf(pathname.slice(base.length), files) : undefined
    const found = file ?? '404.html'
    response.writeHead(file === undefined ? 404 : 200, {
      'Content-Type': TYPES[extname(found)] ?? 'application/octet-stream',
    })
    createReadStream(join(folder, found)).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, server }
}
