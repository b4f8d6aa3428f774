import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MAIN, pathWithNpx, scriptOf } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookproof-action-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the action starts and grades the receiver, and writes a summary and every report', () => {
  const reports = join(folder, 'reports')
  const summary = join(folder, 'summary.md')
  const port = 20_000 + (process.pid % 20_000)
  const env = {
    ...process.env,
    PATH: pathWithNpx(folder),
    HOOKPROOF_SECRET: 'whsec_action',
    URL: `http://127.0.0.1:${port}/webhooks`,
    START: `"${process.execPath}" "${MAIN}" receive --port ${port} --inbox memory --observe`,
    CONFIG: '',
    OBSERVE: `http://127.0.0.1:${port}/observe`,
    BASELINE: '',
    VERSION: '0.1.0',
    REPORTS: reports,
    GITHUB_STEP_SUMMARY: summary,
  }
  // As GitHub runs bash.
  const bash = (script: string) =>
    spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
      env,
      encoding: 'utf8',
    })

  expect(bash(scriptOf('Grade the receiver'))).toMatchObject({ status: 0 })
  for (const name of ['hookproof.json', 'hookproof.xml', 'hookproof.html', 'hookproof.md']) {
    expect(existsSync(join(reports, name)), name).toBe(true)
  }
  expect(bash(scriptOf('Write the summary'))).toMatchObject({ status: 0 })
  expect(readFileSync(summary, 'utf8')).toContain('onformant')
})

test('no script of the action contains an input, which could inject commands', () => {
  for (const step of ['Grade the receiver', 'Write the summary']) expect(scriptOf(step)).not.toContain('${{')
})
