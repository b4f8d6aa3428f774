interface ScheduleOptions {
  /** When the run started; all times are milliseconds of `performance.now()`. */
  readonly started: number
  readonly durationMs: number
  /** Deliveries per second; without it a delivery is due whenever a connection is free. */
  readonly rate?: number | undefined
  /** How long after the end late deliveries are still sent, in milliseconds. */
  readonly graceMs: number
}

/** When deliveries are due. */
export function createSchedule({ started, durationMs, rate, graceMs }: ScheduleOptions) {
  const end = started + durationMs
  let count = 0
  let stopped = false
  let due = dueWithin(durationMs)

  /** How many deliveries are due in this many milliseconds from the start. */
  function dueWithin(ms: number): number {
    return rate === undefined ? 0 : Math.ceil((Math.min(ms, durationMs) * rate) / 1000)
  }

  return {
    /** When the next delivery is due, which may be in the past; undefined after the last one. */
    next(now: number): number | undefined {
      if (stopped) return undefined
      if (rate === undefined) return now < end ? now : undefined
      return count < due && now < end + graceMs ? started + (count / rate) * 1000 : undefined
    },
    /** The next delivery was sent. */
    sent() {
      count += 1
    },
    /** Ends the schedule early. @param now the deliveries that were due before and have not been sent count as unsent */
    stop(now?: number) {
      stopped = true
      due = now === undefined ? count : dueWithin(now - started)
    },
    /** Number of deliveries that were due and have not been sent. */
    unsent: () => Math.max(0, due - count),
  }
}
