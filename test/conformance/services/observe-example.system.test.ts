import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import express, { type Express } from 'express'
import { expect, it } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { SECRETS } from './receiver.ts'

const [, printed = ''] = /```js\n(const handled[^`]*)```/.exec(readFileSync('docs/services.md', 'utf8')) ?? []

/** The lines of docs/services.md as printed; they give back `countHandled`. */
const added = (app: Express): ((key: string) => void) =>
  runInNewContext(
    `${printed}
countHandled`,
    { app },
  )

/** A receiver of GitHub's deliveries with the lines of docs/services.md. */
function receiver(isOnce: boolean): Express {
  const app = express()
  const countHandled = added(app)
  const done = new Set<string>()
  app.post('/webhooks', express.raw({ type: () => true, limit: '2mb' }), (req, res) => {
    const mac = createHmac('sha256', SECRETS.github).update(req.body as Buffer)
    if (req.get('X-Hub-Signature-256') !== `sha256=${mac.digest('hex')}`) return res.sendStatus(401)
    const key = req.get('X-GitHub-Delivery') ?? ''
    if (!isOnce || !done.has(key)) countHandled(key)
    done.add(key)
    return res.sendStatus(204)
  })
  return app
}

it.each([
  ['once', true, 0],
  ['again and again', false, 1],
] as const)('the lines of docs/services.md show a delivery that is handled %s', async (_, isOnce, least) => {
  const server = receiver(isOnce).listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => server.once('listening', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const report = await check({
      url: `${origin}/webhooks`,
      observe: `${origin}/observe`,
      service: 'github',
      secret: SECRETS.github,
      only: ['duplicates', 'effects'],
    })
    const { warning, ...others } = report.counts
    expect(report.profile).toBe('full')
    expect(others).toMatchObject({ failed: 0, inconclusive: 0, untested: 0 })
    expect(warning > 0).toBe(least > 0)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
