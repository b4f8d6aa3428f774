import { once } from 'node:events'
import { connect } from 'node:net'

export { freePort } from '../../scripts/shared/free-port.ts'

/** Whether something listens on a port of this machine. */
export async function listensOn(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
