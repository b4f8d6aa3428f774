import { pbkdf2Sync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { CORRECT } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

/** How often to iterate so that it takes about 20 ms on usual machines. */
const ITERATIONS_OF_20_MS = 50_000

const answering = (answer: (response: ServerResponse) => unknown): Variant => ({
  does: () => ({ acknowledge: (_, response) => answer(response) }),
})

/** Correct receivers whose answers differ in form only (SPEC.md 1 and 6). */
export const VARIANTS_ANSWERS: Readonly<Record<string, Variant>> = {
  'compresses its answers': answering((response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"received":true}')),
  ),
  'sends its answers in chunks': {
    ...answering((response) => {
      response.writeHead(200, { 'Transfer-Encoding': 'chunked' })
      for (const piece of ['{"received"', ':', 'true}']) response.write(piece)
      response.end()
    }),
    related: ['transport/pipelined', 'transport/several-on-one-connection'],
  },
  'ends its answers with a trailer': {
    ...answering((response) => {
      response.writeHead(200, { Trailer: 'X-Duration' })
      response.write('stored')
      response.addTrailers({ 'X-Duration': '3' })
      response.end()
    }),
    related: ['transport/pipelined', 'transport/several-on-one-connection'],
  },
  'sends its answer slowly': {
    ...answering(async (response) => {
      response.writeHead(200, { 'Content-Length': 6 })
      for (const letter of 'stored') {
        response.write(letter)
        await pause(10)
      }
      response.end()
    }),
    related: ['transport/pipelined'],
  },
  'answers with a page of HTML': answering((response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>OK</title><p>Thanks'),
  ),
  'answers with 100 KiB': {
    ...answering((response) => response.writeHead(200).end(Buffer.alloc(100 * 1024, '.'))),
    related: ['transport/pipelined', 'acknowledgement/burst-of-50'],
  },
  'answers with another reason phrase': answering((response) => response.writeHead(200, 'received').end()),
  'answers without a reason phrase': {
    ...answering((response) => response.writeHead(200, '').end()),
    related: ['transport/pipelined'],
  },
  'sends 40 headers and cookies': answering((response) => {
    for (let n = 0; n < 40; n += 1) response.setHeader(`x-header-${n}`, 'x'.repeat(100))
    response.setHeader('set-cookie', ['session=1; Path=/', 'theme=dark'])
    return response.writeHead(200).end()
  }),
  'sends no Date': answering((response) => {
    response.sendDate = false
    response.writeHead(200).end()
  }),
  'sends 102 and 103 before its answer': {
    ...answering(async (response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
      await pause(2)
      response.writeHead(200).end()
    }),
    related: ['transport/pipelined', 'transport/expect-100-continue'],
  },
  'answers as HTTP/1.0, without a length': {
    ...answering(({ socket }) => socket?.end('HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nstored')),
    related: ['transport/pipelined', 'transport/several-on-one-connection'],
  },
  'announces that it keeps a connection for a second': answering((response) =>
    response.writeHead(200, { Connection: 'keep-alive', 'Keep-Alive': 'timeout=1' }).end(),
  ),
  'refuses with a page of HTML': {
    does: () => ({
      explain: ({ code, message }) => `<!doctype html><title>${code}</title><h1>${message}</h1>`,
      refusalHeaders: { 'Content-Type': 'text/html; charset=utf-8' },
    }),
    related: ['disclosure/no-secret-in-a-refusal', 'disclosure/no-trace-in-a-refusal'],
  },
  'repeats the signature header in a refusal': {
    does: () => {
      let received = ''
      return {
        gate(request, body) {
          received = CORRECT.headerOf(request)
          return CORRECT.gate(request, body)
        },
        explain: ({ message }) => JSON.stringify({ error: message, received }),
      }
    },
    related: ['disclosure/no-secret-in-a-refusal', 'disclosure/no-expected-signature-in-a-refusal'],
  },
  'acknowledges one delivery at a time': {
    does: () => {
      let before = Promise.resolve()
      return {
        acknowledge(_, response) {
          before = inTurn(before, response)
          return before
        },
      }
    },
    related: ['acknowledgement/burst-of-50', 'transport/pipelined'],
  },
  'computes for 20 ms on each delivery, in its only thread': {
    does: () => ({
      gate(request, body) {
        pbkdf2Sync(body, 'salt', ITERATIONS_OF_20_MS, 32, 'sha256')
        return CORRECT.gate(request, body)
      },
    }),
  },
}

async function inTurn(before: Promise<void>, response: ServerResponse): Promise<void> {
  await before
  await pause(1)
  response.writeHead(200).end()
}
