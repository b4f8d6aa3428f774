import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { stopAndAudit } from '../shared/audit.ts'
import { between, randomFrom } from '../shared/random.ts'
import { launch, start } from '../shared/receiver.ts'
import { countOf, unexpectedResponses } from '../shared/senders.ts'
import { readableKeys, sqliteStore, waitUntilProcessed } from '../shared/sqlite.ts'
import { burst, type Fault, problemsWithRefusedStart, trafficOf } from './fault.ts'

const DAMAGED_COPIES = 8
const PAGE_BYTES = 4096

/**
 * The file is damaged when the receiver starts: in its header, in its middle, or truncated. The receiver must either
 * refuse to start, in one line, and leave the file unchanged, or work with the intact part: then the file must contain
 * each event that it acknowledges. With the intact file restored, it must recover without help.
 */
export const corruptFile: Fault = (options) =>
  withTemporaryFolder(async (folder) => {
    const random = randomFrom(`${options.seed} corrupt`)
    const intact = join(folder, 'intact.sqlite')
    const receiverOn = (path: string) => ({ dist: options.dist, env: { INBOX: path } })
    const traffic = trafficOf(options, 'intact')
    const first = await start(receiverOn(intact))
    await burst(first.port, traffic, 1000)
    await waitUntilProcessed(intact)
    await first.stop()
    const size = readFileSync(intact).length

    const violations: string[] = []
    const refusals = new Set<string>()
    let refused = 0
    let started = 0
    let answered503 = 0
    async function tryDamage(
      name: string,
      damage: (bytes: Buffer) => void,
      mustRefuse: boolean,
    ): Promise<void> {
      const bytes = readFileSync(intact)
      damage(bytes)
      // A path of its own: a connection that met damage stays open until it is collected, with the log of its own file.
      const path = join(folder, `${name.replaceAll(' ', '-')}.sqlite`)
      writeFileSync(path, bytes)
      if (name === 'truncated') truncateSync(path, Math.floor(size / 2))
      const damaged = readFileSync(path)
      const receiver = launch(receiverOn(path))
      const port = await receiver.listening
      if (port === undefined) {
        refused += 1
        refusals.add(receiver.stderr().trim().replace(path, '<file>'))
        const problems = problemsWithRefusedStart(await receiver.exited, receiver.stderr(), path)
        violations.push(...problems.map((problem) => `${name}: ${problem}`))
        if (!readFileSync(path).equals(damaged))
          violations.push(`${name}: the receiver refused to start but changed the file`)
        return
      }
      started += 1
      if (mustRefuse) violations.push(`${name}: the receiver started`)
      const more = trafficOf(options, name)
      const tally = await burst(port, more, 700)
      answered503 += countOf(tally, 503)
      violations.push(...unexpectedResponses(tally).map((problem) => `${name}: ${problem}`))
      await receiver.kill()
      const keys = readableKeys(path)
      for (const event of more.sent) {
        const key = JSON.stringify([event.paymentId, event.event])
        if (event.acknowledged && !keys.has(key))
          violations.push(`lost: ${name}: ${key} was acknowledged and is not in the file`)
      }
    }

    await tryDamage('header', (bytes) => bytes.fill(0xaa, 0, 100), true)
    await tryDamage('truncated', () => {}, false)
    for (let copy = 0; copy < (options.quick ? 4 : DAMAGED_COPIES); copy += 1) {
      const at = between(random, 1, Math.floor(size / PAGE_BYTES) - 3) * PAGE_BYTES
      const damage = (bytes: Buffer) => bytes.fill(0xaa, at, at + 2 * PAGE_BYTES)
      await tryDamage(`damage at byte ${at} of ${size}`, damage, false)
    }

    const copy = join(folder, 'restored.sqlite')
    for (const suffix of ['-wal', '-shm']) writeFileSync(copy + suffix, '')
    copyFileSync(intact, copy)
    const restored = await start(receiverOn(copy))
    await burst(restored.port, traffic, 500)
    violations.push(...(await stopAndAudit([restored], sqliteStore(copy), traffic.sent)).violations)
    return {
      figures: [
        [
          'damaged file',
          `${refused} starts refused, ${started} receivers worked with the intact part (503 × ${answered503})`,
        ],
        ...[...refusals].map((line): [string, string] => ['', line]),
      ],
      violations,
    }
  })
