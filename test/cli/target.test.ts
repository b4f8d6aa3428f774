import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CheckCommandOptions, mergeConfig, requireTarget } from '../../cli/commands/check/options.ts'
import { httpUrl, withScheme } from '../../conformance/http-url.ts'
import { hookproof, temporaryFolder, testIo } from './support.ts'

const without = { HOOKPROOF_SECRET: undefined, WEBHOOK_SECRET: undefined }
const targetOf = (options: CheckCommandOptions, env: Record<string, string | undefined> = {}) =>
  requireTarget(undefined, options, testIo({ env: { ...without, ...env } }).io)

describe('without a URL', () => {
  test.each<[string, CheckCommandOptions, Record<string, string>]>([
    ['HOOKPROOF_SECRET is set', {}, { HOOKPROOF_SECRET: 'whsec_x' }],
    ['WEBHOOK_SECRET is set', {}, { WEBHOOK_SECRET: 'whsec_x' }],
    ['THEIR_SECRET is set', { secretEnv: 'THEIR_SECRET' }, { THEIR_SECRET: 'whsec_x' }],
    ['a signing secret is given', { secretFile: 'secret' }, {}],
    ['a signing secret is given', { secret: 'whsec_x' }, {}],
    ['a way to observe effects is given', { observe: 'http://127.0.0.1/' }, {}],
    ['this runs in CI', {}, { CI: 'true' }],
    ['this runs in CI', {}, { CI: '1' }],
  ])('the bundled receiver is not graded when %s', (reason, options, env) => {
    expect(() => targetOf(options, env)).toThrow(`no URL to grade, although ${reason}: pass the URL`)
    expect(() => targetOf({ bundled: true, ...options }, env)).not.toThrow()
  })

  test.each(['', 'false', '0'])('the bundled receiver is graded when CI is %j', (CI) => {
    expect(() => targetOf({}, { CI })).not.toThrow()
  })

  test('the command exits 2 before it starts anything, with its own code', async () => {
    const cwd = temporaryFolder()
    expect(await hookproof(['check'], { cwd, env: { ...without, CI: 'true' } })).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr:
        'hookproof: no URL to grade, although this runs in CI: pass the URL of your receiver, or --bundled to grade the bundled reference receiver [no_url]\n',
    })
  })

  test('--bundled reads no config file', async () => {
    const { io } = testIo({ cwd: temporaryFolder() })
    expect(await mergeConfig(undefined, { bundled: true }, io)).toMatchObject({ url: undefined })
  })
})

describe('a URL', () => {
  test.each([
    ['localhost:3000/webhooks', 'http://localhost:3000/webhooks'],
    ['localhost/webhooks', 'http://localhost/webhooks'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['[::1]:3000/hooks?a=b', 'http://[::1]:3000/hooks?a=b'],
    ['shop.example:8080/hooks', 'http://shop.example:8080/hooks'],
    ['HTTPS://shop.example/hooks', 'https://shop.example/hooks'],
  ])('%s is %s', (text, expected) => {
    expect(httpUrl(text).href).toBe(expected)
  })

  test.each(['localhost', 'nowhere', 'ftp://host/x', 'mailto:a@b', 'shop.example/hooks', 'host:port/x'])(
    '%s has no host and port, so it stays as it is',
    (text) => {
      expect(withScheme(text)).toBe(text)
      expect(() => httpUrl(text)).toThrow('must be an http or https URL')
    },
  )
})

test('the durable profile merges the configuration once: a notice about it is printed once', async () => {
  const cwd = temporaryFolder()
  const config = { url: 'http://127.0.0.1:3000/webhooks', start: 'npm start' }
  writeFileSync(join(cwd, 'hookproof.config.json'), JSON.stringify(config))
  const other = ['http://127.0.0.1:3001/webhooks', '--profile', 'durable']
  const { code, stderr } = await hookproof(['check', ...other], { cwd })
  expect(code).toBe(2)
  expect(stderr.split('ignoring start from hookproof.config.json')).toHaveLength(2)
  expect(stderr).toContain('pass --start "<command>"')
})
