import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFile } from '../support/temporary.ts'

describe('the process', () => {
  /** Runs a program with the built package. @returns what it printed */
  async function run(source: string): Promise<string> {
    const program = `
      import { memoryInbox, startProcessing } from '@hookproof/receiver'
      const inbox = memoryInbox()
      const start = (options) => startProcessing({ inbox, handle() {}, pollMs: 5, ...options })
      ${source}`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { timeout: 30_000 },
    )
    return stdout
  }

  const stopAfter = (ms: number) =>
    `setTimeout(() => processing.stop().then(() => console.log('stopped')), ${ms}).unref()`

  it('ends if nothing else keeps it running', async () => {
    expect(await run(`const processing = start(); ${stopAfter(60_000)}`)).toBe('')
  })

  it('runs until the processing stops, with keepAlive', async () => {
    expect(await run(`const processing = start({ keepAlive: true }); ${stopAfter(20)}`)).toBe('stopped\n')
  })

  it('runs until stop resolves, even if the store never answers', async () => {
    const output = await run(`
      const never = { ...inbox, claim: () => new Promise(() => {}) }
      await start({ inbox: never, stopTimeoutMs: 20 }).stop()
      console.log('stopped')`)
    expect(output).toBe('stopped\n')
  })

  it('ends beside the threads of a SQLite inbox', async () => {
    const path = temporaryFile('inbox.sqlite')
    const module = fileURLToPath(new URL('../../receiver/dist/inbox/sqlite.js', import.meta.url))
    const code = `
      const { sqliteInbox } = await import(${JSON.stringify(module)})
      const inbox = await sqliteInbox({ path: ${JSON.stringify(path)} })
      await inbox.check()
      console.log('checked')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const output = once(child.stdout, 'data')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(String(await output)).toBe('checked\n')
  })
})
