import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { NotPossible } from '../faults/fault.ts'
import { runSystem } from '../faults/mount.ts'
import { type Call, parseTrace } from './trace.ts'

/** Enough to see a response, what it acknowledges, and the sync before it. */
const CALLS = ['read', 'write', 'writev', 'sendto', 'sendmsg', 'pwrite64', 'fsync', 'fdatasync']
/** More than any of these calls reads or writes at once. */
const MOST_BYTES = 2 ** 20

export interface StraceOptions {
  /** Running processes; children that they start later are traced too. */
  readonly processes: readonly number[]
  /** Where the trace is kept meanwhile. */
  readonly file: string
  /** Makes the kernel skip every sync, and report success. */
  readonly withoutSyncs?: boolean
}

/** @throws NotPossible if this computer has no strace */
export function requireStrace(): void {
  if (platform() !== 'linux') throw new NotPossible('it requires Linux')
  runSystem('strace', '--version')
}

/**
 * Traces processes while some work is done.
 * @returns their calls
 * @throws NotPossible if this user may not trace them
 */
export async function traced(
  { processes, file, withoutSyncs = false }: StraceOptions,
  work: () => Promise<void>,
): Promise<Call[]> {
  const inject = withoutSyncs ? ['-e', 'inject=fsync,fdatasync:retval=0'] : []
  const targets = processes.flatMap((pid) => ['-p', String(pid)])
  const options = [
    '-f',
    '-y',
    '-xx',
    '-s',
    String(MOST_BYTES),
    '-e',
    `trace=${CALLS.join(',')}`,
    '-e',
    'signal=none',
  ]
  const strace = spawn('strace', [...options, ...inject, '-o', file, ...targets], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(strace, 'exit')
  let stderr = ''
  const isSettled = (pid: number): boolean =>
    stderr.includes(`Process ${pid} attached`) || stderr.includes(`PTRACE_SEIZE, ${pid}): No such process`)
  const attached = new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      const refused = /ptrace\(.*\): (?!No such process).*/.exec(stderr)?.[0]
      if (refused !== undefined) reject(new NotPossible(refused))
      if (processes.every(isSettled)) resolve()
    })
  })
  const early = exited.then(() => {
    throw new NotPossible(stderr.trim().split('\n').at(-1) ?? 'strace ended')
  })
  try {
    await Promise.race([attached, early])
    await Promise.race([work(), early])
  } finally {
    early.catch(() => {})
    // It detaches, and the processes go on.
    strace.kill('SIGINT')
    await exited
  }
  return parseTrace(readFileSync(file, 'latin1'))
}
