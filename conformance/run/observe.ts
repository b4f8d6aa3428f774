import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Effect, Observation } from '../../schemas/types.ts'
import { classify } from '../deliver/errors.ts'
import { HarnessError } from '../errors.ts'

/** Reads what the receiver did for a payment (SPEC.md 9). */
export interface Observer {
  /** @throws HarnessError `observation_failed` when there is no answer or it is not an observation. */
  readonly effects: (paymentId: string) => Promise<readonly Effect[]>
  /** The shortest pause between two looks at one payment, in milliseconds. */
  readonly intervalMs: number
}

/** Observes over HTTP: `GET <url>?payment_id=<id>`. */
export function observeUrl(
  url: URL,
  timeoutMs: number,
  headers: readonly (readonly [string, string])[] = [],
): Observer {
  return {
    intervalMs: 20,
    async effects(paymentId) {
      const asked = new URL(url)
      asked.searchParams.set('payment_id', paymentId)
      const { status, text } = await get(asked, timeoutMs, headers)
      if (status !== 200) throw failed(url.href, `it answered ${status} where 200 is expected`)
      return parse(text, url.href)
    },
  }
}

/** Observes by a command, run by the shell with the payment id as its last argument. */
export function observeCommand(command: string, timeoutMs: number, cwd?: string): Observer {
  const run = promisify(execFile)
  return {
    intervalMs: 200,
    async effects(paymentId) {
      const { stdout } = await run('/bin/sh', ['-c', `${command} "$@"`, 'sh', paymentId], {
        timeout: timeoutMs,
        cwd,
      }).catch((error: unknown) => {
        const { code, killed, stderr = '' } = error as ExecFailure
        const ended = killed === true ? `it took more than ${timeoutMs} ms` : `it ended with status ${code}`
        const last = stderr.trim().split('\n').at(-1) ?? ''
        throw failed(command, `${ended}${last === '' ? '' : ` and said: ${last.slice(0, 200)}`}`)
      })
      return parse(stdout, command)
    },
  }
}

/** What a program in the same process knows of a payment's effects, oldest first. */
export type ReadEffects = (paymentId: string) => readonly Effect[] | Promise<readonly Effect[]>

/** Observes by a function of the program that runs the suite. */
export function observeWith(read: ReadEffects, timeoutMs: number): Observer {
  const source = 'the function given'
  return {
    intervalMs: 20,
    async effects(paymentId) {
      const done = new AbortController()
      const late = pause(timeoutMs, undefined, { signal: done.signal }).then(() => {
        throw failed(source, `it took more than ${timeoutMs} ms`)
      })
      const effects = await Promise.race([callOf(read, paymentId, source), late]).finally(() => done.abort())
      // A copy, since the program may go on adding to its own.
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

async function get(
  url: URL,
  timeoutMs: number,
  headers: readonly (readonly [string, string])[],
): Promise<{ status: number; text: string }> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(failed(`${url.origin}${url.pathname}`, `${classify(error).message}; check the address`))
    const asking = request(url, { headers: Object.fromEntries(headers), timeout: timeoutMs }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', fail)
    })
    asking.on('timeout', () => asking.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    asking.on('error', fail)
    asking.end()
  })
}

async function parse(text: string, source: string): Promise<readonly Effect[]> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw failed(source, 'what it shows is not JSON')
  }
  return valid(value, source)
}

async function valid(value: unknown, source: string): Promise<readonly Effect[]> {
  const { explain, validate } = await import('../../schemas/validate.ts')
  const violations = validate('observation', value)
  if (violations.length > 0)
    throw failed(source, `what it shows is not an observation: ${explain(violations)}`)
  return (value as Observation).effects
}

function failed(source: string, why: string): HarnessError {
  return new HarnessError('observation_failed', `could not observe effects by ${source}: ${why}`)
}
