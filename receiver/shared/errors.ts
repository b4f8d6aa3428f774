import { inspect } from 'node:util'

/** Describes anything that was thrown in one line of at most 500 characters, without the stack. */
export function inOneLine(error: unknown): string {
  const message: unknown = error instanceof Error ? error.message : undefined
  const text = typeof message === 'string' ? message : inspect(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 500)
}
