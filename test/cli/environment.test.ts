import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { hookproof, launch, SECRET, temporaryFolder, until } from './support.ts'

/** Every variable that a receiver reads, each set to what none of them takes. */
function nonsense(): Record<string, string> {
  const read: Record<string, string> = {}
  const env = new Proxy<Record<string, string>>(
    { WEBHOOK_SECRET: 'whsec_x' },
    {
      get(target, name) {
        read[String(name)] = '-nonsense-'
        return target[String(name)]
      },
    },
  )
  readConfig(env)
  return read
}

test('what is set for a receiver outside does not reach the bundled one', async () => {
  const env = nonsense()
  expect(Object.keys(env)).toEqual(expect.arrayContaining(['WEBHOOK_SECRET_FILE', 'METRICS_PORT', 'HOST']))
  const { code, stderr } = await hookproof(['check', '--only', 'transport/posted-as-json'], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^(?!.*did not start)/s) })
})

test.each([
  ['no other secret', { HOOKPROOF_SECRET: undefined }, 'whsec_of_the_file'],
  ['one for the suite beside it', { HOOKPROOF_SECRET: SECRET }, 'whsec_of_the_file'],
])('receive takes WEBHOOK_SECRET_FILE with %s', async (_name, given, secret) => {
  const file = join(temporaryFolder(), 'secrets')
  writeFileSync(file, `${secret}\n`)
  const env = { ...given, WEBHOOK_SECRET_FILE: file, PORT: '0', INBOX: 'memory' }
  const { child, stdout, done } = launch(['receive'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(() => stdout().includes('"listening"') || child.exitCode !== null)
  const url = /"url":"([^"]+)"/.exec(stdout())?.[1] ?? ''
  const sent = await hookproof(['send', 'payment.completed', `${url}/webhooks`, '--secret', secret])
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  child.kill('SIGTERM')
  expect(await done).toMatchObject({ code: 0, stderr: '' })
})

test('receive takes a secret of the command line in place of the file', async () => {
  const env = { WEBHOOK_SECRET_FILE: '/nowhere/secrets', PORT: '0', INBOX: 'memory' }
  const { child, stdout, done } = launch(['receive', '--secret', 'whsec_given'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(() => stdout().includes('"listening"') || child.exitCode !== null)
  child.kill('SIGTERM')
  expect(await done).toMatchObject({ code: 0, stderr: '' })
})
