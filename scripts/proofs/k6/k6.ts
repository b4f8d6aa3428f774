// Runs the exported k6 script with k6 against the receiver: every delivery must be acknowledged and stored. A short run, which
// does without k6, compares the script with the one that test/load/k6.test.ts runs.
// npm run proof -- k6 [--quick] [<seconds>]
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageVersion } from '../../../conformance/report/package.ts'
import { k6Script } from '../../../load/k6/script.ts'
import { explain, validate } from '../../../schemas/validate.ts'
import { formatCount } from '../../shared/numbers.ts'
import { startProgram } from '../../shared/program.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { type ProofOptions, type ProofResult, prove } from '../shared/prove.ts'
import { SECRET } from '../shared/receiver.ts'
import { storedBodies, storedStateOf, waitUntilProcessed } from '../shared/sqlite.ts'

const MODULE = 'go.k6.io/k6'
const VERSION = 'v1.8.1'

const execute = promisify(execFile)

/**
 * Installs k6 with Go, which takes minutes, or finds the result of an earlier installation in the cache of the user.
 * @returns its path and version, and how long the installation took: 0 seconds if k6 was installed before
 * @throws Error that names what is missing
 */
async function installK6() {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const folder = join(cache, 'hookproof', `k6-${VERSION}`)
  const path = join(folder, 'k6')
  if (await isInstalled(path)) return { path, version: VERSION, seconds: 0 }

  await execute('go', ['version']).catch(() => {
    throw new Error('go is not installed: install Go 1.26 or later, which builds k6')
  })
  const started = performance.now()
  try {
    // At a low priority, because other work may run at the same time.
    await execute('nice', ['-n', '10', 'go', 'install', '-trimpath', `${MODULE}@${VERSION}`], {
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    const last = output.trim().split('\n').at(-1)
    throw new Error(`go cannot install ${MODULE}@${VERSION}: ${last}`, { cause: error })
  }
  if (!(await isInstalled(path))) throw new Error(`${path} is not k6 ${VERSION}`)
  return { path, version: VERSION, seconds: (performance.now() - started) / 1000 }
}

async function isInstalled(path: string): Promise<boolean> {
  try {
    const { stdout } = await execute(path, ['version'])
    return stdout.startsWith(`k6 ${VERSION} `)
  } catch {
    return false
  }
}

/** The exit codes of k6 for a threshold that was crossed, and for a script that aborts. */
const K6_EXIT = { thresholds: 99, aborted: 108 } as const

interface Metric {
  readonly count?: number
  readonly passes?: number
  readonly fails?: number
}

type K6Run = Awaited<ReturnType<typeof runK6>>

/** Runs a script with k6 and reads the numbers that k6 writes. @param secret HOOKPROOF_SECRET; without one it is not set */
async function runK6(k6: string, script: string, { folder, secret }: { folder: string; secret?: string }) {
  const summaryFile = join(folder, `summary-${Math.random()}.json`)
  const args = ['run', '--quiet', '--no-color', '--no-usage-report', '--summary-export', summaryFile, script]
  const { HOOKPROOF_SECRET: _, ...env } = process.env
  const child = spawn(k6, args, {
    env: secret === undefined ? env : { ...env, HOOKPROOF_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => void (output += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const [code] = (await once(child, 'close')) as [number | null]

  const summary: unknown = JSON.parse(await readFile(summaryFile, 'utf8').catch(() => '{}'))
  const { metrics = {} } = summary as { metrics?: Readonly<Record<string, Metric>> }
  return {
    code: code ?? -1,
    /** Everything that k6 printed. */
    output,
    /** Number of HTTP requests. */
    requests: metrics['http_reqs']?.count ?? 0,
    /** Number of responses with status 200, according to the script's check. */
    acknowledged: metrics['checks']?.passes ?? 0,
    /** Number of other responses, and of requests without one. */
    refused: metrics['checks']?.fails ?? 0,
    /** Number of deliveries that were due but not sent. */
    dropped: metrics['dropped_iterations']?.count ?? 0,
  }
}

const SECONDS = 10
const RATE = 100
/** So many that a busy machine, where responses take longer, does not delay deliveries. */
const CONNECTIONS = 200

async function exportedBy(dist: string, url: string, ...args: readonly string[]): Promise<string> {
  const command = [`${dist}/cli/main.js`, 'load', url, '--export', 'k6', ...args]
  const env = { PATH: process.env['PATH'], HOOKPROOF_SECRET: SECRET }
  return (await execute(process.execPath, command, { env })).stdout
}

/** The script that the built program exports by default must be that of the sources. */
async function compareScripts({ dist }: ProofOptions): Promise<ProofResult> {
  const url = new URL('http://127.0.0.1:3000/webhooks')
  const defaults = { rate: RATE, durationMs: 10_000, connections: 50, timeoutMs: 10_000, seed: 'k6' }
  const tested = { version: packageVersion(), url, signatureHeader: 'X-Service-Signature', ...defaults }
  const isTested = (await exportedBy(dist, url.href)) === k6Script(tested)
  return {
    figures: [['exported script', isTested ? 'the same as in the tests' : 'another']],
    violations: isTested ? [] : ['the built program exports another script than test/load/k6.test.ts runs'],
  }
}

function runScripts({ dist, amount, seed }: ProofOptions): Promise<ProofResult> {
  return withTemporaryFolder(async (folder) => {
    const seconds = amount ?? SECONDS
    const k6 = await installK6()
    const inbox = join(folder, 'inbox.sqlite')
    const receiver = startProgram(process.execPath, [`${dist}/cli/main.js`, 'receive', '--observe'], {
      env: { PATH: process.env['PATH'], HOOKPROOF_SECRET: SECRET, PORT: '0', INBOX: inbox },
      addressIn: (line) => /"url":"([^"]+)"/.exec(line)?.[1],
    })
    const origin = await receiver.listening
    if (origin === undefined) throw new Error(`the receiver did not start: ${receiver.stderr().trim()}`)

    const violations: string[] = []
    const expectThat = (holds: boolean, violation: string) => void (holds || violations.push(violation))
    async function exportScript(...args: string[]): Promise<string> {
      const stdout = await exportedBy(dist, `${origin}/webhooks`, ...args)
      expectThat(!stdout.includes(SECRET), 'the script contains the signing secret')
      const file = join(folder, `load-${args.length}.js`)
      await writeFile(file, stdout)
      return file
    }

    const load = ['--rate', String(RATE), '--connections', String(CONNECTIONS), '--seed', seed]
    const script = await exportScript(...load, '--duration', String(seconds))
    const run = await runK6(k6.path, script, { folder, secret: SECRET })
    const open = await waitUntilProcessed(inbox)
    const { events, entries } = storedStateOf(inbox)
    const payments = new Set(events.map(({ paymentId }) => paymentId))
    expectThat(run.code === 0, `k6 exited with ${run.code}: ${lastLine(run)}`)
    // On a busy machine, k6 can miss the end of the duration.
    expectThat(run.requests >= seconds * RATE * 0.95, `only ${run.requests} deliveries were sent`)
    expectThat(
      run.acknowledged === run.requests && run.refused === 0,
      `${run.acknowledged} of ${run.requests} deliveries were acknowledged with 200`,
    )
    expectThat(
      events.length === run.acknowledged && payments.size === run.acknowledged,
      `the inbox holds ${events.length} events of ${payments.size} payments, but ${run.acknowledged} were acknowledged`,
    )
    expectThat(open === 0, `${open} events were still open 30 s after the last delivery`)
    expectThat(
      entries.length === run.acknowledged,
      `the ledger has ${entries.length} entries for ${run.acknowledged} payments`,
    )
    for (const body of storedBodies(inbox)) {
      const problem = explain(validate('event.strict', JSON.parse(body.toString('utf8'))))
      expectThat(problem === '', `an event is not as the service sends it: ${problem}`)
    }

    // The controls: the script can fail.
    const short = await exportScript('--rate', '20', '--duration', '1')
    const forged = await runK6(k6.path, short, { folder, secret: `${SECRET}x` })
    expectThat(
      forged.code === K6_EXIT.thresholds && forged.requests > 0 && forged.refused === forged.requests,
      `with another secret, k6 exited with ${forged.code} and ${forged.refused} of ${forged.requests} refusals`,
    )
    const unsigned = await runK6(k6.path, short, { folder })
    expectThat(
      unsigned.code === K6_EXIT.aborted &&
        unsigned.requests === 0 &&
        unsigned.output.includes('HOOKPROOF_SECRET'),
      `without a secret, k6 exited with ${unsigned.code} after ${unsigned.requests} deliveries: ${lastLine(unsigned)}`,
    )
    expectThat(storedStateOf(inbox).events.length === events.length, 'a refused delivery was stored')
    expectThat((await receiver.end('SIGTERM')) === 0, 'the receiver did not stop cleanly')

    return {
      figures: [
        ['k6', k6.seconds === 0 ? k6.version : `${k6.version}, installed in ${k6.seconds.toFixed(0)} s`],
        ['deliveries', `${formatCount(run.requests)} in ${seconds} s, ${run.dropped} dropped`],
        ['acknowledged with 200', formatCount(run.acknowledged)],
        ['events in the inbox', formatCount(events.length)],
        ['refused with another secret', `${forged.refused} of ${forged.requests}`],
      ],
      violations,
    }
  })
}

function lastLine({ output }: K6Run): string {
  return output.trim().split('\n').at(-1) ?? ''
}

await prove('k6', async (options) => {
  const compared = await compareScripts(options)
  if (options.quick) return compared
  const { figures, violations } = await runScripts(options)
  return {
    figures: [...compared.figures, ...figures],
    violations: [...compared.violations, ...violations],
  }
})
