import type { IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { CORRECT } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const LONG_HEADER = 5_000
const IN_ANY = 'disclosure/no-trace-in-any-response'
/** Shows the signing secret in the answer to a long header alone, in some encoding. */
const afterLongHeader = (show: (secret: string) => string): Mutant => ({
  does: {
    entries(header) {
      if (header.length > LONG_HEADER) throw new Error('the header is too long')
      return CORRECT.entries(header)
    },
    explain: (problem, { secret }) => (problem.code === 500 ? show(secret) : problem.message),
  },
  cause: 'secret_disclosed',
  also: ['error_not_caught'],
  fails: ['disclosure/no-secret-in-any-response', 'robustness/header-of-8-kib-is-answered'],
})
/** Shows the expected signature in each refusal, in some encoding. */
const expected = (show: (signature: Buffer) => string): Mutant => ({
  does: {
    explain: (problem, known) => `${problem.message}: ${show(Buffer.from(known.expected ?? '', 'hex'))}`,
  },
  cause: 'signature_disclosed',
  fails: [
    'disclosure/no-expected-signature-in-a-refusal',
    'disclosure/no-expected-signature-in-any-response',
  ],
})

/** Shows the secret on a page for operators. */
const onPage = (path: string, show: (secret: string) => string): Mutant => ({
  does: {
    gate: (request, body) => (request.url === path ? 200 : CORRECT.gate(request, body)),
    explain: (problem, { secret }) => (problem.code === 200 ? show(secret) : problem.message),
  },
  cause: 'secret_disclosed',
  fails: ['disclosure/no-secret-on-pages-of-operators', 'disclosure/no-secret-in-any-response'],
})

/** Shows where an error was thrown in the answer to a request that no other case looks at. */
const traced = (isOdd: (request: IncomingMessage, body: Buffer) => boolean, status: number): Mutant => ({
  does: {
    gate: (request, body) => (isOdd(request, body) ? status : CORRECT.gate(request, body)),
    explain: (problem) => (problem.code === status ? String(problem.stack) : problem.message),
  },
  needsAll: true,
  cause: 'trace_disclosed',
  fails: [IN_ANY],
})

/** Answers that show a key or a signature in another form than its own, or only to some request (SPEC.md 11.1 and 11.2). */
export const OF_DISCLOSED: Readonly<Record<string, Mutant>> = {
  'shows a trace for forged JSON that breaks off': traced(
    ({ headers }, body) =>
      /v1=0{64}$/.test(String(headers['x-service-signature'])) && body.toString() === '{"event":',
    422,
  ),
  'shows a trace for JSON that is nested too deeply': traced(
    (_, body) => /^(?:\{"a":\[){99}/.test(body.toString()),
    422,
  ),
  'shows a trace for a body that is too large': traced((_, body) => body.length >= 2 ** 21, 413),
  'shows a trace for a target that cannot be decoded': traced(
    ({ url = '' }) => /%(?![\da-f]{2})/i.test(url),
    406,
  ),
  'shows its key in base64 when an error is not caught': afterLongHeader((secret) =>
    Buffer.from(`key=${secret}&`).toString('base64url'),
  ),
  'shows its key as bytes when an error is not caught': afterLongHeader((secret) =>
    inspect(Buffer.from(secret)),
  ),
  'shows its key escaped when an error is not caught': afterLongHeader((secret) =>
    [...Buffer.from(secret)].map((byte) => `&#x${byte.toString(16)};`).join(''),
  ),
  'shows its command line to everybody': onPage(
    '/debug/pprof/cmdline',
    (secret) => `/app/receiver\0--secret\0${secret}`,
  ),
  'shows its environment to everybody': onPage('/actuator/env', (secret) =>
    JSON.stringify({ systemEnvironment: { WEBHOOK_SECRET: { value: secret } } }),
  ),
  'serves the files beside its program': onPage('/webhooks/.env', (secret) => `WEBHOOK_SECRET=${secret}\n`),
  'shows the expected signature as JSON': expected((signature) => JSON.stringify({ expected: signature })),
  'shows the expected signature as signed bytes': expected((signature) =>
    JSON.stringify([...new Int8Array(signature)]),
  ),
  'shows the expected signature as printed bytes': expected((signature) => inspect(signature)),
  'shows the expected signature in base64url': expected((signature) => signature.toString('base64url')),
}
