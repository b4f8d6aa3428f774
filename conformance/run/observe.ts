import { execFile } from 'node:child_process'
import http from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Effect, Observation } from '../../schemas/types.ts'
import { classify } from '../deliver/errors.ts'
import { HarnessError } from '../errors.ts'

/** Reads what the receiver did for a payment (SPEC.md 9). */
export interface Observer {
  /** @throws HarnessError `observation_failed` when there is no response or it is not an observation. */
  readonly effects: (paymentId: string) => Promise<readonly Effect[]>
  /** The shortest pause between two observations of one payment, in milliseconds. */
  readonly intervalMs: number
  /** How many observations may take place at the same time. */
  readonly parallel: number
  /** How many payments are observed at once when only a sample is needed. */
  readonly sample: number
}

const CHEAP = { intervalMs: 20, parallel: 8, sample: 200 }
/** Each observation is a process. */
const COSTLY = { intervalMs: 200, parallel: 4, sample: 20 }

/** Observes over HTTP: `GET <url>?payment_id=<id>`. */
export function observeUrl(
  url: URL,
  timeoutMs: number,
  headers: readonly (readonly [string, string])[] = [],
): Observer {
  return {
    ...CHEAP,
    async effects(paymentId) {
      const query = new URL(url)
      query.searchParams.set('payment_id', paymentId)
      const { status, text } = await get(query, timeoutMs, headers)
      if (status !== 200) throw failed(url.href, `it answered ${status} instead of 200`)
      return parse(text, url.href)
    },
  }
}

/** Observes by running a shell command with the payment id as its last argument. */
export function observeCommand(command: string, timeoutMs: number, cwd?: string): Observer {
  const run = promisify(execFile)
  return {
    ...COSTLY,
    async effects(paymentId) {
      const { stdout } = await run('/bin/sh', ['-c', `${command} "$@"`, 'sh', paymentId], {
        timeout: timeoutMs,
        cwd,
      }).catch((error: unknown) => {
        const { code, killed, stderr = '' } = error as ExecFailure
        const failure =
          killed === true ? `it took more than ${timeoutMs} ms` : `it exited with status ${code}`
        const last = stderr.trim().split('\n').at(-1) ?? ''
        throw failed(command, `${failure}${last === '' ? '' : `; last output: ${last.slice(0, 200)}`}`)
      })
      return parse(stdout, command)
    },
  }
}

/** Reads a payment's effects within this process, oldest first. */
export type ReadEffects = (paymentId: string) => readonly Effect[] | Promise<readonly Effect[]>

/** Observes by calling a function. */
export function observeWith(read: ReadEffects, timeoutMs: number): Observer {
  const source = 'the function in "observe"'
  return {
    ...CHEAP,
    async effects(paymentId) {
      const done = new AbortController()
      const late = pause(timeoutMs, undefined, { signal: done.signal }).then(() => {
        throw failed(source, `it took more than ${timeoutMs} ms`)
      })
      const effects = await Promise.race([callOf(read, paymentId, source), late]).finally(() => done.abort())
      // A copy, because the function's owner may keep adding to the original.
      return [...(await valid({ effects }, source))]
    },
  }
}

async function callOf(read: ReadEffects, paymentId: string, source: string): Promise<readonly Effect[]> {
  try {
    return await read(paymentId)
  } catch (error) {
    throw failed(source, `it threw: ${String(error).split('\n', 1)[0]}`)
  }
}

interface ExecFailure {
  readonly code?: number | string
  readonly killed?: boolean
  readonly stderr?: string
}

function get(
  url: URL,
  timeoutMs: number,
  headers: readonly (readonly [string, string])[],
): Promise<{ status: number; text: string }> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(failed(`${url.origin}${url.pathname}`, `${classify(error).message}; check the URL`))
    const outgoing = request(
      url,
      { headers: Object.fromEntries(headers), timeout: timeoutMs },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', fail)
      },
    )
    outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    outgoing.on('error', fail)
    outgoing.end()
  })
}

async function parse(text: string, source: string): Promise<readonly Effect[]> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw failed(source, 'the output is not JSON')
  }
  return valid(value, source)
}

const loadValidator = () => import('../../schemas/validate.ts')
let validator: ReturnType<typeof loadValidator> | undefined

async function valid(value: unknown, source: string): Promise<readonly Effect[]> {
  // Loaded once, and only by a run that observes effects.
  validator ??= loadValidator()
  const { explain, validate } = await validator
  const violations = validate('observation', value)
  if (violations.length > 0) throw failed(source, `the output is not an observation: ${explain(violations)}`)
  return (value as Observation).effects
}

function failed(source: string, why: string): HarnessError {
  return new HarnessError('observation_failed', `could not observe effects with ${source}: ${why}`)
}
