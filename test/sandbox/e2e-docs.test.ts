import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { runReceiver, runSandbox, said } from '../cli/sandbox/support.ts'
import { hookproof, launch } from '../cli/support.ts'
import { until } from '../support/until.ts'

const doc = readFileSync('docs/sandbox.md', 'utf8')

it('every trigger command of docs/sandbox.md works', { timeout: 90_000 }, async () => {
  const on = await runSandbox()
  const shop = await runReceiver(on.secret)
  const options = { env: { HOOKPROOF_SANDBOX: on.url } }
  const forward = ['--forward-to', `http://localhost:${shop.port}/webhooks`]
  const listen = launch(['listen', ...forward], options)
  await said(listen, 'Ctrl-C to stop')
  const lines = [...doc.matchAll(/^ {4}npx hookproof (trigger .*)$/gm)].map(([, words = '']) => words)
  expect(lines.length).toBeGreaterThan(4)
  const paid = await hookproof(['trigger', 'payment.completed', '--json'], options)
  const { payment_id: id } = JSON.parse(paid.stdout) as { payment_id: string }
  await Promise.all(
    lines.map(async (line) => {
      const words = line.replace('tx_...', id).split(' ')
      expect(await hookproof(words, options), line).toMatchObject({ code: 0, stderr: '' })
    }),
  )
  await until(() => (listen.stdout().match(/<-- .* 200 in/g)?.length ?? 0) >= lines.length + 2)
  expect(await shop.effects(id)).toEqual(['fulfilled 25.00 USD', 'reversed 25.00 USD'])
})

it('the example of a test runs unchanged', () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(doc) ?? []
  // Inside the repository, so that `hookproof/sandbox` is this package.
  mkdirSync('reports', { recursive: true })
  const file = resolve('reports/sandbox-example.mjs')
  const print =
    "console.log((await (await fetch(`${sandbox.apiUrl}/payments/${id}`, { headers: { 'X-API-Key': sandbox.testKey } })).json()).status)"
  writeFileSync(file, code.replace('await sandbox.close()', `${print}\nawait sandbox.close()`))
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  expect({ stdout, stderr, status }).toEqual({ stdout: 'completed\n', stderr: '', status: 0 })
})

it('the commands have all options that it names', async () => {
  const named = new Set(doc.match(/--[a-z][a-z-]+/g))
  const commands = [['sandbox'], ['listen'], ['trigger'], ['events', 'list'], ['receive']]
  const help = await Promise.all(commands.map((words) => hookproof([...words, '--help'])))
  const known = help.map(({ stdout }) => stdout).join('')
  for (const option of named) expect(known, option).toContain(option)
  expect(createRequire(import.meta.url)('../../package.json').scripts).toHaveProperty('proof:sandbox')
})
