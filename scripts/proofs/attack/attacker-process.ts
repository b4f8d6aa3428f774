import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../../shared/program.ts'
import type { AttackName } from './attacks.ts'
import type { Effort } from './target.ts'

/** The attack that the proof asks for. */
export interface Attacking {
  readonly attack: AttackName
  readonly port: number
  readonly seed: string
}

/** What the proof asks of the process of the attackers. It replies to all but the first with what was done. */
export type Order = Attacking | 'report' | 'stop'

/** The attackers, in a process of their own: their work must not delay the valid deliveries. */
export interface Attackers {
  readonly pid: number | undefined
  start(attacking: Attacking): void
  /** What was done so far. */
  report(): Promise<Effort>
  /** Ends the attack. @returns what was done */
  stop(): Promise<Effort>
  end(): Promise<void>
}

/** @throws Error if the process does not start */
export async function startAttackers(): Promise<Attackers> {
  const script = fileURLToPath(new URL('attacker.ts', import.meta.url))
  const { child, listening, stderr, end } = startProgram(process.execPath, ['--import', 'tsx', script], {
    addressIn: (line) => line,
    ipc: true,
  })
  if ((await listening) === undefined) throw new Error(`the attackers did not start: ${stderr()}`)
  async function replyTo(order: Order): Promise<Effort> {
    const reply = once(child, 'message')
    child.send(order)
    const [effort] = await reply
    return effort as Effort
  }
  return {
    pid: child.pid,
    start: (attacking) => void child.send(attacking),
    report: () => replyTo('report'),
    stop: () => replyTo('stop'),
    end: async () => void (await end('SIGKILL')),
  }
}
