import { setTimeout as wait } from 'node:timers/promises'
import { launch, type Receiver, type ReceiverOptions } from '../shared/receiver.ts'

/** Keeps one receiver running, as a service manager does. */
export interface Supervisor {
  /** The port of the first start; restarts listen on the same port. */
  readonly port: number
  /** Kills the process; the supervisor starts the next. */
  kill(): Promise<void>
  /** Resolves when the receiver listens. */
  ready(): Promise<void>
  /** Stops the receiver and does not restart it; resolves to the exit code. */
  stop(): Promise<number | null>
  /** Every exit that the proof did not cause. */
  readonly failures: string[]
}

const PAUSE_MS = 200

/**
 * Starts a receiver and restarts it whenever it exits. A receiver that refuses to start, with one line and exit code 2,
 * is not a failure: the database may be down at that moment.
 */
export async function supervise(options: ReceiverOptions): Promise<Supervisor> {
  const failures: string[] = []
  let receiver: Receiver = launch(options)
  const port = await receiver.listening
  if (port === undefined) throw new Error(`the receiver did not start: ${receiver.stderr().trim()}`)
  let stopping = false
  let started: Promise<unknown> = Promise.resolve()
  const killed = new WeakSet<Receiver>()

  async function watch(watched: Receiver): Promise<void> {
    const code = await watched.exited
    if (stopping) return
    if (!killed.has(watched)) {
      const output = watched.stderr().trim()
      const refusedToStart = code === 2 && output !== '' && !output.includes('\n')
      if (!refusedToStart) failures.push(`the receiver exited unexpectedly with code ${code}: ${output}`)
      await wait(PAUSE_MS)
    }
    if (!stopping) restart()
  }
  function restart(): void {
    receiver = launch({ ...options, port: port ?? 0 })
    started = receiver.listening
    void watch(receiver)
  }
  void watch(receiver)

  return {
    port,
    failures,
    async kill() {
      const victim = receiver
      killed.add(victim)
      await victim.kill()
    },
    async ready() {
      for (;;) {
        const current = receiver
        await started
        if (current === receiver && receiver.isRunning()) return
        await wait(PAUSE_MS)
      }
    },
    async stop() {
      stopping = true
      return receiver.stop()
    },
  }
}
