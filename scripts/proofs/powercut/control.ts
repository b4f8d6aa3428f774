import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import type { ProofOptions, ProofResult } from '../shared/prove.ts'
import { randomFrom } from '../shared/random.ts'
import { start } from '../shared/receiver.ts'
import { createTraffic } from '../shared/traffic.ts'
import { INBOX, inspect } from './inspect.ts'
import { createLoad } from './load.ts'
import { createMachine } from './machine.ts'

/** A power cut under a receiver whose syncs do nothing: if no acknowledged event is lost, the proof could not see a loss. */
export const controlWithoutSyncs = ({ dist, seed }: ProofOptions): Promise<ProofResult> =>
  withTemporaryFolder(async (root) => {
    const machine = createMachine(root)
    const traffic = createTraffic(randomFrom(`${seed} control`), `${seed} control`)
    const receiver = await start({ dist, env: { INBOX: join(machine.folder, INBOX), ...machine.env } })
    const load = createLoad(traffic, `${seed} control`, [() => receiver.port])
    machine.hideSyncs()
    load.start()
    await wait(500)
    await receiver.kill()
    await load.stop()
    const nothingSurvives = machine.cutPower(() => 0)
    machine.close()

    const { lost } = inspect(nothingSurvives.files, traffic.sent, join(root, 'copy'))
    const acknowledged = traffic.sent.filter((event) => event.acknowledged).length
    const figure = `${formatCount(lost.length)} of ${formatCount(acknowledged)} acknowledged events`
    return {
      figures: [['control, syncs do nothing: lost', figure]],
      violations: lost.length > 0 ? [] : ['control: syncs did nothing, and no event was lost'],
    }
  })
