import { describe, expect, it } from 'vitest'
import {
  EngineError,
  type EngineFailure,
  type ObservationFailure,
} from '../../../conformance/engine/errors.ts'
import { HarnessError } from '../../../conformance/harness-error.ts'
import { harnessError, inWords, wireText } from '../../../conformance/report/words/failures.ts'

const address = 'http://127.0.0.1:3000/webhooks'
const unreachable = (error: Extract<EngineFailure, { code: 'unreachable' }>['error']): EngineFailure => ({
  code: 'unreachable',
  of: 'receiver',
  address,
  error,
})
const answer = (status: number, body = '') => ({
  status,
  headers: [],
  body: Buffer.from(body),
  truncated: false,
  ms: 1,
})
const notFound = (body: string) => answer(404, body)
const turnedAway = (status: number) => ({ url: address, answer: answer(status), after: 20 })
const observed = (why: ObservationFailure, source?: string): EngineFailure => ({
  code: 'observation_failed',
  source,
  why,
})

describe('a failure of the engine is data, and its sentence says how to fix it', () => {
  it.each<[EngineFailure, string, string[]]>([
    [
      unreachable({ code: 'refused', nodeCode: 'ECONNREFUSED' }),
      `could not reach ${address}: the connection was refused (ECONNREFUSED); start the receiver, or use the address that it listens on`,
      [],
    ],
    [
      unreachable(undefined),
      `could not reach ${address}: there was no response; check that an HTTP server listens there`,
      [],
    ],
    [
      unreachable({ code: 'timeout', afterMs: 60 }),
      `could not reach ${address}: no response arrived within 60 ms; find out why the receiver does not respond, or raise "timeoutMs"`,
      ['timeoutMs'],
    ],
    [
      unreachable({ code: 'local', nodeCode: 'EMFILE' }),
      `could not reach ${address}: this machine could not open a connection (EMFILE); raise the open-file limit (ulimit -n), close other programs, or lower "concurrency"`,
      ['concurrency'],
    ],
    [
      unreachable({ code: 'tls', nodeCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      `could not reach ${address}: the TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT); the certificate is self-signed or from an unknown CA: trust it with "ca" or NODE_EXTRA_CA_CERTS, or skip the check with "insecure"`,
      ['ca', 'insecure'],
    ],
    [
      unreachable({ code: 'tls', nodeCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
      `could not reach ${address}: the TLS handshake failed (ERR_TLS_CERT_ALTNAME_INVALID); use a host name that the certificate contains, or skip the check with "insecure"`,
      ['insecure'],
    ],
    [
      unreachable({ code: 'tls', nodeCode: 'EPROTO' }),
      `could not reach ${address}: the TLS handshake failed (EPROTO); check whether the URL should start with http://`,
      [],
    ],
    [
      { code: 'unreachable', of: 'observer', address, error: { code: 'reset', wasRepeated: true } },
      `could not reach the observe URL ${address}: the connection was closed twice; check that an HTTP server listens there`,
      [],
    ],
    [
      { code: 'unreachable', of: 'receiver', address, error: { code: 'timeout' }, isOneAtATime: true },
      `${address} does not respond while another connection to the receiver is open, even an idle one: let it serve several at once, with more threads or processes, or close each connection after its response`,
      [],
    ],
    [
      { code: 'no_endpoint', url: address, answer: notFound('') },
      `${address} answered 404 to a valid delivery: check the path of the webhook endpoint`,
      [],
    ],
    [
      { code: 'no_endpoint', url: address, answer: notFound('<center>nginx/1.27.0</center>') },
      `${address} answered 404 to a valid delivery, by a proxy (nginx): check the path of the webhook endpoint`,
      [],
    ],
    [
      { code: 'rate_limited', ...turnedAway(429) },
      `${address} answers 429 to every valid delivery, after 20 deliveries in which it accepted valid ones: it limits the rate; send slower with "rate", for example 10 deliveries a second, or raise the limit`,
      ['rate'],
    ],
    [
      { code: 'blocked', ...turnedAway(403) },
      `${address} answers 403 to every valid delivery, after 20 deliveries in which it accepted valid ones: it blocks this machine, probably because of the invalid ones; exempt this machine from the ban list, or send slower with "rate"`,
      ['rate'],
    ],
    [
      { code: 'unavailable', ...turnedAway(503) },
      `${address} answers 503 to every valid delivery, after 20 deliveries in which it accepted valid ones: it fails, or limits the rate; check the receiver's log, and only if that shows a limit, raise it or send slower with "rate"`,
      ['rate'],
    ],
    [
      { code: 'seed_used', seed: 'a@1' },
      'the receiver already shows effects of a run with "seed" a@1: use another "seed", or check that the observer filters effects by the id that it is asked for',
      ['seed'],
    ],
    [
      { code: 'not_killed', why: { code: 'still_listening', host: '127.0.0.1:3000' } },
      'something still listens at 127.0.0.1:3000 after the kill: the "start" command started it outside its process group; pass "killCommand"',
      ['start', 'killCommand'],
    ],
    [
      { code: 'not_killed', why: { code: 'still_running' } },
      'a process of the "start" command still runs after SIGKILL: pass "killCommand"',
      ['start', 'killCommand'],
    ],
    [
      { code: 'not_killed', why: { code: 'kill_command_late', ms: 10_000 } },
      'the "killCommand" did not end within 10 s',
      ['killCommand'],
    ],
    [
      { code: 'not_killed', why: { code: 'kill_command_failed', status: 3, signal: null } },
      'the "killCommand" failed with exit status 3',
      ['killCommand'],
    ],
    [
      { code: 'internal', case: 'effects/of-a-test', thrown: 'Error: a mistake' },
      'the case effects/of-a-test could not be sent: Error: a mistake',
      [],
    ],
    [
      observed({ code: 'threw', thrown: 'Error: no such table' }),
      'could not observe effects with the function in "observe": it threw: Error: no such table',
      [],
    ],
    [
      observed({ code: 'exited', status: 3, last: 'gone' }, 'show'),
      'could not observe effects with show: it exited with status 3; last output: gone',
      [],
    ],
    [
      observed({ code: 'too_late', ms: 30, last: '' }, 'show'),
      'could not observe effects with show: it took more than 30 ms',
      [],
    ],
    [
      observed(
        {
          code: 'unreadable',
          places: [
            { path: '', expected: 'an object', got: { kind: 'list' } },
            { path: '/a', expected: 'text', got: { kind: 'fields', names: [] } },
            { path: '/b', expected: 'text', got: { kind: 'value', type: 'boolean', json: 'true' } },
          ],
          more: 2,
        },
        address,
      ),
      `could not observe effects with ${address}: the output is not an observation: (root): expected an object, got a list; /a: expected text, got no field; /b: expected text, got the boolean true; and 2 more`,
      [],
    ],
  ])('%o', (failure, message, names) => {
    const cause = new Error('why')
    const error = new EngineError(failure, { cause })

    expect(error.message).toBe(failure.code)
    expect(harnessError(failure)).toMatchObject({ code: failure.code, message, names })
    expect(inWords(error)).toBeInstanceOf(HarnessError)
    expect(inWords(error)).toMatchObject({ code: failure.code, message, names, cause })
  })

  it('leaves any other error as it is', () => {
    const error = new TypeError('a bug')
    expect(inWords(error)).toBe(error)
  })

  it('names no code of Node.js beside a timeout', () => {
    expect(wireText({ code: 'timeout', nodeCode: 'ETIMEDOUT' })).toBe('no response arrived in time')
    expect(wireText({ code: 'reset' })).toBe('the connection was closed before a response arrived')
  })
})
