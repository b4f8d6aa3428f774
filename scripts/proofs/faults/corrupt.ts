import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from '../shared/audit.ts'
import { inFolder } from '../shared/folder.ts'
import { between, randomFrom } from '../shared/random.ts'
import { launch, start } from '../shared/receiver.ts'
import { unexpected } from '../shared/senders.ts'
import { drained, keysIn, storedIn } from '../shared/sqlite.ts'
import { amissWithRefusal, burst, type Fault, trafficOf } from './fault.ts'

const DAMAGES = 8
const PAGE = 4096

/**
 * The file is damaged when the receiver starts: in its header, in its middle, or cut short. It either says so in one
 * line and leaves the file alone, or works with what is sound: then each event that it acknowledges is to be found in
 * that file. With the sound file back, it goes on by itself.
 */
export const corruptFile: Fault = (asked) =>
  inFolder(async (folder) => {
    const random = randomFrom(`${asked.seed} corrupt`)
    const path = join(folder, 'inbox.sqlite')
    const sound = join(folder, 'sound.sqlite')
    const launched = { dist: asked.dist, env: { INBOX: path } }
    const traffic = trafficOf(asked, 'sound')
    const first = await start(launched)
    await burst(first.port, traffic, 1000)
    await drained(path)
    await first.stop()
    copyFileSync(path, sound)
    const size = readFileSync(sound).length

    const broken: string[] = []
    const lines = new Set<string>()
    let refused = 0
    let worked = 0
    let refusals503 = 0
    async function tryWith(
      name: string,
      damage: (bytes: Buffer) => void,
      mustRefuse: boolean,
    ): Promise<void> {
      const bytes = readFileSync(sound)
      damage(bytes)
      writeFileSync(path, bytes)
      if (name === 'cut short') truncateSync(path, Math.floor(size / 2))
      const damaged = readFileSync(path)
      const receiver = launch(launched)
      const port = await receiver.listening
      if (port === undefined) {
        refused += 1
        lines.add(receiver.stderr().trim().replace(path, '<file>'))
        broken.push(
          ...amissWithRefusal(await receiver.ended, receiver.stderr(), path).map(
            (what) => `${name}: ${what}`,
          ),
        )
        if (!readFileSync(path).equals(damaged))
          broken.push(`${name}: the file was changed though it was refused`)
        return
      }
      worked += 1
      if (mustRefuse) broken.push(`${name}: the receiver started`)
      const more = trafficOf(asked, name)
      const tally = await burst(port, more, 700)
      refusals503 += tally.answers.get('503') ?? 0
      broken.push(...unexpected(tally).map((what) => `${name}: ${what}`))
      await receiver.kill()
      const kept = keysIn(path)
      for (const event of more.sent) {
        const key = JSON.stringify([event.paymentId, event.event])
        if (event.acknowledged && !kept(key))
          broken.push(`lost: ${name}: ${key} was acknowledged and is not in the file`)
      }
    }

    await tryWith('header', (bytes) => bytes.fill(0xaa, 0, 100), true)
    await tryWith('cut short', () => {}, false)
    for (let damage = 0; damage < (asked.quick ? 4 : DAMAGES); damage += 1) {
      const at = between(random, 1, Math.floor(size / PAGE) - 3) * PAGE
      await tryWith(`damage at ${at} of ${size}`, (bytes) => bytes.fill(0xaa, at, at + 2 * PAGE), false)
    }

    for (const suffix of ['-wal', '-shm']) writeFileSync(path + suffix, '')
    copyFileSync(sound, path)
    const again = await start(launched)
    await burst(again.port, traffic, 500)
    await drained(path)
    await again.stop()
    broken.push(...audit(traffic.sent, storedIn(path)).broken)
    return {
      figures: [
        [
          'damaged file',
          `${refused} starts refused, ${worked} worked with what was sound (503 × ${refusals503})`,
        ],
        ...[...lines].map((line): [string, string] => ['', line]),
      ],
      broken,
    }
  })
