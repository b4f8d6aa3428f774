import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { until } from '../receiver/support.ts'

const SERVER = fileURLToPath(new URL('../../server/server.ts', import.meta.url))

/** A receiver in a process of its own. */
export interface Program {
  readonly child: ChildProcess
  /** Of its log, parsed. */
  readonly lines: readonly Record<string, unknown>[]
  readonly stderr: () => string
}

/** Runs the receiver as `node` would, with this environment and nothing of the tester's own. */
export function launch(env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', SERVER], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const lines: Record<string, unknown>[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)))
  return { child, lines, stderr: () => stderr }
}

/** Waits for a line of the log. */
async function told(program: Program, msg: string): Promise<Record<string, unknown>> {
  const find = () => program.lines.find((line) => line['msg'] === msg)
  await until(() => find() !== undefined || program.child.exitCode !== null)
  const line = find()
  if (line === undefined) throw new Error(`the receiver has ended: ${program.stderr()}`)
  return line
}

export const addressOf = async (program: Program): Promise<string> =>
  String((await told(program, 'listening'))['url'])

/** How a process ended. */
export async function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode ?? child.exitCode
}

/** Posts a delivery: the status and the header `connection`, or the code of the error. */
export function post(
  url: string,
  { body, header }: { body: Buffer; header: string },
  agent = new Agent(),
): Promise<{ status: number; connection: string | undefined } | { error: string }> {
  return new Promise((resolve) => {
    const headers = { 'X-Service-Signature': header }
    const sending = httpRequest(`${url}/webhooks`, { method: 'POST', agent, headers })
    sending.on('response', (response) => {
      const { statusCode: status = 0 } = response
      response.resume().on('end', () => resolve({ status, connection: response.headers.connection }))
    })
    sending.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }))
    sending.end(body)
  })
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)
