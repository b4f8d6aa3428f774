const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does some work that a signal may cut short. What the work would still have come to is then of no account: the
 * clean-up runs, and the signal does what it would have done at once.
 *
 * @param cleanUp runs in any case, once, after the work or in place of its rest
 */
export async function interruptible<T>(work: () => Promise<T>, cleanUp: () => Promise<void>): Promise<T> {
  const told = new AbortController()
  const onSignal = (signal: NodeJS.Signals) => told.abort(signal)
  const interrupted = new Promise<never>((_, reject) => {
    told.signal.addEventListener('abort', () => reject(new Error(`interrupted by ${told.signal.reason}`)))
  })
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    return await Promise.race([work(), interrupted])
  } finally {
    await cleanUp()
    for (const signal of SIGNALS) process.off(signal, onSignal)
    if (told.signal.aborted) {
      process.stderr.write('hookproof: interrupted; no report was written\n')
      process.kill(process.pid, told.signal.reason)
    }
  }
}
