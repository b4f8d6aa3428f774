import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { correct, SECRETS, serving } from '../conformance/services/receiver.ts'
import { hookproof, readJson, temporaryFolder } from './support.ts'

test.each(['stripe', 'github'] as const)(
  'init writes a config that grades a receiver of %s',
  async (service) => {
    const cwd = temporaryFolder()
    const env = { HOOKPROOF_SECRET: SECRETS[service] }
    await serving(service, correct(service), async (url) => {
      const { code, stdout } = await hookproof(['init', '--service', service, '--url', url], { cwd })
      expect(code).toBe(0)
      expect(readJson(join(cwd, 'hookproof.config.json'))).toEqual({
        url,
        service,
        secretEnv: 'HOOKPROOF_SECRET',
        contract: '1.0',
      })
      expect(readFileSync(join(cwd, '.github/workflows/hookproof.yml'), 'utf8')).toContain(
        'config: hookproof.config.json',
      )
      // No crash is graded for it.
      expect(stdout).not.toContain('hookproof crash')
      const graded = await hookproof(['check', '--only', 'transport/valid'], { cwd, env })
      expect(graded.stdout).toMatch(/^Conformant: 1 of 1 selected case/)
      expect(graded.code).toBe(0)
      // The other commands take the service from it too.
      const { stdout: lines } = await hookproof(['sign'], { cwd, env, input: '{}' })
      expect((await hookproof(['verify', lines], { cwd, env, input: '{}' })).code).toBe(0)
    })
  },
)

test.each([[['--service', 'strip'], '--service is not known: strip; did you mean stripe?']])(
  'init %j is refused in one line, and nothing is written',
  async (args, message) => {
    const { code, stdout, stderr } = await hookproof(['init', ...args], { cwd: temporaryFolder() })
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/^hookproof: [^\n]* \[bad_option\]\n$/)
    expect([code, stdout]).toEqual([2, ''])
  },
)
