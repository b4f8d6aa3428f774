import { choose, type Random } from '../shared/random.ts'

/** Ids that the sandbox has shown, so that requests concern data that exists. */
export interface IdPool {
  /** Collects the ids in a response. */
  learn(text: string): void
  /** One of the latest ids with a prefix. */
  idOf(prefix: string): string
}

const LATEST = 100

export function idPool(random: Random): IdPool {
  const known = new Map<string, string[]>()
  return {
    learn(text) {
      for (const [id, prefix = ''] of text.matchAll(/\b(tx|evt|dlv|we)_\w{20}\b/g)) {
        const ids = known.get(prefix) ?? []
        known.set(prefix, [...ids.filter((other) => other !== id), id].slice(-LATEST))
      }
    },
    idOf: (prefix) => choose(random, known.get(prefix) ?? [`${prefix}_none`]),
  }
}
