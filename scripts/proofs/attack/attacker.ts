// The process of the attackers: runs the attack that the proof asks for, and reports what it did.
import { setPriority } from 'node:os'
import { randomFrom } from '../shared/random.ts'
import { ATTACKS } from './attacks.ts'
import type { Attacking, Order } from './measure.ts'
import { createEnd, createLink, noEffort } from './target.ts'

// A real attacker has a machine of its own. With the lowest priority this one takes only the CPU time that the receiver
// and the sender of valid deliveries leave.
setPriority(19)

let effort = noEffort()
let stop: () => Promise<void> = async () => {}

process.on('message', (order: Order) => {
  if (order === 'report') process.send?.(effort)
  else if (order === 'stop') void stop()
  else begin(order)
})
process.stdout.write('ready\n')

function begin({ attack, port, seed }: Attacking): void {
  const end = createEnd()
  effort = noEffort()
  const random = randomFrom(seed)
  const running = ATTACKS[attack].run({ port, random, end, effort, link: createLink(end) })
  stop = async () => {
    // What was done during the attack: the end of it resets thousands of connections.
    const done = { ...effort }
    end.now()
    await running
    process.send?.(done)
  }
}
