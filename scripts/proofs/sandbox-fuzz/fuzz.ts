// Sends generated requests to every route of a running sandbox: none may end it, block it, fill its memory or get a 5xx.
// npm run proof -- sandbox-fuzz [requests] [--quick] [--seed <text>] [--write]

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededOrganizations } from '../../../sandbox/service/keys.ts'
import { formatCount } from '../../shared/numbers.ts'
import { processInfo } from '../../shared/process-info.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { type ProofOptions, type ProofResult, prove } from '../shared/prove.ts'
import { between, choose, type Random, randomFrom } from '../shared/random.ts'
import { openConnection, type RawResponse } from '../shared/raw-connection.ts'
import { startSandbox } from '../shared/sandbox.ts'
import { createRequests, type GeneratedRequest } from './requests.ts'
import { STREAMS } from './routes.ts'

/** How long a response may take, in milliseconds: longer than any on a busy machine. */
const LONGEST_MS = 60_000

/** Sends bytes, and resets the connection a moment later without reading the response. */
function abandoned(port: number, bytes: Buffer, random: Random): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).on('close', () => resolve())
    socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), between(random, 0, 3)))
  })
}

/** Ids that the sandbox has shown, so that requests concern data that exists. */
type IdPool = ReturnType<typeof idPool>

const LATEST = 100

function idPool(random: Random) {
  const known = new Map<string, string[]>()
  return {
    /** Collects the ids in a response. */
    learn(text: string) {
      for (const [id, prefix = ''] of text.matchAll(/\b(tx|evt|dlv|we)_\w{20}\b/g)) {
        const ids = known.get(prefix) ?? []
        known.set(prefix, [...ids.filter((other) => other !== id), id].slice(-LATEST))
      }
    },
    /** One of the latest ids with a prefix. */
    idOf: (prefix: string) => choose(random, known.get(prefix) ?? [`${prefix}_none`]),
  }
}

/** Counts responses, collects what must not happen, and learns ids. */
function judging(pool: IdPool) {
  const counts = new Map<string, number>()
  const violations: string[] = []
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  function judge(request: GeneratedRequest, response: RawResponse): void {
    const { line, size, mayBeClosed } = request
    if (response.status === undefined) {
      count('closed')
      if (!mayBeClosed)
        violations.push(`no response (${response.error}): ${line.slice(0, 300)}, body of ${size} bytes`)
      return
    }
    count(`${Math.floor(response.status / 100)}xx`)
    if (response.status >= 500) {
      const start = request.bytes.toString('latin1').slice(0, 500)
      violations.push(`status ${response.status}: ${JSON.stringify(start)}, body of ${size} bytes`)
    }
    pool.learn(response.head)
    pool.learn(response.body.slice(0, 20_000))
  }
  return { counts, count, violations, judge }
}

const CONNECTIONS = 8

/** How much the memory of the process may grow after a fifth of the requests. */
const LIMIT_MIB = 128

/** How long one turn of the event loop may take. */
const LIMIT_MS = 200

/** After so many requests, the sandbox must still serve a valid one. */
const CONTROL_EVERY = 500

/** More endpoints would multiply the deliveries of each event. */
const MOST_ENDPOINTS = 10

/** The sandbox's hint about endpoints of test keys; any other output is an error. */
const HINT = 'A test key registered an endpoint'

const HOOK = fileURLToPath(new URL('blocking-hook.mjs', import.meta.url))

await prove('sandbox-fuzz', (options) => withTemporaryFolder((folder) => run(options, folder)))

