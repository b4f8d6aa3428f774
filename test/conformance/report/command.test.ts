import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { renderBadge } from '../../../conformance/report/badge.ts'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJson } from '../../../conformance/report/json.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { validate } from '../../../schemas/validate.ts'
import { hookproof as run } from '../../cli/support.ts'
import { madeFailure, madeReport, madeVerdict } from './made.ts'

const good = madeReport([madeVerdict()])
const bad = madeReport([madeFailure('refusals/another-secret', 'security')])

async function hookproof(...words: string[]) {
  const { code, stdout, stderr } = await run(words)
  return { code, stdout, stderr }
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hookproof-report-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function saved(content: string): string {
  const file = join(folder(), 'report.json')
  writeFileSync(file, content)
  return file
}

describe('hookproof report', () => {
  it('gets valid reports in these tests', () => {
    expect(validate('report', JSON.parse(renderJson(good)))).toEqual([])
    expect(validate('report', JSON.parse(renderJson(bad)))).toEqual([])
  })

  it('converts a saved report to any format, by default for the terminal', async () => {
    const file = saved(renderJson(bad))
    const stdout = renderTerminal(bad, { short: true })
    expect(await hookproof('report', file)).toEqual({ code: 0, stdout, stderr: '' })
    expect((await hookproof('report', file, '--verbose')).stdout).toBe(renderTerminal(bad))
    for (const [format, render] of Object.entries({
      markdown: renderMarkdown,
      html: renderHtml,
      badge: renderBadge,
      json: renderJson,
    })) {
      const { code, stdout } = await hookproof('report', file, '--report', format)
      expect({ format, code, stdout }).toEqual({ format, code: 0, stdout: render(bad) })
    }
  })

  it('writes several files', async () => {
    const place = folder()
    const [page, summary] = [join(place, 'deep/report.html'), join(place, 'summary.md')]
    const reports = ['--report', `html=${page}`, '--report', `markdown=${summary}`]
    expect((await hookproof('report', saved(renderJson(good)), ...reports)).code).toBe(0)
    expect(readFileSync(page, 'utf8')).toBe(renderHtml(good))
    expect(readFileSync(summary, 'utf8')).toBe(renderMarkdown(good))
  })

  it.each([
    ['text', 'hello', 'it is not JSON'],
    ['another document', '{"tests":1}', '/hookproof: expected'],
    [
      'a report with a wrong field',
      renderJson({ ...good, seed: 1 as unknown as string }),
      '/seed: expected text',
    ],
  ])('rejects %s with one line', async (_, content, why) => {
    const { code, stdout, stderr } = await hookproof('report', saved(content))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^hookproof: [^\n]* is not a hookproof report: [^\n]*--report json=file[^\n]*\n$/)
    expect(stderr).toContain(why)
  })

  it('rejects a missing file and an unknown format', async () => {
    const missing = await hookproof('report', join(folder(), 'none.json'))
    expect(missing).toMatchObject({ code: 2, stdout: '' })
    expect(missing.stderr).toContain('no such file or directory')
    const format = await hookproof('report', saved(renderJson(good)), '--report', 'pdf')
    expect(format).toMatchObject({ code: 2, stdout: '' })
    expect(format.stderr).toContain('terminal, json, junit, markdown, html, badge')
  })
})

describe('hookproof report --diff', () => {
  it('exits with 1 for a new failure, otherwise with 0', async () => {
    const [before, after] = [saved(renderJson(good)), saved(renderJson(bad))]
    const worse = await hookproof('report', '--diff', before, after)
    expect(worse).toMatchObject({ code: 1, stderr: '' })
    expect(worse.stdout).toContain('New failures: 1\n  refusals/another-secret  passed -> failed\n')
    const better = await hookproof('report', '--diff', after, before)
    expect(better.code).toBe(0)
    expect(better.stdout).toContain('Fixed: 1\n')
    expect((await hookproof('report', '--diff', after, after)).code).toBe(0)
  })

  it.each([
    ['one file', 1, ['--diff'], '--diff old.json new.json'],
    ['three files', 3, ['--diff'], '--diff old.json new.json'],
    ['two files without it', 2, [], '--diff old.json new.json'],
    ['a format', 2, ['--diff', '--report', 'json'], 'leave one out'],
  ])('rejects %s', async (_, count, options, message) => {
    const file = saved(renderJson(good))
    const { code, stdout, stderr } = await hookproof('report', ...options, ...Array(count).fill(file))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})
