import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crash } from '../../../conformance/crash/crash.ts'
import { freePort } from '../../support/free-port.ts'
import { onWindows } from '../../support/prerequisites.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { SECRET } from '../support.ts'

/** The first start, the one after it was stopped, and those of two rounds. */
const GOOD_STARTS = 4
/** Listens twice, so that the second one ends it as Node.js ends a program: with its version as the last line. */
const TAKEN = `node -e 'const { createServer } = require("node:http"); createServer().listen(process.env.PORT, () => createServer().listen(process.env.PORT))'`

it.skipIf(onWindows)(
  'a receiver whose address is taken when it starts again is not said to lose events',
  async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    const folder = temporaryFolder()
    const starts = join(folder, 'starts')
    const report = await crash({
      url: `${origin}/webhooks`,
      observe: `${origin}/observe`,
      secret: SECRET,
      start: `echo >> '${starts}'; if [ $(wc -l < '${starts}') -gt ${GOOD_STARTS} ]; then exec ${TAKEN}; else exec node test/crash/receiver.mjs; fi`,
      env: { ...process.env, BEHAVIOR: 'plain', STORE: folder },
      rounds: 6,
      seed: 'taken',
      recoverWithinMs: 4_000,
    })
    const verdict = report.verdicts.find((one) => one.case === 'durability/nothing-lost-in-a-crash')
    expect(verdict?.outcome).toBe('untested')
    expect(verdict?.reason).toContain('last output: Error: listen EADDRINUSE: address already in use')
  },
  120_000,
)
