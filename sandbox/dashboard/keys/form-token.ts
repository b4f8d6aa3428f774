import { randomUUID } from 'node:crypto'

/** Number of used tokens that are remembered. Reloading the page of an older form would submit it again. */
const REMEMBERED = 1000

/** Detects a form that is submitted again because its result page was reloaded. */
export interface FormTokens {
  /** A new token for a hidden field of the form. */
  create: () => string
  /** @returns whether this is the first use of the token; always true for an empty one, which no page contains */
  use: (token: string) => boolean
}

/** Creates a memory of used tokens. */
export function formTokens(): FormTokens {
  const used = new Set<string>()
  return {
    create: () => randomUUID(),
    use: (token) => {
      if (token === '') return true
      if (used.has(token)) return false
      used.add(token)
      const [oldest] = used
      if (used.size > REMEMBERED && oldest !== undefined) used.delete(oldest)
      return true
    },
  }
}
