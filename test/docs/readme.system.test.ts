import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../cli/shared/exit.ts'
import { check } from '../../conformance/index.ts'
import { loadDriver } from '../../receiver/inbox/sqlite/driver.ts'
import type { Effect } from '../../schemas/types.ts'
import { deliver } from '../../scripts/examples/deliveries.ts'
import { until } from '../support/until.ts'
import { runApp } from './app.ts'

const readme = readFileSync('README.md', 'utf8')
const guide = readFileSync('docs/check.md', 'utf8')

describe('README.md', () => {
  test('the receiver that it shows is conformant', async () => {
    const app = await runApp('readme', codeOf(readme), 'whsec_readme')
    const shipments = await readShipments(app.folder)
    const report = await check({ url: app.url, secret: 'whsec_readme', observe: shipments.effects })
    shipments.close()
    expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(report).toMatchObject({ conclusion: 'conformant', profile: 'full' })
  })

  test('the receiver that it shows records any amount that is no positive decimal, and handles each event once', async () => {
    const secret = 'whsec_readme'
    const app = await runApp('readme-amounts', codeOf(readme), secret)
    const amounts = ['{"toString":1}', '["25.00"]', '25', '1e400', 'null', '"-25.00"', '"NaN"']
    for (const [at, amount] of amounts.entries()) {
      const fields = `"payment_id":"tx_${at}","amount":${amount},"currency":${amount}`
      await deliver({ url: app.url, secret }, Buffer.from(`{"event":"payment.completed",${fields}}`))
      await deliver(
        { url: app.url, secret },
        Buffer.from(`{"event":"payment.refunded",${fields.replace('tx', 'tx_refund')}}`),
      )
    }
    const { DatabaseSync } = await loadDriver()
    const database = new DatabaseSync(join(app.folder, 'webhooks.sqlite'), { readOnly: true })
    const open = database.prepare("SELECT count(*) AS count FROM inbox WHERE state <> 'done'")
    await until(() => open.get().count === 0)
    const states = database.prepare('SELECT state FROM shipment ORDER BY state').all()
    database.close()
    expect(states).toEqual([
      ...amounts.map(() => ({ state: 'refunded' })),
      ...amounts.map(() => ({ state: 'wrong amount' })),
    ])
  })

  test('the page of @hookproof/receiver shows the same receiver', () => {
    expect(readFileSync('receiver/README.md', 'utf8')).toContain(codeOf(readme))
  })

  test('every npm script that it names exists', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named).toContain('conformance')
    for (const name of named) expect(scripts, name).toHaveProperty(name)
  })

  test('the proofs that CONTRIBUTING.md names exist', () => {
    const contributing = readFileSync('CONTRIBUTING.md', 'utf8')
    const proofs = [...contributing.matchAll(/npm run proof -- (\w[\w-]*)/g)].map(([, name = '']) => name)
    expect(proofs.length).toBeGreaterThan(0)
    const known = readFileSync('scripts/proofs/proof.ts', 'utf8')
    for (const name of proofs) expect(known).toMatch(new RegExp(`^ {2}'?${name}'?: \\(\\) =>`, 'm'))
  })

  test('is at most 120 lines long', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  test('its exit codes are those of the command', () => {
    const codes = Object.values(EXIT).toSorted((a, b) => a - b)
    const [sentence = ''] = /Exit codes: .*$/m.exec(readme) ?? []
    expect([...sentence.matchAll(/(?<=: |, )(\d) /g)].map(([, code]) => Number(code))).toEqual(codes)
    expect([...guide.matchAll(/^\| (\d) \| /gm)].map(([, code]) => Number(code))).toEqual(codes)
  })

  test('the examples of JSON in docs/check.md are valid under the schemas of what they show', async () => {
    const { validate } = await import('../../schemas/validate.ts')
    const examples = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json))
    expect(examples.map((example) => Object.keys(example))).toEqual([['failures'], ['effects']])
    const [baseline, observation] = examples
    expect(validate('baseline', baseline)).toEqual([])
    expect(validate('observation', observation)).toEqual([])
  })
})

function codeOf(page: string): string {
  const [, code] = /```js\n([\s\S]*?)```/.exec(page) ?? []
  if (code === undefined) throw new Error('the page shows no receiver')
  return code
}

interface Shipment {
  readonly amount: string
  readonly currency: string
  readonly live: 0 | 1
  readonly state: 'to ship' | 'canceled' | 'refunded'
}

/** What the receiver in README.md did for a payment, from the table that it writes. */
async function readShipments(folder: string) {
  const { DatabaseSync } = await loadDriver()
  const database = new DatabaseSync(join(folder, 'webhooks.sqlite'), { readOnly: true })
  const select = database.prepare('SELECT amount, currency, live, state FROM shipment WHERE payment_id = ?')
  const done = { 'to ship': ['fulfilled'], canceled: ['fulfilled', 'reversed'], refunded: [] } as const
  const effects = (paymentId: string): Effect[] => {
    const row = select.get(paymentId) as Shipment | undefined
    if (row === undefined) return []
    const { amount, currency, live, state } = row
    return done[state].map((effect) => ({ event: 'payment', effect, amount, currency, livemode: live === 1 }))
  }
  return { effects, close: () => database.close() }
}
