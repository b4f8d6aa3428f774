import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createSandbox } from '../../../sandbox/index.ts'
import { fillDisk, withSmallDisk } from '../../../scripts/proofs/faults/mount.ts'
import { requires } from '../../support/prerequisites.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { payment, sandbox } from '../support.ts'

const disk = requires(process.getuid?.() === 0 ? undefined : 'only root can mount a small disk')

disk.test('a full disk at the start leaves no file, and names the fix', () => {
  const folder = temporaryFolder()
  return withSmallDisk(folder, 1, async () => {
    const file = join(folder, 'sandbox.sqlite')
    const ballast = join(folder, 'ballast')
    fillDisk(ballast)
    await expect(createSandbox({ file })).rejects.toThrow(
      /sandbox\.sqlite.*the disk is full\. Free some space/,
    )
    expect(readdirSync(folder)).toEqual(['ballast'])

    rmSync(ballast)
    await (await createSandbox({ file })).close()
    expect(readdirSync(folder)).toEqual(['sandbox.sqlite'])
  })
})

disk.test('a full disk while it runs and when it stops loses nothing', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()]
  let id = ''
  await withSmallDisk(folder, 1, async () => {
    const first = await createSandbox({ file: join(folder, 'sandbox.sqlite') })
    id = await payment(first)
    fillDisk(join(folder, 'ballast'))
    expect((await fetch(`${first.url}/dashboard/tea-house/log`)).status).toBe(200)
    await first.close()
    for (const name of readdirSync(folder)) {
      if (name.startsWith('sandbox')) cpSync(join(folder, name), join(other, name))
    }
  })
  const second = await sandbox({ file: join(other, 'sandbox.sqlite') })
  expect(second.act(id, { type: 'succeed' }).payment.status).toBe('completed')
})
