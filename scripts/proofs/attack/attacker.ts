// The process of the attackers: runs the attack that the proof asks for, and reports what it did.
import { setPriority } from 'node:os'
import { randomFrom } from '../shared/random.ts'
import { ATTACKS } from './attacks.ts'
import type { Attacking, Order } from './measure.ts'
import { createLink, noEffort } from './target.ts'

// A real attacker has a machine of its own. With the lowest priority this one takes only the CPU time that the receiver
// and the sender of valid deliveries leave.
setPriority(19)

let effort = noEffort()
let end: () => Promise<void> = async () => {}

process.on('message', (order: Order) => {
  if (order === 'report') process.send?.(effort)
  else if (order === 'stop') void end()
  else begin(order)
})
process.stdout.write('ready\n')

function begin({ attack, port, seed }: Attacking): void {
  const attacking = new AbortController()
  const { signal } = attacking
  effort = noEffort()
  const random = randomFrom(seed)
  const running = ATTACKS[attack].run({ port, random, signal, effort, link: createLink(signal) })
  end = async () => {
    // What was done during the attack: the end of it resets thousands of connections.
    const done = { ...effort }
    attacking.abort()
    await running
    process.send?.(done)
  }
}
