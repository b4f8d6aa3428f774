import { connect } from 'node:net'
import { between, type Random } from '../shared/random.ts'
import type { RawConnection, RawResponse } from '../shared/raw-connection.ts'

/** How long a response may take, in milliseconds: longer than any on a busy machine. */
const LONGEST_MS = 60_000

/** The response, or an error if it has not ended after {@link LONGEST_MS}. */
export async function inTime(connection: RawConnection, bytes: Buffer): Promise<RawResponse> {
  const timer = setTimeout(() => connection.close(), LONGEST_MS)
  try {
    return await connection.send(bytes)
  } finally {
    clearTimeout(timer)
  }
}

/** Sends bytes, and resets the connection a moment later without reading the response. */
export function abandoned(port: number, bytes: Buffer, random: Random): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).on('close', () => resolve())
    socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), between(random, 0, 3)))
  })
}
