import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { type Behavior, type Event, idOf, nameOf } from '../../behavior.ts'
import type { Mutant } from '../../mutant.ts'
import type { Setting } from '../../receiver.ts'

/** An error that nobody catches ends the receiver permanently. */
const endsAt = (handle: (request: IncomingMessage) => unknown): Pick<Setting, 'first'> => ({
  first(request, stop) {
    try {
      handle(request)
      return false
    } catch {
      stop()
      return true
    }
  },
})
/** A regular expression with nested repetition would block this process: what takes it long is refused at once. */
const failIf = (isSlow: boolean): void => {
  if (isSlow) throw new Error('matches forever')
}
const crashing = (
  handle: (request: IncomingMessage) => unknown,
  ...fails: Mutant['fails']
): Pick<Mutant, 'does' | 'setting' | 'cause' | 'fails'> => ({
  does: {},
  setting: endsAt(handle),
  cause: 'crashed',
  fails,
})

/** Receivers that one unsigned request ends or blocks, and one that forgets a sender that is gone (SPEC.md 6.5 and 10.9). */
export const OF_UNSIGNED_REQUESTS: Readonly<Record<string, Mutant>> = {
  'reads the path with new URL': crashing(
    ({ url = '' }) => new URL(url, 'http://localhost'),
    'robustness/good-after-odd-targets',
  ),
  'decodes the path for its log': crashing(
    ({ url = '' }) => decodeURIComponent(url),
    'robustness/good-after-odd-targets',
  ),
  'calls a method of the parsed query': crashing(
    ({ url = '' }) => failIf(/[?&]hasOwnProperty=/.test(url)),
    'robustness/good-after-odd-targets',
  ),
  'runs out of memory when it expands a body': {
    ...crashing(
      ({ headers }) =>
        failIf(headers['content-encoding'] === 'gzip' && Number(headers['content-length']) > 50_000),
      'robustness/good-while-compressed-bodies-expand',
    ),
    timed: true,
  },
  'builds a URL from the Host header': crashing(
    ({ headers: { host = 'localhost' } }) => new URL(`http://${host}`),
    'robustness/good-after-odd-hosts',
  ),
  'builds a URL from the headers of a proxy': crashing(
    ({ headers }) =>
      headers['x-forwarded-host'] && new URL(`http://${headers['x-forwarded-host'].toString()}`),
    'robustness/good-after-odd-hosts',
  ),
  'decodes cookies': crashing(
    ({ headers: { cookie = '' } }) => decodeURIComponent(cookie),
    'robustness/good-after-odd-headers',
  ),
  'decodes Basic credentials': crashing(
    ({ headers: { authorization } }) => failIf(authorization === 'Basic'),
    'robustness/good-after-odd-headers',
  ),
  'formats numbers for the language of the sender': crashing(
    ({ headers }) => (1).toLocaleString(headers['accept-language']?.split(',')[0]),
    'robustness/good-after-odd-headers',
  ),
  'copies each header line into a buffer of 8 KiB': crashing(
    ({ rawHeaders }) => failIf(rawHeaders.some(({ length }) => length > 8192)),
    'robustness/good-after-odd-headers',
  ),
  'decodes the body by the stated charset': crashing(
    ({ headers }) => new TextDecoder(/charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1]),
    'robustness/good-after-odd-content-types',
  ),
  'needs the boundary of a multipart body': crashing(
    ({ headers }) => failIf(headers['content-type'] === 'multipart/form-data'),
    'robustness/good-after-odd-content-types',
  ),
  'does not handle the error of a decompressing stream': crashing(
    ({ headers }) => headers['content-encoding'] === 'gzip' && gunzipSync('{}'),
    'robustness/good-after-odd-content-types',
  ),
  'serves WebSocket and needs its key': {
    ...crashing(
      ({ headers }) => failIf(headers.upgrade !== undefined && headers['sec-websocket-key'] === undefined),
      'robustness/good-after-odd-protocol',
    ),
    setting: {
      upgrades: true,
      ...endsAt(({ headers }) => failIf(headers.upgrade !== undefined)),
    },
  },
  'decodes the settings of an upgrade': crashing(
    ({ headers }) => decodeURIComponent(headers['http2-settings']?.toString() ?? ''),
    'robustness/good-after-odd-protocol',
  ),
  'matches the signature header with nested repetition': crashing(
    ({ headers }) => failIf((headers['x-service-signature'] ?? '').toString().split('=').length > 50),
    'robustness/good-after-headers-that-are-slow-to-match',
  ),
  'matches cookies with nested repetition': crashing(
    ({ headers }) => failIf((headers.cookie ?? '').length > 100),
    'robustness/good-after-headers-that-are-slow-to-match',
  ),
  'has sixteen threads, each for a request that has not ended': {
    // Longer than the suite waits, which would otherwise depend on the load of the machine.
    does: { bodyWithinMs: 30_000 },
    setting: { threads: 16 },
    fails: ['robustness/good-while-bodies-are-held'],
    timed: true,
    slow: true,
  },
  'marks an event as seen, then stops when the sender is gone': {
    does: () => forgetting(),
    cause: 'work_canceled',
    fails: ['acknowledgement/sender-gone-before-the-response'],
    timed: true,
  },
}

function forgetting(): Partial<Behavior> {
  const taken = new Set<string>()
  const keyOf = (event: Event) => JSON.stringify([idOf(event), nameOf(event)])
  return {
    keeps: (event: Event) => !taken.has(keyOf(event)),
    async acknowledge(event: Event, response: ServerResponse) {
      if (!taken.has(keyOf(event))) {
        taken.add(keyOf(event))
        await pause(25)
        if (response.destroyed) throw new Error('canceled')
      }
      response.writeHead(200).end()
    },
  }
}
