import { setTimeout as wait } from 'node:timers/promises'
import { type Launch, launch, type Receiver } from '../shared/receiver.ts'

/** Keeps one receiver running, as a service manager does. */
export interface Supervisor {
  /** That of the first start; later ones listen on the same. */
  readonly port: number
  /** Ends the process as it is, and starts the next. */
  kill(): Promise<void>
  /** Resolves when it listens. */
  ready(): Promise<void>
  /** Stops for good; resolves to the exit code. */
  stop(): Promise<number | null>
  /** Each end that was not asked for. */
  readonly failures: string[]
}

const PAUSE_MS = 200

/**
 * Starts a receiver and starts it again whenever it ends. A start that is refused in one line, with exit code 2, is
 * tried again: the store may be down at that moment.
 */
export async function supervise(options: Launch): Promise<Supervisor> {
  const failures: string[] = []
  let receiver: Receiver = launch(options)
  const port = await receiver.listening
  if (port === undefined) throw new Error(`the receiver did not start: ${receiver.stderr().trim()}`)
  let wanted = true
  let listening: Promise<void> = Promise.resolve()
  const killed = new WeakSet<Receiver>()

  async function watch(watched: Receiver): Promise<void> {
    const code = await watched.ended
    if (!wanted) return
    if (!killed.has(watched)) {
      const said = watched.stderr().trim()
      const refused = code === 2 && said !== '' && !said.includes('\n')
      if (!refused) failures.push(`the receiver ended by itself, exit code ${code}: ${said}`)
      await wait(PAUSE_MS)
    }
    if (wanted) begin()
  }
  function begin(): void {
    const begun = launch({ ...options, port: port ?? 0 })
    receiver = begun
    listening = settled(begun)
    void watch(begun)
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
        await listening
        if (current === receiver && receiver.child.exitCode === null && receiver.child.signalCode === null)
          return
        await wait(PAUSE_MS)
      }
    },
    async stop() {
      wanted = false
      return receiver.stop()
    },
  }
}

/** Resolves when a receiver listens, or has ended. */
async function settled({ listening }: Receiver): Promise<void> {
  await listening
}
