import { expect, test } from 'vitest'
import { hookproof, recorder, start, until } from './support.ts'

const QUOTED =
  /^hookproof: the signing secret in --secret is within quotation marks, and is used with them: /m
const commands = (url: string): readonly (readonly string[])[] => [
  ['check', url, '--no-config', '--only', 'transport/posted-as-json'],
  ['send', 'payment.completed', url],
  ['sign', '-'],
  ['load', url, '--duration', '0.1'],
]

test.each([`"whsec_of_an_env_file"`, `'whsec_of_an_env_file'`])(
  'a command that takes the secret %s warns once that the marks belong to it',
  async (secret) => {
    const { url } = await recorder()
    for (const args of commands(url)) {
      const { stderr } = await hookproof([...args, '--secret', secret], { input: '{}' })
      expect([args[0], stderr.match(QUOTED)?.length]).toEqual([args[0], 1])
      expect(stderr).not.toContain('whsec_')
    }
  },
)

test('a secret with a mark at one end only gets no warning', async () => {
  const { url } = await recorder()
  const { stderr } = await hookproof(['send', 'payment.completed', url, '--secret', 'whsec_of_an_env_file"'])
  expect(stderr).toBe('')
})

test('receive warns of the marks around WEBHOOK_SECRET', async () => {
  const env = {
    HOOKPROOF_SECRET: undefined,
    WEBHOOK_SECRET: '"whsec_of_an_env_file"',
    PORT: '0',
    INBOX: 'memory',
  }
  const run = start(['receive'], { env })
  await until(() => run.stdout().includes('listening') || run.hasEnded())
  run.kill('SIGTERM')
  await run.done
  expect(run.stderr()).toMatch(/^hookproof: the signing secret in WEBHOOK_SECRET is within quotation marks/)
})

test.each([
  ['--secret', ['receive', '--secret', 'whsec_x'], {}],
  ['WEBHOOK_SECRET', ['receive'], { WEBHOOK_SECRET: 'whsec_x' }],
])('receive warns of a short secret in %s, as check does', async (_, args, variables) => {
  const env = { HOOKPROOF_SECRET: undefined, PORT: '0', INBOX: 'memory', ...variables }
  const run = start(args, { env })
  await until(() => run.stdout().includes('listening') || run.hasEnded())
  run.kill('SIGTERM')
  await run.done
  expect(run.stderr()).toBe(
    'hookproof: the signing secret has fewer than 16 characters: use a longer random one, which nobody can guess\n',
  )
})
