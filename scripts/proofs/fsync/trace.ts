import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Enough to see a response, what it acknowledges, and the sync before it. */
const CALLS = ['read', 'write', 'writev', 'sendto', 'sendmsg', 'pwrite64', 'fsync', 'fdatasync']
/** More than any of these calls reads or writes at once. */
const MOST_BYTES = 2 ** 20

/**
 * The command that traces a program, whose own command follows it. The program stays a child of the process that runs this.
 * @param file where the trace is written
 * @param withoutSyncs makes the kernel skip every sync, and report success
 */
export function tracing(file: string, withoutSyncs: boolean): readonly string[] {
  const expressions = [`trace=${CALLS.join(',')}`, 'signal=none']
  if (withoutSyncs) expressions.push('inject=fsync,fdatasync:retval=0')
  const options = expressions.flatMap((expression) => ['-e', expression])
  return ['strace', '-D', '-f', '-y', '-xx', '-s', String(MOST_BYTES), '-o', file, ...options]
}

/** Reads the trace of a program that has exited, as soon as strace has written all of it. */
export async function readTrace(file: string, pid: number | undefined): Promise<Call[]> {
  const ended = new RegExp(`^${pid} +\\+\\+\\+ (?:exited|killed)`, 'm')
  for (;;) {
    const text = readFileSync(file, 'latin1')
    if (ended.test(text.slice(-1000))) return parseTrace(text)
    await wait(50)
  }
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
  /** The lines of the trace in which the call began and ended: they order the calls of all threads. */
  readonly began: number
  readonly ended: number
}

const BEGAN = /^(.*?) *<unfinished \.\.\.>$/
const RESUMED = /^<\.\.\. \w+ resumed>(.*)$/
const COMPLETE = /^(\w+)\(\d+<(.*?)>(?:, *(.*))?\) += (-?\d+)(.*)$/

/**
 * Parses the output of `strace -f -y -xx -o <file>`. strace writes a line before a call starts or after it has ended, in
 * the order in which it lets the threads go on: a call that ended in an earlier line ended before the other one started.
 * Calls that did not end, or are not on a descriptor, are left out.
 */
export function parseTrace(text: string): Call[] {
  const calls: Call[] = []
  const unfinished = new Map<string, { readonly start: string; readonly line: number }>()
  for (const [line, whole] of text.split('\n').entries()) {
    const space = whole.indexOf(' ')
    const thread = whole.slice(0, space)
    const rest = whole.slice(space).trimStart()
    const start = BEGAN.exec(rest)?.[1]
    if (start !== undefined) {
      unfinished.set(thread, { start, line })
      continue
    }
    const end = RESUMED.exec(rest)?.[1]
    const before = end === undefined ? undefined : unfinished.get(thread)
    if (end !== undefined) unfinished.delete(thread)
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
