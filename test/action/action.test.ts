import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const text = readFileSync('action.yml', 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'hookproof-action-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The script of a step, as the runner would hand it to bash. */
function scriptOf(step: string): string {
  const [, after = ''] = text.split(`- name: ${step}\n`)
  const block = /^ {6}run: \|\n((?: {8}.*\n)+)/m.exec(after)?.[1]
  if (block !== undefined) return block.replaceAll(/^ {8}/gm, '')
  const line = /^ {6}run: '(.*)'$/m.exec(after)?.[1]
  if (line === undefined) throw new Error(`action.yml has no script for the step "${step}"`)
  return line
}

/** npx, for a package that is not published yet: it runs what was built. */
function withNpx(): string {
  const npx = join(folder, 'npx')
  writeFileSync(npx, `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${resolve('dist/cli/main.js')}" "$@"\n`)
  chmodSync(npx, 0o755)
  return `${folder}:${process.env['PATH']}`
}

test('the action starts the receiver, grades it, and leaves a summary and every report', () => {
  const reports = join(folder, 'reports')
  const summary = join(folder, 'summary.md')
  const port = 20_000 + (process.pid % 20_000)
  const env = {
    ...process.env,
    PATH: withNpx(),
    HOOKPROOF_SECRET: 'whsec_action',
    URL: `http://127.0.0.1:${port}/webhooks`,
    START: `"${process.execPath}" "${resolve('dist/cli/main.js')}" receive --port ${port} --inbox memory --observe`,
    OBSERVE: `http://127.0.0.1:${port}/observe`,
    BASELINE: '',
    VERSION: '0.1.0',
    REPORTS: reports,
    GITHUB_STEP_SUMMARY: summary,
  }
  // GitHub runs `bash` so.
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

test('no input stands in the text of a script, where it could be taken for more of it', () => {
  for (const step of ['Grade the receiver', 'Write the summary']) expect(scriptOf(step)).not.toContain('${{')
})
