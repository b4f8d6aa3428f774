import { expect, test } from 'vitest'
import { startAttackers } from '../../../scripts/proofs/attack/measure.ts'

test('attackers that have exited are reported as such, at once', async () => {
  const attackers = await startAttackers()
  const asked = attackers.report()
  process.kill(attackers.pid ?? 0, 'SIGKILL')
  await expect(asked).rejects.toThrow('the attackers exited with code null')
  attackers.start({ attack: 'idle flood', port: 1, seed: 'none' })
  await expect(attackers.stop()).rejects.toThrow('the attackers exited with code null')
})
