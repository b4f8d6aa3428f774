import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../../shared/free-port.ts'
import { type Program, startProgram } from '../../../shared/program.ts'
import { withTemporaryFolder } from '../../../shared/temporary-folder.ts'
import type { ProofOptions, ProofResult } from '../../shared/prove.ts'
import { type Exchange, type Send, useEverything } from './client.ts'
import { contradicted, type Document, requestLineOf, responsesOf } from './document.ts'
import { type PreparedSandbox, prepareSandbox } from './sandbox.ts'

/** The latest version that runs on every release line of Node.js that this project supports. */
const PRISM_VERSION = '5.14.2'

const PROGRAM = 'node_modules/@stoplight/prism-cli/dist/index.js'

/**
 * Installs Prism, 90 MB in 185 packages, or finds it in the cache of the user. No script of a package runs.
 * @returns the path of its program, for Node.js
 */
async function installPrism(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hookproof')
  const folder = join(cache, `prism-${PRISM_VERSION}`)
  const program = join(folder, PROGRAM)
  if (existsSync(program)) return program
  await mkdir(cache, { recursive: true })
  // Renamed when it is complete, so that an interrupted installation is not found later.
  const incomplete = await mkdtemp(join(cache, 'prism-'))
  try {
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', incomplete]
    await promisify(execFile)('npm', ['install', ...options, `@stoplight/prism-cli@${PRISM_VERSION}`])
    await rename(incomplete, folder).catch((error: unknown) => {
      // Another run may have been faster.
      if (!existsSync(program)) throw error
    })
  } finally {
    await rm(incomplete, { recursive: true, force: true })
  }
  return program
}

/** A running Prism. */
interface Proxy {
  readonly url: string
  readonly program: Program
}

/**
 * Starts `prism proxy` between a client and the sandbox.
 * @param document the path of the OpenAPI document
 * @param apiUrl of the sandbox, with the version
 */
async function startProxy(
  prism: string,
  document: string,
  apiUrl: string,
  options: readonly string[],
): Promise<Proxy> {
  const port = String(await freePort())
  const program = startProgram(
    process.execPath,
    [prism, 'proxy', document, apiUrl, '--port', port, ...options],
    {
      env: { PATH: process.env['PATH'], NO_COLOR: '1' },
      addressIn: (line) => /Prism is listening on (\S+)/.exec(line)?.[1],
    },
  )
  const url = await Promise.race([program.listening, pause(60_000, undefined, { ref: false })])
  if (url === undefined) throw new Error(`Prism did not start: ${program.stderr().trim()}`)
  return { url, program }
}

/** What Prism sends instead of a response that does not match, or to a request that does not. */
const OWN = 'application/problem+json'

interface Proxies {
  /** Refuses requests and responses that do not match. */
  readonly strict: Proxy
  /** Forwards requests that do not match too, and reports responses that do not match in a header. */
  readonly responses: Proxy
  /** The same, with a document that no response matches. */
  readonly control: Proxy
}

/**
 * A client uses all of the API through Prism, which validates every request and response. Every response that the
 * document lists must occur. As a control, Prism must report each response when the document does not match.
 */
export async function runPrism({ dist, seed }: ProofOptions): Promise<ProofResult> {
  const prism = await installPrism()
  return withTemporaryFolder(async (folder) => {
    const sandbox = await prepareSandbox(dist, seed)
    const text = await (await fetch(`${sandbox.apiUrl}/openapi.json`, { headers: AGENT })).text()
    const document = JSON.parse(text) as Document
    const [served, wrong] = [join(folder, 'openapi.json'), join(folder, 'wrong.json')]
    await writeFile(served, text)
    await writeFile(wrong, JSON.stringify(contradicted(document)))
    const isLenient = ['--validate-request', 'false']
    const [strict, responses, control] = await Promise.all([
      startProxy(prism, served, sandbox.apiUrl, ['--errors']),
      startProxy(prism, served, sandbox.apiUrl, isLenient),
      startProxy(prism, wrong, sandbox.apiUrl, isLenient),
    ])
    const result = await compare(document, sandbox, { strict, responses, control })
    await Promise.all([strict, responses, control].map(({ program }) => program.end('SIGKILL')))
    const code = await sandbox.process.stop()
    if (code !== 0)
      result.violations.push(`the sandbox exited with code ${code}: ${sandbox.process.stderr()}`)
    return result
  })
}

async function compare(
  document: Document,
  sandbox: PreparedSandbox,
  { strict, responses, control }: Proxies,
): Promise<{ figures: [string, string][]; violations: string[] }> {
  const violations: string[] = []
  const seen = new Set<string>()
  let [sent, refused, detected] = [0, 0, 0]

  const judged: Send = async (exchange) => {
    const { operation, status, isInvalid, isBeyondPrism } = exchange
    const name = `${operation} ${status}`
    sent += 1
    if (isInvalid) {
      const answer = await request(document, strict, sandbox, exchange)
      if (answer.type === OWN) refused += 1
      else violations.push(`${name}: the document allows a request that is refused: ${answer.text}`)
    }
    const via = isInvalid || isBeyondPrism ? responses : strict
    const answer = await request(document, via, sandbox, exchange)
    if (answer.type === OWN) violations.push(`${name}: ${answer.text}`)
    else if (isMismatch(answer)) violations.push(`${name}: ${answer.reported}`)
    else if (answer.status !== status) violations.push(`${name}: received ${answer.status} ${answer.text}`)
    else seen.add(name)
    return answer.json
  }
  await useEverything(judged, sandbox)

  await useEverything(async (exchange) => {
    const answer = await request(document, control, sandbox, exchange)
    if (isMismatch(answer)) detected += 1
    return answer.json
  }, sandbox)

  const documented = responsesOf(document)
  for (const name of documented) if (!seen.has(name)) violations.push(`${name}: did not occur`)
  if (detected !== sent) {
    violations.push(`control: Prism reported only ${detected} of ${sent} responses that do not match`)
  }
  const figures: [string, string][] = [
    ['Prism', PRISM_VERSION],
    ['documented responses that occurred through Prism', `${seen.size} of ${documented.length}`],
    ['requests through Prism', `${sent}, ${violations.length} mismatches`],
    ['invalid requests that Prism refused by the document', String(refused)],
    ['control: responses reported with a document that does not match', `${detected} of ${sent}`],
  ]
  return { figures, violations }
}

const isMismatch = ({ reported }: Answer): boolean => reported.includes('"response"')

/** Bot protection blocks the default of `fetch`. */
const AGENT = { 'User-Agent': 'hookproof-proof/1.0' }

interface Answer {
  readonly status: number
  /** The media type. */
  readonly type: string
  readonly text: string
  readonly json: Record<string, unknown>
  /** The violations that Prism reports in a header. */
  readonly reported: string
}

async function request(
  document: Document,
  proxy: Proxy,
  sandbox: PreparedSandbox,
  { operation, id = '', query = '', key = sandbox.liveKey, headers, body }: Exchange,
): Promise<Answer> {
  const { method, path } = requestLineOf(document, operation)
  const response = await fetch(`${proxy.url}${path.replace(/\{\w+\}/, id)}${query}`, {
    method,
    headers: {
      ...AGENT,
      ...(key !== null && { 'X-API-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  const type = (response.headers.get('Content-Type') ?? '').split(';')[0] ?? ''
  const json = type.endsWith('json') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { status: response.status, type, text, json, reported: response.headers.get('sl-violations') ?? '' }
}
