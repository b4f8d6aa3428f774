import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { missingProgram, requires } from '../../support/prerequisites.ts'
import { hookproof, recorder, temporaryFolder, until } from '../support.ts'
import { type RunningSandbox, startSandbox } from './support.ts'
import { inTerminal } from './terminal.ts'

const python = requires(missingProgram('python3'))

const KEYS = /Keys: r resend the last delivery, o open it in a browser, q quit\./
const ENDED_WELL = { code: 0, restored: true }

/** `hookproof listen` in a terminal, once it listens. */
async function listening(on: RunningSandbox, to: string, env: Record<string, string> = {}) {
  const terminal = inTerminal(['listen', '--sandbox', on.url, '--forward-to', to], { env })
  await terminal.shows(KEYS)
  return terminal
}

const failing = (on: RunningSandbox) => hookproof(['trigger', 'payment.failed', '--sandbox', on.url])

python.describe('hookproof listen in a terminal', () => {
  it('resends the last delivery on r, and quits on q', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const terminal = await listening(on, url)
    terminal.press('r')
    await terminal.shows(/Nothing to resend yet\./)
    await failing(on)
    await terminal.shows(/<-- payment\.failed/)
    terminal.press('r')
    await terminal.shows(/<-- payment\.failed[\s\S]*<-- payment\.failed/)
    expect(seen.map(({ body }) => body)).toEqual([seen[0]?.body, seen[0]?.body])
    terminal.press('q')
    expect(await terminal.ended).toEqual(ENDED_WELL)
    // Raw mode echoes no keys, and lines start in the first column.
    expect(terminal.screen()).not.toMatch(/^[rq]|[^\r]\n/m)
  })

  it('opens the page of the last event on o', async () => {
    const on = await startSandbox()
    const folder = temporaryFolder()
    const opened = join(folder, 'opened')
    const browser = join(folder, 'xdg-open')
    writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`)
    chmodSync(browser, 0o755)
    writeFileSync(opened, '')
    const path = [folder, process.env['PATH']].join(delimiter)
    const terminal = await listening(on, (await recorder()).url, { PATH: path })
    terminal.press('o')
    await until(() => readFileSync(opened, 'utf8') === `${on.url}\n`)
    await failing(on)
    await terminal.shows(/<-- payment\.failed/)
    terminal.press('O')
    await until(() => readFileSync(opened, 'utf8').split('\n').length === 3)
    const [, page = ''] = readFileSync(opened, 'utf8').split('\n')
    expect(page).toMatch(/\/dashboard\/tea-house\/events\/evt_\w+$/)
    expect((await fetch(page)).status).toBe(200)
    terminal.press('q')
    expect(await terminal.ended).toEqual(ENDED_WELL)
  })

  it('reports that there is no browser', async () => {
    const on = await startSandbox()
    const terminal = await listening(on, (await recorder()).url, { PATH: temporaryFolder() })
    terminal.press('o')
    await terminal.shows(/No browser was found\./)
    terminal.press('\u0004')
    expect(await terminal.ended).toEqual(ENDED_WELL)
  })

  it('quits on Ctrl-C and gives the terminal back', async () => {
    const terminal = await listening(await startSandbox(), (await recorder()).url)
    terminal.press('\u0003')
    expect(await terminal.ended).toEqual(ENDED_WELL)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('gives the terminal back after %s', async (signal) => {
    const terminal = await listening(await startSandbox(), (await recorder()).url)
    terminal.kill(signal)
    expect(await terminal.ended).toEqual(ENDED_WELL)
  })

  it('gives the terminal back after a crash', async () => {
    const hook = "process.on('SIGUSR2',()=>{throw new Error('crash')})"
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` }
    const terminal = await listening(await startSandbox(), (await recorder()).url, env)
    terminal.kill('SIGUSR2')
    expect(await terminal.ended).toEqual({ code: 1, restored: true })
    expect(terminal.screen()).toContain('Error: crash')
  })

  it('gives the terminal back when the sandbox refuses to go on', async () => {
    const on = await startSandbox()
    const terminal = inTerminal(['listen', '--sandbox', on.url, '--forward-to', 'http://localhost/#part'])
    expect(await terminal.ended).toEqual({ code: 2, restored: true })
    expect(terminal.screen()).toMatch(/^hookproof: [^\n]*http or https URL[^\n]*\[usage\]\r\n$/)
  })
})

python.describe('hookproof receive in a terminal', () => {
  it('prints its address and path in one line for people', async () => {
    const terminal = inTerminal(['receive', '--port', '0', '--inbox', 'memory'])
    await terminal.shows(/"listening"/)
    const lines = terminal.screen().trimEnd().split('\r\n')
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
      expect.stringMatching(
        /^Receiving webhooks at http:\/\/127\.0\.0\.1:\d+\/webhooks\. Press Ctrl-C to stop\./,
      ),
    ])
    terminal.press('\u0003')
    expect(await terminal.ended).toEqual(ENDED_WELL)
  })
})
