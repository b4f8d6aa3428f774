/** Knows whether something failed of late. */
export interface Outage {
  failed(): void
  worked(): void
}

/** So that the last word about an outage is that it is over. @param onOver told at the first success after failures */
export function createOutage(onOver: () => void): Outage {
  let failing = false
  return {
    failed() {
      failing = true
    },
    worked() {
      if (!failing) return
      failing = false
      onOver()
    },
  }
}
