import { nearest, suggestion } from '../../conformance/contracts/nearest.ts'
import { UsageError } from './exit.ts'
import type { Io } from './io.ts'

/** Prints one line on standard error about something that the user should change. */
export function printNotice({ stderr }: Io, notice: string): void {
  stderr.write(`hookproof: ${notice}\n`)
}

/** The error for an unknown name; it suggests the names that start with it, then similar ones, or what lists them. */
export function notFound(
  kind: string,
  name: string,
  names: readonly string[],
  listing = '`hookproof cases` lists the cases',
): UsageError {
  const sameStart = names.filter((other) => startsWith(other, name.toLowerCase()))
  const suggestions = [...new Set([...sameStart, ...nearest(name, names)])].slice(0, 3)
  return new UsageError(`there is no ${kind} "${name}": ${suggestion(suggestions, listing)}`)
}

/** The name of a case may be given without its section. */
function startsWith(id: string, start: string): boolean {
  return [id, id.slice(id.indexOf('/') + 1)].some((part) => part.startsWith(start))
}
