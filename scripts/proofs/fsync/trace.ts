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
