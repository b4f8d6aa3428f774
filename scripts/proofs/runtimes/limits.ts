import { setTimeout as pause } from 'node:timers/promises'
import { openConnection, requestHead } from '../../../test/support/raw-connection.ts'

/** What is sent, and the code of the answer that must arrive while the rest of the body is still missing. */
const BODIES = [
  ['slow body', 'body_too_slow', requestHead('Content-Length: 100'), '{'],
  ['announced size', 'body_too_large', requestHead('Content-Length: 100000000'), ''],
  ['endless body', 'body_too_large', requestHead('Transfer-Encoding: chunked'), chunksOf(64 * 1024, 32)],
  ['tiny chunks', 'body_too_fragmented', requestHead('Transfer-Encoding: chunked'), chunksOf(1, 6000)],
] as const

/** The body timeout of the receiver is 10 seconds. */
const TIMEOUT_MS = 20_000

/** Sends bodies outside the limits. @returns the names of those whose refusal did not arrive, with what arrived instead */
export async function findMissingRefusals(url: string): Promise<string[]> {
  const answers = BODIES.map(async ([name, code, head, start]) => {
    const { socket, received } = await openConnection(url)
    socket.write(head + start)
    const deadline = performance.now() + TIMEOUT_MS
    while (!received().includes(`"${code}"`) && performance.now() < deadline) await pause(20)
    socket.destroy()
    return received().includes(`"${code}"`) ? [] : [`${name}: no ${code}, but ${firstLineOf(received())}`]
  })
  return (await Promise.all(answers)).flat()
}

function chunksOf(size: number, count: number): string {
  return `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count)
}

const firstLineOf = (response: string): string => response.split('\r\n', 1)[0] || 'no answer'
