import { expect, test } from 'vitest'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import { watchOutput } from '../../../../conformance/crash/output.ts'
import { tryWithoutSecret } from '../../../../conformance/crash/secrets/without-secret.ts'
import { targetOf } from '../../../../conformance/options.ts'
import { freePort } from '../../../support/free-port.ts'
import { onWindows } from '../../../support/prerequisites.ts'

const SECRET = 'whsec_of_the_test_without_a_secret'

test.skipIf(onWindows)(
  'sends all deliveries together, because a server may listen without ever answering',
  async () => {
    const output = watchOutput(SECRET)
    const url = new URL(`http://127.0.0.1:${await freePort()}`)
    const command = `exec ${process.execPath} -e '
    let open = 0
    require("node:http").createServer((_, response) => {
      console.log("open: " + (open += 1))
      response.on("close", () => (open -= 1))
    }).listen(process.env.PORT)'`
    const launching = { command, url, cwd: process.cwd(), env: { ...process.env, SECRET }, output }
    const kit = createKit('without-secret', {
      secret: SECRET,
      seed: 'a',
      mode: 'test',
      now: () => 1_800_000_000,
    })
    const target = targetOf({ url: url.href, secret: SECRET, timeoutMs: 300 })
    expect(await tryWithoutSecret('empty', launching, { target, kit, startMs: 1_000 })).toEqual({
      outcome: 'refused-all',
    })
    expect(output.lastLines()).toContain('open: 9')
  },
)

test.skipIf(onWindows)(
  'code that runs per request, as in PHP, may answer 500 to everything instead of not starting',
  async () => {
    const url = new URL(`http://127.0.0.1:${await freePort()}`)
    const command = `exec ${process.execPath} -e '
    require("node:http").createServer((_, response) => {
      response.writeHead(process.env.SECRET ? 200 : 500).end()
    }).listen(process.env.PORT)'`
    const env = { ...process.env, SECRET }
    const launching = { command, url, cwd: process.cwd(), env, output: watchOutput(SECRET) }
    const kit = createKit('without-secret', {
      secret: SECRET,
      seed: 'a',
      mode: 'test',
      now: () => 1_800_000_000,
    })
    const target = targetOf({ url: url.href, secret: SECRET, timeoutMs: 5_000 })
    for (const how of ['empty', 'absent'] as const) {
      const found = await tryWithoutSecret(how, launching, { target, kit, startMs: 5_000 })
      expect(found).toEqual({ outcome: 'refused-all' })
    }
  },
)
