/** Remembers what was computed for an object, for as long as that exists: many hypotheses ask about the same bodies. */
export function remembered<Key extends object, Result>(of: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>()
  return (key) => {
    const entry = known.get(key) ?? { result: of(key) }
    known.set(key, entry)
    return entry.result
  }
}

/** What is known by this name, or was computed for it now. */
export function knownIn<Result extends object>(
  known: Map<string, Result>,
  name: string,
  of: () => Result,
): Result {
  const result = known.get(name) ?? of()
  known.set(name, result)
  return result
}
