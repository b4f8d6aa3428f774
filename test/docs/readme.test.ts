import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../cli/exit.ts'
import { check } from '../../conformance/index.ts'

const readme = readFileSync('README.md', 'utf8')

describe('README.md', () => {
  test('the receiver that it shows is conformant, as it stands there', async () => {
    const [, code] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
    if (code === undefined) throw new Error('README.md shows no receiver')
    // Inside the repository, so that `hookproof/receiver` is this package; its store goes to a folder of its own.
    mkdirSync('reports', { recursive: true })
    const file = resolve('reports/readme-receiver.mjs')
    writeFileSync(file, code)
    const cwd = mkdtempSync(join(tmpdir(), 'hookproof-readme-'))
    const port = await freePort()
    const env = { ...process.env, WEBHOOK_SECRET: 'whsec_readme', PORT: String(port) }
    const child = spawn(process.execPath, [file], { cwd, env, stdio: 'ignore' })
    try {
      const url = `http://127.0.0.1:${port}/webhooks`
      await listening(url, child)
      const report = await check({ url, secret: 'whsec_readme' })
      expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
      expect(report.conclusion).toBe('conformant')
    } finally {
      const exited = child.exitCode === null ? once(child, 'exit') : undefined
      child.kill('SIGKILL')
      await exited
      rmSync(cwd, { recursive: true })
    }
  })

  test('every file that it links to is there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) expect(existsSync(link), link).toBe(true)
  })

  test('every npm script that it names is there', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named).toContain('conformance')
    for (const name of named) expect(scripts, name).toHaveProperty(name)
  })

  test('its exit codes are those of the command', () => {
    const rows = [...readme.matchAll(/^\| (\d) \| /gm)].map(([, code]) => Number(code))
    expect(rows).toEqual(Object.values(EXIT).toSorted((a, b) => a - b))
  })

  test('its example of an observation is valid', async () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? []
    const { validate } = await import('../../schemas/validate.ts')
    expect(validate('observation', JSON.parse(example))).toEqual([])
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function listening(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const there = await fetch(url).then(
      () => true,
      () => false,
    )
    if (there) return
    if (child.exitCode !== null) throw new Error(`it ended with status ${child.exitCode}`)
    await pause(100)
  }
  throw new Error(`nothing listens at ${url}`)
}
