import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The server has this core to itself, as far as the machine allows; whatever drives it has the other. */
export const SERVER_CORE = '0'
export const CLIENT_CORE = '1'

/** For what can not be kept apart, such as two receivers, their database and their client. */
export const BOTH_CORES = `${SERVER_CORE},${CLIENT_CORE}`

const HERE = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const run = promisify(execFile)

/** A server of bench/serve.ts, pinned to its core. */
export interface PinnedServer {
  readonly url: string
  /** Seconds of processor time that it has used. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** @param words what the variant takes, such as the path of its database */
export async function startServer(
  name: string,
  words: readonly string[] = [],
  core = SERVER_CORE,
): Promise<PinnedServer> {
  const command = ['-c', core, process.execPath, '--import', 'tsx', HERE('serve.ts'), name, ...words]
  const child = spawn('taskset', command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await firstLine(child, name)
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    async stop() {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}

async function firstLine(
  { stdout }: { readonly stdout: NodeJS.ReadableStream },
  name: string,
): Promise<string> {
  for await (const line of createInterface({ input: stdout })) return line
  throw new Error(`bench: the server "${name}" did not start`)
}

/** From Linux's own account, in its ticks of a hundredth of a second. taskset has become the program it started. */
export function cpuSecondsOf(pid: number | undefined): number {
  const { userTicks, systemTicks } = processOf(pid)
  return (userTicks + systemTicks) / 100
}

/** What Linux knows of a process; all are NaN of one that has ended. */
export function processOf(pid: number | undefined): {
  parent: number
  userTicks: number
  systemTicks: number
} {
  const path = `/proc/${pid}/stat`
  // After the name of the program, which may have spaces in it.
  const [, rest = ''] = existsSync(path) ? readFileSync(path, 'utf8').split(') ') : []
  const fields = rest.split(' ')
  return { parent: Number(fields[1]), userTicks: Number(fields[11]), systemTicks: Number(fields[12]) }
}

/** Runs a program to its end on a core, and gives back what it printed. */
export async function runPinned(core: string, program: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, HOOKPROOF_SECRET: SECRET }
  const { stdout } = await run('taskset', ['-c', core, program, ...words], { env })
  return stdout
}

export const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** What is measured is what is shipped: the built files, with the types of their sources. */
export async function built<Module>(path: string): Promise<Module> {
  return import(new URL(`../../dist/${path}`, import.meta.url).href)
}
