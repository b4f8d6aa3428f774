import { randomUUID } from 'node:crypto'

/** So many forms that were sent are remembered; who loads an older one again must have left it open for long. */
const REMEMBERED = 1000

/** Tells a form that is sent for the first time from one that a browser sends again when its page is loaded anew. */
export interface Once {
  /** What the form is to bring, in a hidden field. */
  token: () => string
  /** @returns whether this token is used for the first time; always for an empty one, which no page has made */
  use: (token: string) => boolean
}

/** Makes the memory of the forms that were sent. */
export function onceOnly(): Once {
  const used = new Set<string>()
  return {
    token: () => randomUUID(),
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
