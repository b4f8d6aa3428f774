import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../../shared/program.ts'
import type { AttackName } from './attacks.ts'
import type { Effort } from './target.ts'

/** What the proof asks of the process of the attackers. */
export type Order = { readonly attack: AttackName; readonly port: number; readonly seed: string } | 'stop'

/** The attackers, in a process of their own: their work must not delay the valid deliveries. */
export interface Attackers {
  start(attack: AttackName, port: number, seed: string): void
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
  const order = (given: Order): void => void child.send(given)
  return {
    start: (attack, port, seed) => order({ attack, port, seed }),
    async stop() {
      const reply = once(child, 'message')
      order('stop')
      const [effort] = await reply
      return effort as Effort
    },
    end: async () => void (await end('SIGKILL')),
  }
}
