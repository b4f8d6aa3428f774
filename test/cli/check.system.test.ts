import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createProgress } from '../../cli/commands/check/progress.ts'
import { startCommand } from '../../cli/commands/check/start-command.ts'
import { CATALOGUE, renderBadge, renderHtml, renderMarkdown } from '../../conformance/index.ts'
import { shellQuoted } from '../../fixtures/shell.ts'
import { createVerifier, WebhookError } from '../../receiver/verify.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import { validate } from '../../schemas/validate.ts'
import { missingProgram, onWindows, requires } from '../support/prerequisites.ts'
import {
  built,
  environment,
  freePort,
  hookproof,
  launch,
  listensOn,
  readJson,
  recorder,
  referenceReceiver,
  runBuilt,
  SECRET,
  temporaryFolder,
  testIo,
  until,
} from './support.ts'

/** Several cases that run fast. */
const SOME = ['--only', 'signature-header']

/** Node.js and the built command, for a shell. */
const COMMAND = shellQuoted([process.execPath, built()])

describe('output', () => {
  test('without a terminal, prints the report to standard output, and the start and the end of the run to standard error', async () => {
    const { url } = await recorder()
    const { stdout, stderr } = await hookproof(['check', url, '--only', 'transport', '--seed', 'x'])
    const [first, last, ...more] = stderr.trimEnd().split('\n')
    const count = CATALOGUE.filter(({ section }) => section === 'transport').length
    expect(first).toBe(`hookproof: running ${count} cases`)
    expect(last).toMatch(/^hookproof: finished: \d+ passed, [1-9]\d* failed/)
    expect(more).toEqual([])
    expect(stdout).toContain('transport/valid-after-refused-on-one-connection')
    const [opening, ...report] = stdout.split('\n\n')
    expect(opening).toMatch(
      /^Not conformant\. 1 failure: forged deliveries are acknowledged: .+\.\nhookproof \d+\.\d+\.\d+ .* seed x$/,
    )
    expect(report.join('\n\n')).toMatch(/^ {2}Fix +[^\n]+\n/m)
    expect(stdout + stderr).not.toContain('\u001B')
  })

  test('the first line of a run shows the number of cases and which run it is', async () => {
    const { io, stderr } = testIo()
    const progress = await createProgress(io.stderr)
    const pace = () => ({ sent: 0, deliveries: 1, answerMs: undefined, isParallel: false, concurrency: 8 })
    progress.start(1, pace)
    progress.start(2, pace, 'run 2 of 3')
    progress.stop()
    expect(stderr()).toBe('hookproof: running 1 case\nhookproof: running 2 cases (run 2 of 3)\n')
  })

  test('a line shows how many cases wait for effects, every ten seconds at most', async () => {
    const { io, stderr } = testIo()
    const progress = await createProgress(io.stderr)
    for (const cases of [37, 36, 0]) progress.waiting(cases)
    expect(stderr()).toBe('hookproof: waiting for effects: 37 cases\n')
  })

  test('connects to the receiver itself, whatever the environment says of a proxy', async () => {
    const { webhooks, observe } = await referenceReceiver()
    const proxy = `http://127.0.0.1:${await freePort()}`
    const proxies = { HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, NODE_USE_ENV_PROXY: '1' }
    const args = ['check', webhooks, '--observe', observe, '--only', 'duplicates/delivered-twice-in-turn']
    const { code, stderr } = await runBuilt(args, { env: proxies })
    expect(stderr).toMatch(/finished: 1 passed$/m)
    expect(code).toBe(0)
  })

  test('prints nothing but the JSON report to standard output', async () => {
    const { webhooks } = await referenceReceiver()
    const { code, stdout } = await hookproof(['check', webhooks, ...SOME, '--report', 'json'])
    const report: unknown = JSON.parse(stdout)
    expect(validate('report', report)).toEqual([])
    expect(code).toBe(0)
  })

  test('writes reports to files in new folders, without the secret', async () => {
    const folder = temporaryFolder()
    const [json, junit] = [join(folder, 'deep/down/report.json'), join(folder, 'other/report.xml')]
    const { url } = await recorder()
    const reports = ['--report', `json=${json}`, '--report', `junit=${junit}`]
    const { code, stdout } = await hookproof(['check', url, ...SOME, ...reports])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })

    const report = readJson(json) as ConformanceReport
    expect(validate('report', report)).toEqual([])
    expect(report).toMatchObject({ conclusion: 'not-conformant', target: { url: `${url}/`, started: false } })
    const xml = readFileSync(junit, 'utf8')
    expect(xml).toMatch(/^<\?xml /)
    expect(xml.match(/<testcase /g)).toHaveLength(report.verdicts.length)
    expect(xml.match(/<failure /g)).toHaveLength(report.counts.failed)
    expect(readFileSync(json, 'utf8') + xml).not.toContain(SECRET)
  })

  const terminal = 'script'
  requires(missingProgram(terminal)).test(
    'shows a bar on a terminal, and removes it after the run',
    async () => {
      const { webhooks } = await referenceReceiver()
      const command = `${COMMAND} check ${webhooks} ${SOME.join(' ')}`
      const child = spawn(terminal, ['-qec', command, '/dev/null'], {
        env: environment({ TERM: 'xterm' }),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const shown = await text(child.stdout)
      expect(shown).toMatch(/={30} (\d+)\/\1 cases {2}0 failed/)
      expect(shown).not.toContain('hookproof: running')
      expect(shown).toContain('\u001B[32m')
      // The cursor is visible again.
      expect(shown.lastIndexOf('\u001B[?25h')).toBeGreaterThan(shown.lastIndexOf('\u001B[?25l'))
    },
  )

  // Incomplete, so that output is written after the reader has left, and exit code 3 cannot be that of a crash.
  test.skipIf(onWindows).each([
    ['standard output', '--report json 2>/dev/null | head -c 9'],
    ['both', '2>&1 | head -c 9'],
  ])('does not fail when the reader leaves early: %s', async (_, rest) => {
    const { webhooks } = await referenceReceiver()
    // The effects of another receiver, which has none.
    const { observe } = await referenceReceiver()
    const options = `--observe ${observe} --wait 0.1 --only effects/partial-is-not-credited`
    const script = `${COMMAND} check ${webhooks} ${options} ${rest}; echo " \${PIPESTATUS[0]}" >&2`
    const child = spawn('bash', ['-c', script], { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(stdout).toHaveLength(9)
    expect(stderr).toBe(' 3\n')
  })
})

describe('deliveries', () => {
  /** The payment ids that a run sends, sorted, because cases run in parallel. */
  async function paymentIds(seed: string, only: string): Promise<string[]> {
    const { url, seen } = await recorder()
    await hookproof(['check', url, '--only', only, '--seed', seed])
    const ids = seen.map(({ body }) => (JSON.parse(body) as { id: string }).id)
    expect(ids.length).toBeGreaterThan(30)
    return ids.toSorted()
  }

  test.each([
    ['one case', 'acknowledgement/burst-of-50'],
    ['several cases', 'events'],
  ])('the same seed gives %s other payments in each run, which no receiver has seen', async (_, only) => {
    const [first, again] = await Promise.all(['one', 'one'].map((seed) => paymentIds(seed, only)))
    expect(again?.filter((id) => first?.includes(id))).toEqual([])
  })

  test('a seed with a nonce repeats the very payments', async () => {
    const [first, again] = await Promise.all(
      ['one@1a2b', 'one@1a2b'].map((seed) => paymentIds(seed, 'acknowledgement/burst-of-50')),
    )
    expect(again).toEqual(first)
  })

  test('sends only test events in test mode, and live events in live mode', async () => {
    const modes = async (...args: string[]) => {
      const { url, seen } = await recorder()
      await hookproof(['check', url, '--only', 'events', ...args])
      return new Set(seen.map(({ body }) => (JSON.parse(body) as { livemode?: boolean }).livemode))
    }
    expect(await modes()).toEqual(new Set([false]))
    expect(await modes('--mode', 'live')).toContain(true)
  })

  test('the bundled receiver is conformant in live mode', async () => {
    const { code, stdout } = await runBuilt(['check', '--bundled', '--mode', 'live', '--only', 'effects'])
    expect(stdout).toMatch(/live mode/)
    expect(code).toBe(0)
  })

  test('--only and --skip select cases by section or by pattern', async () => {
    const { webhooks } = await referenceReceiver()
    const patterns = ['--only', 'time-window', '--only', 'events/*refund*', '--skip', '*/just-*']
    const { stdout } = await hookproof(['check', webhooks, ...patterns, '--report', 'json'])
    const { verdicts, selection } = JSON.parse(stdout) as ConformanceReport
    const ids = verdicts.map(({ case: id }) => id)
    expect(ids).toContain('time-window/a-year-ago')
    expect(ids).toContain('events/voluntary-refund')
    expect(ids).not.toContain('time-window/just-inside-the-past')
    expect(ids.every((id) => /^time-window\/|^events\/.*refund/.test(id))).toBe(true)
    expect(selection).toEqual({ only: ['time-window', 'events/*refund*'], skip: ['*/just-*'] })
  })
})

describe('requests', () => {
  test('--signature-header names the header of the signature', async () => {
    const verify = createVerifier({ secrets: SECRET })
    const { url } = await recorder(({ headers, body }, response) => {
      try {
        verify(Buffer.from(body), headers['x-acme-signature'])
      } catch (error) {
        response.statusCode = error instanceof WebhookError ? error.status : 500
      }
      response.end()
    })
    const args = ['check', url, ...SOME, '--only', 'refusals']
    const named = await hookproof([...args, '--signature-header', 'X-Acme-Signature'])
    expect(named.code).toBe(0)
    expect((await hookproof(args)).code).toBe(1)
  })

  test('--header values reach the receiver, and the report shows only their names', async () => {
    const { url, seen } = await recorder()
    const lines = ['--header', 'X-Staging: let-me-in', '--header', 'Authorization: Basic bWU6aHVudGVyMg==']
    const args = ['check', url, '--only', 'refusals/empty-key', ...lines, '--report', 'json']
    const { stdout } = await hookproof(args)
    expect(seen.length).toBeGreaterThan(1)
    for (const { headers } of seen) {
      expect(headers).toMatchObject({
        'x-staging': 'let-me-in',
        authorization: 'Basic bWU6aHVudGVyMg==',
      })
    }
    expect(stdout).toContain('X-Staging')
    expect(stdout).not.toMatch(/let-me-in|bWU6aHVudGVyMg/)
  })

  test('--observe-command gets the payment id as its last argument', async () => {
    const { webhooks, observe } = await referenceReceiver()
    const script = join(temporaryFolder(), 'effects of.mjs')
    writeFileSync(
      script,
      `import { get } from 'node:http'
       get(process.argv[2] + '?payment_id=' + process.argv.at(-1), (answer) => answer.pipe(process.stdout))`,
    )
    // Windows, too, knows these quotation marks.
    const command = `"${process.execPath}" "${script}" ${observe}`
    const cases = ['--only', 'effects/refund-reverses', '--only', 'duplicates/delivered-twice-at-once']
    const { code, stdout } = await hookproof(['check', webhooks, '--observe-command', command, ...cases])
    expect(stdout).toMatch(/^Conformant in the 2 cases selected: 2 passed of 2 cases/m)
    expect(code).toBe(0)
  })
})

describe.skipIf(onWindows)('--start', () => {
  /** A receiver that answers slowly, and has a child process that is slow to stop. */
  const SLOW = `
    import { fork } from 'node:child_process'
    import { createServer } from 'node:http'
    const [, self, port, helper] = process.argv
    const answer = (request, response) =>
      request.resume().on('end', () => setTimeout(() => response.end(), helper ? 300 : 0))
    const server = createServer(answer)
    const listen = (then) => server.listen(Number(port), '127.0.0.1', then)
    const close = () => server.close().closeAllConnections()
    // It listens as soon as its child process does.
    if (helper) fork(self, [helper]).once('message', () => listen())
    else {
      listen(() => process.send('listening', () => process.disconnect()))
      process.on('SIGTERM', () => setTimeout(close, 300))
    }`

  /** A command that starts it through a shell, and its two ports. */
  async function slow(): Promise<{ command: string; port: number; helper: number; url: string }> {
    const file = join(temporaryFolder(), 'slow.mjs')
    writeFileSync(file, SLOW)
    const [port, helper] = [await freePort(), await freePort()]
    const command = `'${process.execPath}' '${file}' ${port} ${helper} & wait`
    return { command, port, helper, url: `http://127.0.0.1:${port}/webhooks` }
  }

  test('passes the signing secret to the receiver, grades it and stops it', async () => {
    const port = await freePort()
    const start = `${COMMAND} receive --inbox memory --observe --port ${port}`
    const url = `http://127.0.0.1:${port}`
    const observe = ['--observe', `${url}/observe`, '--only', 'effects/refund-reverses', ...SOME]
    const { code, stdout } = await hookproof(['check', `${url}/webhooks`, '--start', start, ...observe])
    expect(stdout).toMatch(/^Conformant in the \d+ cases selected/m)
    expect(code).toBe(0)
    expect(await listensOn(port)).toBe(false)
  })

  test.each([
    ['the environment has none', {}, SECRET],
    ['WEBHOOK_SECRET is set', { WEBHOOK_SECRET: 'whsec_its_own' }, 'whsec_its_own'],
    ['WEBHOOK_SECRET_FILE is set', { WEBHOOK_SECRET_FILE: 'secret.txt' }, 'none'],
  ])('passes the secret as WEBHOOK_SECRET too, unless it is set: %s', async (_, env, expected) => {
    const file = join(temporaryFolder(), 'given')
    const port = await freePort()
    const start = `printf '%s %s' "$HOOKPROOF_SECRET" "\${WEBHOOK_SECRET-none}" > '${file}'; exit 3`
    await hookproof(['check', `http://127.0.0.1:${port}/`, '--start', start], { env })
    expect(readFileSync(file, 'utf8')).toBe(`${SECRET} ${expected}`)
  })

  /** Starts a receiver that never listens: a shell, because it prints immediately. */
  const starting = (script: string, url: URL) => {
    const { io, stderr } = testIo()
    const command = `${script}; exec sleep 1000`
    const options = {
      url,
      secret: SECRET,
      cwd: io.cwd,
      env: io.env,
      stderr: io.stderr,
      onSpawn: () => undefined,
    }
    return { stderr, done: startCommand(command, { ...options, noticeAfterMs: 400, withinMs: 1_000 }) }
  }

  test('prints what it is waiting for, with the line of the receiver about its port', async () => {
    const [here, there] = [new URL(`http://127.0.0.1:${await freePort()}/`), await freePort()]
    const { stderr, done } = starting(`echo 'listening on port ${there} with ${SECRET}'; echo ready`, here)
    await expect(done).rejects.toThrow()
    expect(stderr()).toBe(
      `hookproof: still waiting for ${here.host}; last output: listening on port ${there} with [signing secret]\n`,
    )
  })

  test('fails when the receiver is running but does not listen in time', async () => {
    const url = new URL(`http://127.0.0.1:${await freePort()}/`)
    const script = `echo 'Error: no cache' >&2; echo '\u001B[32mServer: http://localhost:4000'`
    await expect(starting(script, url).done).rejects.toThrow(
      `the --start command is running, but nothing listens at ${url.host} after 1 s: does it use another port? last output: Server: http://localhost:4000`,
    )
  })

  test('stops the child processes of the receiver', async () => {
    const { command, port, helper, url } = await slow()
    const { code } = await hookproof(['check', url, '--start', command, '--only', 'refusals/empty-key'])
    expect(code).toBe(1)
    expect([await listensOn(port), await listensOn(helper)]).toEqual([false, false])
  })

  test.each([
    ['SIGINT', /untested|not tested/, 'the report contains what was judged until then'],
    ['SIGTERM', /untested|not tested/, 'the report contains what was judged until then'],
  ] as const)('%s during the run stops the receiver and ends the run', async (signal, reported, expected) => {
    const { command, port, helper, url } = await slow()
    const { child, done, stderr, stdout } = launch(['check', url, '--start', command])
    await until(() => stderr().includes('running'))
    await until(() => listensOn(helper))
    child.kill(signal)
    expect(await done).toMatchObject({ code: null, signal })
    expect(stdout()).toMatch(reported)
    expect(stderr()).toContain(`hookproof: interrupted; ${expected}\n`)
    expect([await listensOn(port), await listensOn(helper)]).toEqual([false, false])
  })

  test('SIGINT during the run writes reports of what was judged', async () => {
    const report = join(temporaryFolder(), 'report.json')
    const { command, url } = await slow()
    const reports = ['--report', `json=${report}`, '--report', 'terminal']
    const { child, done, stderr, stdout } = launch(['check', url, '--start', command, ...reports])
    await until(() => stderr().includes('running'))
    child.kill('SIGINT')
    await done
    const value = readJson(report) as ConformanceReport
    expect(value.interrupted).toBe(true)
    expect(stdout()).toContain('interrupted')
    expect(stdout()).not.toMatch(/grade/i)
    for (const render of [renderHtml, renderMarkdown, renderBadge])
      expect(/\bgrade [A-F]\b/i.exec(render(value))).toBeNull()
    expect(validate('report', value)).toEqual([])
    expect(value.counts.untested).toBeGreaterThan(0)
    expect(new Set(value.verdicts.flatMap(({ reason }) => reason ?? []))).toContain(
      'the run was interrupted before the case was judged',
    )
  })

  /** Ends when a delivery without a signature arrives. */
  const FRAGILE = `
    import { createServer } from 'node:http'
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (request.headers['x-service-signature'] !== undefined) return response.end()
        for (let line = 1; line <= 30; line += 1) console.log('line', line, process.env.HOOKPROOF_SECRET)
        console.error('TypeError: no signature')
        process.exitCode = 7
        process.kill(process.pid, process.argv[3])
      })
    }).listen(Number(process.argv[2]), '127.0.0.1')
    process.on('SIGTERM', () => server.close().closeAllConnections())`

  test.each([
    ['exit status 7', 'SIGTERM'],
    ['SIGKILL', 'SIGKILL'],
  ])('a receiver that ends during the run is reported as that: %s', async (how, signal) => {
    const file = join(temporaryFolder(), 'fragile.mjs')
    writeFileSync(file, FRAGILE)
    const port = await freePort()
    const start = `exec '${process.execPath}' '${file}' ${port} ${signal}`
    const args = ['--start', start, '--only', 'signature-header', '--concurrency', '1', '--report', 'json']
    const { code, stdout, stderr } = await hookproof(['check', `http://127.0.0.1:${port}/`, ...args])
    const { diagnosis, counts, verdicts } = JSON.parse(stdout) as ConformanceReport
    expect(diagnosis).toBe(`The receiver ended during the run: ${how}. In flight: no signature header.`)
    expect(counts).toMatchObject({ failed: 1, untested: verdicts.length - 1 })
    expect(code).toBe(1)
    const lines = stderr.split('\n').filter((line) => line.startsWith('  '))
    expect(stderr).toContain(`hookproof: the receiver ended during the run: ${how}; its last output:\n`)
    expect(lines).toHaveLength(20)
    expect(lines).toContain('  line 30 [signing secret]')
  })

  test('a receiver that ends at the first delivery is not called unreachable', async () => {
    const port = await freePort()
    const script = `
      const server = require('http').createServer(() => {
        console.error('no database')
        process.exitCode = 3
        server.close().closeAllConnections()
      }).listen(${port}, '127.0.0.1')`
    const start = `exec ${shellQuoted([process.execPath, '-e', script])}`
    const { code, stderr } = await hookproof(['check', `http://127.0.0.1:${port}/`, '--start', start])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'hookproof: the receiver ended at the first delivery: exit status 3; last output: no database [receiver_ended]\n',
    )
  })

  test('SIGINT stops a receiver that does not listen yet', async () => {
    const { command, port, helper } = await slow()
    const elsewhere = `http://127.0.0.1:${await freePort()}/webhooks`
    const { child, done } = launch(['check', elsewhere, '--start', command])
    await until(() => listensOn(helper))
    child.kill('SIGINT')
    expect(await done).toMatchObject({
      signal: 'SIGINT',
      stdout: '',
      stderr: expect.stringMatching(
        /^(hookproof: still .*\n)?hookproof: interrupted; no report was written\n$/,
      ),
    })
    expect([await listensOn(port), await listensOn(helper)]).toEqual([false, false])
  })

  test('SIGINT stops the bundled receiver', async () => {
    const folder = temporaryFolder()
    const { child, done, stderr } = launch(['check', '--bundled', '--wait', '60'], {
      env: { TMPDIR: folder },
    })
    await until(() => stderr().includes('running'))
    child.kill('SIGINT')
    expect(await done).toMatchObject({ signal: 'SIGINT' })
    // The folder of its store is removed.
    expect(readdirSync(folder)).toEqual([])
  })
})
