import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { hookproof, start, temporaryFolder } from '../support.ts'
import { interrupted, printed, startSandbox } from './support.ts'

/** The only line of a command that could not start. */
async function refused(words: readonly string[], cwd = temporaryFolder()): Promise<string> {
  const { code, stdout, stderr } = await hookproof(words, { cwd })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(readdirSync(cwd)).toEqual([])
  return stderr
}

describe('hookproof sandbox', { timeout: 60_000 }, () => {
  it('refuses an empty --file', async () => {
    expect(await refused(['sandbox', '--port', '0', '--file', ''])).toMatch(/--file must not be empty/)
  })

  it('--file :memory: is --memory', async () => {
    const cwd = temporaryFolder()
    const words = ['sandbox', '--port', '0', '--file', ':memory:']
    const running = start(words, { cwd })
    await printed(running, 'create payments with')
    expect(await interrupted(running)).toBe(0)
    expect(running.stdout()).toMatch(/\nStopped\.\n$/)
    expect(readdirSync(cwd)).toEqual([])
    expect(await refused([...words, '--reset'])).toMatch(/--memory stores nothing/)
    expect((await hookproof([...words, '--memory', '--port', '70000'], { cwd })).stderr).toMatch(/--port/)
  })

  it('--dashboard-password admits those who know it, and is not shown when it is refused', async () => {
    const short = await refused(['sandbox', '--memory', '--port', '0', '--dashboard-password', 'secret'])
    expect(short).toMatch(/--dashboard-password.*at least 8 characters/)
    expect(short).not.toContain('secret')

    const on = await startSandbox('--dashboard-password', 'correct horse')
    const status = async (authorization?: string): Promise<number | undefined> => {
      const headers = { Host: 'sandbox.example', ...(authorization && { Authorization: authorization }) }
      const request = get(`${on.url}/dashboard/tea-house`, { headers })
      const [response] = await once(request, 'response')
      response.resume()
      return response.statusCode
    }
    const basic = (password: string) => `Basic ${Buffer.from(`me:${password}`).toString('base64')}`
    expect(await status()).toBe(401)
    expect(await status(basic('correct horses'))).toBe(401)
    expect(await status(basic('correct horse'))).toBe(200)
    expect((await fetch(`${on.url}/dashboard/tea-house`)).status).toBe(200)
  })
})

describe('hookproof trigger', { timeout: 60_000 }, () => {
  it.each([
    [['--method', 'pix', '--method', 'card'], /--method.*already pix: give it once/],
    [['--payment', 'tx_1', '--payment', 'tx_2'], /--payment.*already tx_1: give it once/],
    [['--override', 'amount=1', '--override', 'amount=2'], /amount.*(once|twice|already)/],
    [['--chaos', 'duplicate=1', '--chaos', 'duplicate=2'], /duplicate.*(once|twice|already)/],
    [['--override', 'payment_method=pix', '--method', 'card'], /method/],
  ])('refuses options that contradict each other: %j', async (words, line) => {
    // Nothing listens there: the options are refused first.
    const sandbox = ['--sandbox', 'http://127.0.0.1:1']
    expect(await refused(['trigger', 'payment.completed', ...words, ...sandbox])).toMatch(line)
  })

  it('accepts an option that is repeated with the same value', async () => {
    const on = await startSandbox()
    const words = ['--method', 'pix', '--method', 'pix', '--json', '--sandbox', on.url]
    expect((await hookproof(['trigger', 'payment.completed', ...words])).code).toBe(1)
  })
})
