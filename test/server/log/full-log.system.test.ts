import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { events, SECRET, signed } from '../../receiver/support.ts'
import { freePort } from '../../support/free-port.ts'
import { exitOf, nowInSeconds, post } from '../../support/program.ts'
import { type Finished, temporaryFile } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const built = (file: string): string => fileURLToPath(new URL(`../../../dist/${file}`, import.meta.url))

const SERVER = [built('server/server.js')]

/** Starts a built program with this standard output and standard error, on free ports. */
async function launchWith(words: readonly string[], output: number, finished: Finished) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = {
    WEBHOOK_SECRET: SECRET,
    INBOX: 'memory',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', output, output] })
  finished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const health = () => fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
  const dropped = async (): Promise<number> => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(/^hookproof_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1])
  }
  await until(async () => (await health())?.status === 200)
  return { child, url, dropped }
}

const deliver = (url: string) => post(url, signed(events('full log').event('completed'), nowInSeconds()))

function open(path: string, flags: number, finished: Finished): number {
  const fd = openSync(path, flags)
  finished(() => closeSync(fd))
  return fd
}

/** A full pipe that this process can read and fill. */
function fullPipe(finished: Finished) {
  const path = temporaryFile('log.fifo', finished)
  execFileSync('mkfifo', [path])
  const reader = open(path, constants.O_RDWR | constants.O_NONBLOCK, finished)
  const writer = open(path, constants.O_WRONLY, finished)
  const buffer = Buffer.alloc(4096, ' ')
  /** Repeats a read or a write until the pipe is empty or full. */
  const untilBlocked = (work: () => void): void => {
    try {
      for (;;) work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
  const fill = (): void => untilBlocked(() => writeSync(reader, Buffer.alloc(4096, ' ')))
  const read = (): string => {
    let text = ''
    untilBlocked(() => {
      text += buffer.toString('utf8', 0, readSync(reader, buffer))
    })
    return text
  }
  fill()
  return { writer, fill, read }
}

// Each test spends most of its time waiting for its own process.
describe.concurrent('a receiver whose log cannot be written', () => {
  it.for<[string, string[]]>([
    ['the server', SERVER],
    ['hookproof receive', [built('cli/main.js'), 'receive']],
  ])('goes on without it on a full disk, and stops: %s', async ([, words], context) => {
    const { expect, onTestFinished: finished } = context
    const full = open('/dev/full', constants.O_WRONLY, finished)
    const { child, url, dropped } = await launchWith(words, full, finished)
    expect(await deliver(url)).toMatchObject({ status: 200 })
    // The few lines of this test are held.
    expect(await dropped()).toBe(0)
    child.kill('SIGTERM')
    expect(await exitOf(child)).toBe(0)
  })

  it('goes on while nobody reads it, writes it later, and stops', async ({ expect, onTestFinished }) => {
    const pipe = fullPipe(onTestFinished)
    const { child, url, dropped } = await launchWith(SERVER, pipe.writer, onTestFinished)
    expect(await deliver(url)).toMatchObject({ status: 200 })
    let log = ''
    await until(() => {
      log += pipe.read()
      return log.includes('"delivery"')
    })
    const messages = log.match(/^\s*\{.*\}$/gm)?.map((line) => JSON.parse(line).msg)
    expect(messages).toEqual(['metrics', 'listening', 'delivery'])
    expect(await dropped()).toBe(0)
    pipe.fill()
    child.kill('SIGTERM')
    expect(await exitOf(child)).toBe(0)
  })

  it('exits with 2 if it cannot start', async ({ expect, onTestFinished }) => {
    const full = open('/dev/full', constants.O_WRONLY, onTestFinished)
    const child = spawn(process.execPath, SERVER, { env: {}, stdio: ['ignore', full, full] })
    expect(await exitOf(child)).toBe(2)
  })
})
