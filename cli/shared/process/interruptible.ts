import { Interrupted } from '../exit.ts'
import { type Io, STOP_SIGNALS, type StopSignal } from '../io.ts'

/**
 * Runs work that a signal may cut short. The result of work that was cut short is discarded.
 *
 * @param soften handles a signal itself, and returns true, when the work will end by itself soon
 * @param cleanUp runs once in any case, after the work or after the signal
 * @throws Interrupted when a signal arrived before the clean-up was done
 */
export async function interruptible<T>(
  { signals }: Io,
  work: () => Promise<T>,
  cleanUp: () => Promise<void>,
  soften: (signal: StopSignal) => boolean = () => false,
): Promise<T> {
  let interruption: Interrupted | undefined
  let interrupt = (_error: Interrupted): void => undefined
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = reject
  })
  // A signal during the clean-up has nobody waiting for it.
  interrupted.catch(() => undefined)
  const onSignal = (signal: StopSignal): void => {
    if (soften(signal)) return
    interruption ??= new Interrupted(signal)
    interrupt(interruption)
  }
  for (const name of STOP_SIGNALS) signals.on(name, onSignal)
  const outcome = await Promise.race([work(), interrupted]).then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
  await cleanUp()
  for (const name of STOP_SIGNALS) signals.off(name, onSignal)
  if (interruption !== undefined) throw interruption
  return outcome()
}
