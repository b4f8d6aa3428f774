import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { listening } from './sandbox/support.ts'
import { hookproof, runBuilt, SECRET, start, temporaryFolder } from './support.ts'

/** Every variable that a receiver reads, each with an invalid value. */
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

test('variables for another receiver do not reach the bundled one', async () => {
  const env = nonsense()
  expect(Object.keys(env)).toEqual(expect.arrayContaining(['WEBHOOK_SECRET_FILE', 'METRICS_PORT', 'HOST']))
  const { code, stderr } = await runBuilt(['check', '--bundled', '--only', 'transport/posted-as-json'], {
    env,
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^(?!.*did not start)/s) })
})

test.each([
  ['no other secret', { HOOKPROOF_SECRET: undefined }, 'whsec_of_the_file'],
  ['HOOKPROOF_SECRET set too', { HOOKPROOF_SECRET: SECRET }, 'whsec_of_the_file'],
])('receive takes WEBHOOK_SECRET_FILE with %s', async (_name, variables, secret) => {
  const file = join(temporaryFolder(), 'secrets')
  writeFileSync(file, `${secret}\n`)
  const env = { ...variables, WEBHOOK_SECRET_FILE: file, PORT: '0', INBOX: 'memory' }
  const { kill, done, url } = await listening(start(['receive'], { env }))
  const sent = await hookproof(['send', 'payment.completed', `${url}/webhooks`, '--secret', secret])
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  kill('SIGTERM')
  expect(await done).toMatchObject({ code: 0, stderr: '' })
})

test('receive takes --secret instead of the file', async () => {
  const env = { WEBHOOK_SECRET_FILE: '/nowhere/secrets', PORT: '0', INBOX: 'memory' }
  const { kill, done } = await listening(start(['receive', '--secret', 'whsec_of_the_option'], { env }))
  kill('SIGTERM')
  expect(await done).toMatchObject({ code: 0, stderr: '' })
})

test('receive takes the secret from an env file', async () => {
  const file = join(temporaryFolder(), '.env')
  writeFileSync(file, 'WEBHOOK_SECRET=whsec_of_the_env_file\n')
  const env = { HOOKPROOF_SECRET: undefined, PORT: '0', INBOX: 'memory' }
  const { kill, done, url } = await listening(start(['receive', '--env-file', file], { env }))
  const sent = await hookproof(['send', 'payment.completed', `${url}/webhooks`, '--env-file', file], { env })
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  kill('SIGTERM')
  expect(await done).toMatchObject({ code: 0, stderr: '' })
})

test('commands read WEBHOOK_SECRET where HOOKPROOF_SECRET is not set', async () => {
  const sign = async (env: Record<string, string | undefined>) =>
    (await hookproof(['sign', '--at', '1750000000'], { input: '{}', env })).stdout
  const signed = await sign({ HOOKPROOF_SECRET: 'whsec_a', WEBHOOK_SECRET: 'whsec_b' })
  expect(signed).toBe(await sign({ HOOKPROOF_SECRET: 'whsec_a' }))
  expect(signed).toBe(await sign({ HOOKPROOF_SECRET: undefined, WEBHOOK_SECRET: 'whsec_a' }))
})
