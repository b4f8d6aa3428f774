// The process of the attackers: runs the attack that the proof asks for, and reports what it did.
import { setPriority } from 'node:os'
import { randomFrom } from '../shared/random.ts'
import type { Order } from './attacker-process.ts'
import { ATTACKS } from './attacks.ts'
import { type Effort, noEffort } from './target.ts'

// A real attacker has a machine of its own. With the lowest priority this one takes only the CPU time that the receiver
// and the sender of valid deliveries leave.
setPriority(19)

let stop: (() => Promise<Effort>) | undefined

process.on('message', async (order: Order) => {
  if (order === 'stop') {
    const effort = await stop?.()
    process.send?.(effort)
    return
  }
  const { attack, port, seed } = order
  const attacking = new AbortController()
  const effort = noEffort()
  const { signal } = attacking
  const running = ATTACKS[attack].run({ port, random: randomFrom(seed), signal, effort })
  stop = async () => {
    // What was done during the attack: the end of it resets thousands of connections.
    const done = { ...effort }
    attacking.abort()
    await running
    return done
  }
})
process.stdout.write('ready\n')
