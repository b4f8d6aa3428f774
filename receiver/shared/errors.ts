import { inspect } from 'node:util'

/** Describes anything that was thrown in one line of at most 500 characters, without the stack. */
export function inOneLine(error: unknown): string {
  return textOf(error).replaceAll(/\s+/g, ' ').slice(0, 500)
}

function textOf(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined
    return typeof message === 'string' ? message : inspect(error)
  } catch {
    return 'an error that cannot be shown'
  }
}
