import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileOf, filesIn } from './built.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/**
 * How a page arrives over a slow network: so many bytes at a time, and the gap between them in milliseconds. Its pictures
 * arrive after them.
 */
const SLOW = { bytes: 1_000, pieces: 100, gapMs: 20, pictureMs: 2_500 }

/**
 * Serves the built site as a host of static files does.
 *
 * @param isSlow whether the beginning of each page arrives in many pieces, so that a browser shows it before it is complete,
 *   and pictures later still
 * @returns its address, and the server to close
 */
export async function serve(
  folder: string,
  base: string,
  isSlow = false,
): Promise<{ url: string; server: Server }> {
  const files = new Set(filesIn(folder))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const file = pathname.startsWith(base) ? fileOf(pathname.slice(base.length), files) : undefined
    const found = file ?? '404.html'
    response.writeHead(file === undefined ? 404 : 200, {
      'Content-Type': TYPES[extname(found)] ?? 'application/octet-stream',
    })
    const type = extname(found)
    pause(isSlow && type === '.png' ? SLOW.pictureMs : 0)
      .then(() => readFile(join(folder, found)))
      .then(
        (bytes) => send(bytes, response, isSlow && type === '.html' ? SLOW.pieces : 0),
        () => response.destroy(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, server }
}

/** @param pieces how many pieces arrive by themselves before the rest */
async function send(bytes: Buffer, response: ServerResponse, pieces: number): Promise<void> {
  const slow = Math.min(bytes.length, pieces * SLOW.bytes)
  for (let sent = 0; sent < slow; sent += SLOW.bytes) {
    response.write(bytes.subarray(sent, sent + SLOW.bytes))
    await pause(SLOW.gapMs)
  }
  response.end(bytes.subarray(Math.ceil(slow / SLOW.bytes) * SLOW.bytes))
}
