import { describe, expect, it } from 'vitest'
import { hookproof, SECRET } from '../support.ts'

describe('hookproof load --export', () => {
  it('prints a k6 script for the options of the load, without the secret', async () => {
    const words = ['load', 'http://10.0.0.1/hooks', '--export', 'k6', '--rate', '20', '--duration', '5']
    const { code, stdout, stderr } = await hookproof([...words, '--signature-header', 'X-Own'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('__ENV.TARGET || "http://10.0.0.1/hooks"')
    expect(stdout).toContain('__ENV.RATE || 20')
    expect(stdout).toContain('__ENV.DURATION || "5s"')
    expect(stdout).toContain('"X-Own": "t={time},v1={signature}"')
    expect(stdout).toContain('__ENV.HOOKPROOF_SECRET')
    expect(stdout).not.toContain(SECRET)
  })

  it('needs neither a URL nor a secret', async () => {
    const { code, stdout } = await hookproof(['load', '--export', 'k6'], {
      env: { HOOKPROOF_SECRET: undefined },
    })
    expect(code).toBe(0)
    expect(stdout).toContain('"http://127.0.0.1:3000/webhooks"')
  })

  it('prints a script of another service, by a sample event', async () => {
    const words = ['load', '--export', 'k6', '--service', 'slack', '--event', 'app_mention']
    const { code, stdout } = await hookproof(words, { env: { HOOKPROOF_SECRET: undefined } })
    expect(code).toBe(0)
    expect(stdout).toContain('"X-Slack-Signature": "v0={signature}"')
    expect(stdout).toContain('app_mention')
    expect((await hookproof([...words.slice(0, -1), 'none'])).stderr).toContain('has no sample none')
  })

  it('prints a TestRun of k6-operator', async () => {
    const { code, stdout } = await hookproof(['load', 'http://receiver:3000/', '--export', 'k6-operator'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^kind: TestRun$/m)
    expect(stdout).not.toContain(SECRET)
  })

  it.each([
    ['the tool is unknown', ['--export', 'other'], /--export <tool>.*Allowed choices are k6, k6-operator/],
    ['the secret would have to be in the script', ['--export', 'k6', '--secret', 'x'], /'--secret <secret>'/],
    ['a header could hold a secret', ['--export', 'k6', '--header', 'A: b'], /'--header <line>'/],
    ['the result cannot be JSON', ['--export', 'k6', '--json'], /'--json'/],
    ['a cluster has another localhost', ['--export', 'k6-operator'], /needs the URL of the receiver/],
    ['the URL is invalid', ['nonsense', '--export', 'k6'], /must be an http or https URL/],
  ])('exits with 2 and one line when %s', async (_name, words, line) => {
    const { code, stdout, stderr } = await hookproof(['load', ...words])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
