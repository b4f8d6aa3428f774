import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { expect, it } from 'vitest'
import { crash } from '../../../conformance/crash/crash.ts'
import { freePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { HOSTILE } from '../engine/wire/hostile.ts'
import { SECRET } from '../support.ts'

/** So many receivers are tested at the same time. */
const AT_ONCE = 22
const MOST_MS = 90_000
const MOST_REPORT_BYTES = 4 * 1024 * 1024
const MOST_MEMORY_BYTES = 300 * 1024 * 1024

it('a crash run of a hostile receiver ends with a report, whatever it answers', async () => {
  const folder = temporaryFolder()
  // Once, since each of the receivers is started several times.
  const program = join(folder, 'hostile-program.mjs')
  const source = fileURLToPath(new URL('hostile-program.ts', import.meta.url))
  buildSync({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: program })
  const before = process.memoryUsage().rss
  const names = Object.keys(HOSTILE)
  const crashed = async (name: string): Promise<void> => {
    const url = `http://127.0.0.1:${await freePort()}`
    const store = join(folder, `${names.indexOf(name)}`)
    writeFileSync(store, '')
    const started = performance.now()
    const report = await crash({
      url: `${url}/webhooks`,
      observe: `${url}/effects`,
      secret: SECRET,
      start: `exec ${process.execPath} ${program}`,
      env: { ...process.env, HOSTILE: name, STORE: store },
      rounds: 1,
      timeoutMs: 500,
      recoverWithinMs: 500,
    })
    const ms = performance.now() - started - (report.stalledMs ?? 0)
    expect([name, report.conclusion]).toEqual([name, 'not-conformant'])
    expect([name, ms < MOST_MS]).toEqual([name, true])
    expect([name, JSON.stringify(report).length < MOST_REPORT_BYTES]).toEqual([name, true])
  }
  for (let at = 0; at < names.length; at += AT_ONCE) {
    await Promise.all(names.slice(at, at + AT_ONCE).map(crashed))
  }
  expect(names.length).toBeGreaterThanOrEqual(60)
  expect(process.memoryUsage().rss - before).toBeLessThan(MOST_MEMORY_BYTES)
}, 600_000)
