import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../shared/free-port.ts'
import { type Program, startProgram } from '../../../shared/program.ts'

/** A running Prism. */
export interface Proxy {
  readonly url: string
  readonly program: Program
}

/**
 * Starts `prism proxy` between a client and the sandbox.
 * @param document the path of the OpenAPI document
 * @param apiUrl of the sandbox, with the version
 */
export async function startProxy(
  prism: string,
  document: string,
  apiUrl: string,
  options: readonly string[],
): Promise<Proxy> {
  const port = String(await freePort())
  const program = startProgram(
    process.execPath,
    [prism, 'proxy', document, apiUrl, '--port', port, ...options],
    {
      env: { PATH: process.env['PATH'], NO_COLOR: '1' },
      addressIn: (line) => /Prism is listening on (\S+)/.exec(line)?.[1],
    },
  )
  const url = await Promise.race([program.listening, pause(60_000, undefined, { ref: false })])
  if (url === undefined) throw new Error(`Prism did not start: ${program.stderr().trim()}`)
  return { url, program }
}