async function run({ dist, seed, quick, amount }: ProofOptions, folder: string): Promise<ProofResult> {
  const requests = amount ?? (quick ? 4_000 : 50_000)
  const random = randomFrom(seed)
  const keys = seededOrganizations(seed).flatMap(({ testKey, liveKey }) => [testKey, liveKey])
  const blockedFile = join(folder, 'blocked')
  const file = join(folder, 'sandbox.sqlite')
  // Nothing listens there.
  const route = 'https://shop.example/=http://127.0.0.1:1/'
  const sandbox = await startSandbox(
    dist,
    ['--port', '0', '--seed', seed, '--schedule', 'realistic', '--file', file, '--route', route],
    { flags: ['--import', HOOK], env: { PROOF_BLOCKED_FILE: blockedFile } },
  )
  const { url } = sandbox
  const port = Number(new URL(url).port)
  const pool = idPool(random)
  const next = createRequests({ random, keys, idOf: (prefix) => pool.idOf(prefix) })
  const { counts, count, violations, judge } = judging(pool)
  let sent = 0
  let [warmMiB, highestMiB] = [0, 0]

  async function control(): Promise<void> {
    const body = JSON.stringify({
      amount: '25.00',
      currency: 'USD',
      webhook_url: 'https://shop.example/hook',
    })
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await fetch(`${url}/sandbox/payments`, { method: 'POST', headers, body })
    if (status !== 201)
      violations.push(`a valid request after ${sent} others: expected 201, received ${status}`)
    const own = { 'X-API-Key': keys[0] ?? '' }
    const listed = await fetch(`${url}/v1/webhooks`, { headers: own })
    if (!listed.ok) {
      violations.push(`the list of endpoints after ${sent} others: expected 200, received ${listed.status}`)
      return
    }
    const { data } = (await listed.json()) as { data: { id: string }[] }
    for (const { id } of data.slice(MOST_ENDPOINTS)) {
      await fetch(`${url}/v1/webhooks/${id}`, { method: 'DELETE', headers: own })
    }
  }

  async function sender(): Promise<void> {
    const connection = openConnection(() => port, LONGEST_MS)
    while (sent < requests && sandbox.child.exitCode === null) {
      sent += 1
      if (sent % CONTROL_EVERY === 0) {
        await control()
        if (sent >= requests / 5) {
          const resident = processInfo(sandbox.child.pid).residentMiB
          warmMiB ||= resident
          highestMiB = Math.max(highestMiB, resident)
        }
      }
      const request = next()
      if (random() < 0.02) {
        count('aborted')
        await abandoned(port, request.bytes.subarray(0, between(random, 1, request.bytes.length)), random)
      } else {
        let response = await connection.send(request.bytes)
        // A connection may end just as it is reused, or while a long body is sent that nobody reads.
        if (response.status === undefined && !request.mayBeClosed) {
          count('again')
          response = await connection.send(request.bytes)
        }
        judge(request, response)
      }
      if (random() < 0.005) {
        count('streams')
        const stream = choose(random, STREAMS).replaceAll(/:(tx)\b/g, (_, prefix: string) =>
          pool.idOf(prefix),
        )
        const [method, path, body = ''] = stream.split(' ')
        const type = body === '' ? '' : 'Content-Type: application/json\r\n'
        await abandoned(
          port,
          Buffer.from(
            `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`,
          ),
          random,
        )
      }
    }
    connection.close()
  }

  await control()
  // What the start took does not count.
  sandbox.child.kill('SIGUSR2')
  const started = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, sender))
  const seconds = (performance.now() - started) / 1000
  const isAlive = sandbox.child.exitCode === null
  if (!isAlive)
    violations.push(`the sandbox exited with code ${sandbox.child.exitCode} after ${sent} requests`)
  const code = await sandbox.end('SIGINT')
  if (isAlive && code !== 0) violations.push(`the sandbox stopped with code ${code}`)
  const failures = sandbox
    .stderr()
    .split('\n')
    .filter((line) => line !== '' && !line.includes(HINT))
  if (failures.length > 0) violations.push(`the sandbox wrote: ${failures.join('; ').slice(0, 2_000)}`)
  const blocked = isAlive ? blockedIn(blockedFile) : { ms: Number.NaN, requests: [] }
  if (blocked.ms > LIMIT_MS) {
    violations.push(
      `the event loop was blocked for ${blocked.ms.toFixed(0)} ms after ${blocked.requests.join(', ')}`,
    )
  }
  const growthMiB = highestMiB - warmMiB
  if (growthMiB > LIMIT_MIB)
    violations.push(`memory grew by ${growthMiB.toFixed(0)} MiB; the limit is ${LIMIT_MIB} MiB`)

  const counted = (what: string): string => formatCount(counts.get(what) ?? 0)
  const classes = [2, 3, 4, 5].map((digit) => `${digit}xx × ${counted(`${digit}xx`)}`).join(', ')
  return {
    figures: [
      ['requests', `${formatCount(sent)} in ${seconds.toFixed(0)} s`],
      ['responses', classes],
      ['closed connections (bodies in tiny chunks)', counted('closed')],
      ['sent again on a new connection', counted('again')],
      ['aborted by the client, streams', `${counted('aborted')}, ${counted('streams')}`],
      [
        'longest turn of the event loop',
        `${blocked.ms.toFixed(0)} ms of processor time (limit ${LIMIT_MS} ms)`,
      ],
      [
        'memory growth',
        `${growthMiB.toFixed(1)} MiB above ${warmMiB.toFixed(0)} MiB (limit ${LIMIT_MIB} MiB)`,
      ],
    ],
    violations,
  }
}

function blockedIn(file: string): { ms: number; requests: string[] } {
  return JSON.parse(readFileSync(file, 'utf8')) as { ms: number; requests: string[] }
}
