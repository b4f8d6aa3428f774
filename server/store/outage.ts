/** Tracks whether a dependency is failing. */
export interface Outage {
  failed(): void
  succeeded(): void
}

/** Reports the end of an outage. @param onRecovered called at the first success after one or more failures */
export function createOutage(onRecovered: () => void): Outage {
  let failing = false
  return {
    failed() {
      failing = true
    },
    succeeded() {
      if (!failing) return
      failing = false
      onRecovered()
    },
  }
}
