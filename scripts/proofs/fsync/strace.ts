import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { NotPossible, runSystem } from '../shared/system.ts'

/** Enough to see a response, what it acknowledges, and the sync before it. */
const CALLS = ['read', 'write', 'writev', 'sendto', 'sendmsg', 'pwrite64', 'fsync', 'fdatasync']
/** More than any of these calls reads or writes at once. */
const MOST_BYTES = 2 ** 20

interface StraceOptions {
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

/** A system call as strace recorded it. */
export interface Call {
  readonly name: string
  /** The file or the socket of its descriptor. */
  readonly path: string
  /** The bytes that were read or written. */
  readonly data: Buffer
  /** Where they were written, if the call says so. */
  readonly offset: number | undefined
  /** -1 after an error. */
  readonly result: number
  /** Whether strace made the kernel skip the call. */
  readonly injected: boolean
  /** The lines of the trace in which the call began and ended: they order the calls of all processes. */
  readonly began: number
  readonly ended: number
}

const BEGAN = /^(.*?) *<unfinished \.\.\.>$/
const RESUMED = /^<\.\.\. \w+ resumed>(.*)$/
const COMPLETE = /^(\w+)\(\d+<(.*?)>(?:, *(.*))?\) += (-?\d+)(.*)$/

/**
 * Parses the output of `strace -f -y -xx -o <file>`. strace writes a line before a call starts or after it has ended, in
 * the order in which it lets the processes go on: a call that ended in an earlier line ended before the other one started.
 * Calls that did not end, or are not on a descriptor, are left out.
 */
export function parseTrace(text: string): Call[] {
  const calls: Call[] = []
  const unfinished = new Map<string, { readonly start: string; readonly line: number }>()
  for (const [line, whole] of text.split('\n').entries()) {
    const space = whole.indexOf(' ')
    const process = whole.slice(0, space)
    const rest = whole.slice(space).trimStart()
    const start = BEGAN.exec(rest)?.[1]
    if (start !== undefined) {
      unfinished.set(process, { start, line })
      continue
    }
    const end = RESUMED.exec(rest)?.[1]
    const before = end === undefined ? undefined : unfinished.get(process)
    if (end !== undefined) unfinished.delete(process)
    const call = callOf(`${before?.start ?? ''}${end ?? rest}`, before?.line ?? line, line)
    if (call !== undefined) calls.push(call)
  }
  return calls
}

function callOf(text: string, began: number, ended: number): Call | undefined {
  const [, name, path, rest = '', result, note = ''] = COMPLETE.exec(text) ?? []
  if (name === undefined || path === undefined) return undefined
  const strings = [...rest.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => decode(hex))
  const offset = /, \d+, (\d+)$/.exec(rest)?.[1]
  return {
    name,
    path: path.startsWith('\\x') ? decode(path).toString() : path,
    data: Buffer.concat(strings),
    offset: offset === undefined ? undefined : Number(offset),
    result: Number(result),
    injected: note.includes('INJECTED'),
    began,
    ended,
  }
}

const decode = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
