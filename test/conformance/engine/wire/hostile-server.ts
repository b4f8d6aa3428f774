import { type AddressInfo, createServer } from 'node:net'
import { answerSo, HOSTILE } from './hostile.ts'

// A process with a hostile receiver for each name that it is sent: what floods must not take the time of the program that is
// tested. It ends with the process that started it.

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Answers the first requests with 200, and every other one so. */
function serve(name: string, friendly: number): void {
  const hostile = HOSTILE[name] ?? ''
  let requests = 0
  const server = createServer((socket) => {
    let isAnswering = false
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      if (!/^[A-Z]+ \S+ HTTP/.test(chunk.subarray(0, 200).toString('latin1'))) return
      requests += 1
      if (requests <= friendly) socket.write(OK)
      else if (!isAnswering) {
        isAnswering = true
        void answerSo(hostile, socket)
      }
    })
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.send?.({ name, url: `http://127.0.0.1:${port}` })
  })
}

process.on('message', ({ name, friendly }: { name: string; friendly: number }) => serve(name, friendly))
process.on('disconnect', () => process.kill(process.pid))
