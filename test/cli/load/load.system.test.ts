import { describe, expect, it } from 'vitest'
import { createVerifier } from '../../../receiver/verify.ts'
import { onWindows } from '../../support/prerequisites.ts'
import { freePort, hookproof, launch, recorder, SECRET, until } from '../support.ts'

describe('hookproof load', () => {
  it('sends valid deliveries, prints the result and exits with 0', async () => {
    const { url, seen } = await recorder()
    const { code, stdout, stderr } = await hookproof(['load', `${url}/webhooks`, '--duration', '0.3'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^${seen.length} signed deliveries in [0-9.]+ s: \\d+ per second\n`))
    expect(stdout).toMatch(
      /\nlatency in ms: p50 [0-9.]+, p90 [0-9.]+, p99 [0-9.]+, p99.9 [0-9.]+, max [0-9.]+\nresponses: 200: \d+\n$/,
    )
    const verify = createVerifier({ secrets: SECRET })
    for (const { body, headers } of seen) verify(Buffer.from(body), String(headers['x-service-signature']))
  })

  it('prints the result as JSON, and exits with 1 when not every delivery was accepted', async () => {
    const { url } = await recorder((_seen, response) => response.writeHead(503).end())
    const target = `${url}/webhooks?token=abc`
    const words = ['load', target, '--duration', '0.3', '--connections', '2', '--duplicates', '50', '--json']
    const { code, stdout } = await hookproof(words)
    expect(code).toBe(1)
    const figures = JSON.parse(stdout)
    expect(figures).toMatchObject({ statuses: { 503: figures.answered }, errors: {} })
    expect(figures.repeated).toBeGreaterThan(0)
    expect(stdout).not.toContain('token')
  })

  it('exits with 1 when deliveries were due but not sent', async () => {
    const { url } = await recorder((_seen, response) => void setTimeout(() => response.end(), 60))
    const rate = ['--rate', '100', '--connections', '1', '--timeout', '0.1']
    const { code, stdout } = await hookproof(['load', url, '--duration', '0.1', ...rate])
    expect(code).toBe(1)
    expect(stdout).toMatch(/\nnot sent, because no connection was free: \d+\n/)
  })

  it.skipIf(onWindows)('ends early on Ctrl-C, with the result so far', async () => {
    const { url, seen } = await recorder()
    const { child, done } = launch(['load', url, '--duration', '600'])
    await until(() => seen.length > 0)
    child.kill('SIGINT')
    const { code, stdout } = await done
    expect(code).toBe(0)
    expect(stdout).toMatch(/signed deliveries in/)
  })

  it.each([
    [
      'nothing listens',
      async () => [`http://127.0.0.1:${await freePort()}/`],
      /could not reach .*ECONNREFUSED.*start the receiver.* \[unreachable\]/,
    ],
    ['the host is another machine', () => ['http://192.0.2.1/'], /another machine.*--allow-remote/],
    ['the host is unknown', () => ['http://nowhere.invalid/'], /cannot resolve nowhere\.invalid.*check/],
    ['no URL is given', () => [], /pass the URL of the receiver/],
    ['the address is invalid', () => ['nonsense'], /must be an http or https URL/],
    [
      'the percentage is invalid',
      () => ['http://127.0.0.1:9/', '--duplicates', '101'],
      /--duplicates 101.*0 to 100/,
    ],
  ])('exits with 2 and one line when %s', async (_name, words, line) => {
    const { code, stdout, stderr } = await hookproof(['load', ...(await words()), '--duration', '0.2'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it('exits with 2 without a signing secret', async () => {
    const words = ['load', 'http://127.0.0.1:9/', '--duration', '0.2']
    const { code, stderr } = await hookproof(words, { env: { HOOKPROOF_SECRET: undefined } })
    expect(code).toBe(2)
    expect(stderr).toMatch(/no signing secret/)
  })
})
