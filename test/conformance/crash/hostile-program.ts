import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { answerSo, HOSTILE } from '../engine/wire/hostile.ts'

// A receiver that keeps the first delivery after each start in the file STORE, shows it at /effects, and answers every further
// delivery as HOSTILE says.

const { HOSTILE: name = '', PORT, STORE = '' } = process.env
const answer = (socket: { end(text: string): unknown }, body: string) =>
  socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`)

interface Kept {
  readonly payment_id: string
  readonly amount: string
  readonly currency: string
}

let isKept = false
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  let text = ''
  let isAnswering = false
  socket.on('data', (chunk: Buffer) => {
    if (isAnswering) return
    text = `${text}${chunk.toString('latin1')}`
    const [head = '', body = ''] = text.split('\r\n\r\n', 2)
    const shown = /^GET \/effects\?payment_id=(\S+)/.exec(head)?.[1]
    if (shown !== undefined) {
      isAnswering = true
      answer(socket, JSON.stringify({ effects: effectsOf(decodeURIComponent(shown)) }))
    } else if (
      body.length >= Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.POSITIVE_INFINITY)
    ) {
      isAnswering = true
      if (isKept) void answerSo(HOSTILE[name] ?? '', socket)
      else {
        isKept = true
        appendFileSync(STORE, `${JSON.stringify(JSON.parse(body))}\n`)
        answer(socket, 'ok')
      }
    }
  })
})
server.listen(Number(PORT), '127.0.0.1')

function effectsOf(payment: string) {
  const lines = readFileSync(STORE, 'utf8').split('\n').filter(Boolean)
  return lines
    .map((line) => JSON.parse(line) as Kept)
    .filter(({ payment_id }) => payment_id === payment)
    .map(({ amount, currency }) => ({ event: 'payment.completed', effect: 'fulfilled', amount, currency }))
}
