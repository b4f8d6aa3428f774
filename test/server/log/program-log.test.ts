import { execFileSync } from 'node:child_process'
import fs, { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { logTo } from '../../../server/log/program-log.ts'
import { onWindows } from '../../support/prerequisites.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

function open(path: string, flags: number): number {
  const fd = openSync(path, flags | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(fd))
  return fd
}

/** A log whose pipe is full, until it is read. */
function fullPipe() {
  const path = temporaryFile('log.fifo', onTestFinished)
  execFileSync('mkfifo', [path])
  const reader = open(path, constants.O_RDWR)
  const { log, drain, droppedLogLines } = logTo(open(path, constants.O_WRONLY), 'info')
  const buffer = Buffer.alloc(65_536, ' ')
  const untilBlocked = (work: () => unknown): void => {
    try {
      for (;;) work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
  untilBlocked(() => writeSync(reader, Buffer.alloc(4096, ' ')))
  let text = ''
  /** The messages of all lines so far. */
  const read = (): string[] => {
    untilBlocked(() => (text += buffer.toString('utf8', 0, readSync(reader, buffer))))
    return [...text.matchAll(/"msg":"([^"]*)"/g)].map(([, message = '']) => message)
  }
  return { log, drain, droppedLogLines, read, text: () => text }
}

describe.skipIf(onWindows)('the log of the program', () => {
  it('holds lines for a slow reader, in order', async () => {
    const { log, read, drain, droppedLogLines } = fullPipe()
    for (const line of ['one', 'two', 'three']) log.info(line)
    await drain(30)
    expect(read()).toEqual([])
    await drain(60_000)
    log.info('four')
    expect(read()).toEqual(['one', 'two', 'three', 'four'])
    expect(droppedLogLines()).toBe(0)
  })

  it('drops lines beyond its limit when the reader has stopped, and reports them when it is back', async () => {
    const { log, read, text, droppedLogLines } = fullPipe()
    for (let line = 0; line < 40; line += 1) log.info('x'.repeat(50_000))
    const dropped = droppedLogLines()
    expect(dropped).toBeGreaterThan(15)
    expect(dropped).toBeLessThan(25)
    await until(() => read().includes('log lines dropped'))
    expect(text()).toContain(`"lines":${dropped},"cause":"EAGAIN"`)
    expect(read()).toHaveLength(40 - dropped + 1)
    expect(droppedLogLines()).toBe(dropped)
  })

  it('does not wait at the end for a disk that is full', async () => {
    const path = temporaryFile('log', onTestFinished)
    const { log, drain, droppedLogLines } = logTo(open(path, constants.O_WRONLY | constants.O_CREAT), 'info')
    const full = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    })
    onTestFinished(() => full.mockRestore())
    log.info('one')
    await drain(60_000)
    for (let line = 0; line < 40; line += 1) log.info('x'.repeat(50_000))
    expect(droppedLogLines()).toBeGreaterThan(15)
    full.mockRestore()
    // Otherwise it would write to the next file with this number, and its timer would disturb other tests.
    await until(() => fs.readFileSync(path, 'utf8').includes('"cause":"ENOSPC","msg":"log lines dropped"'))
  })
})
