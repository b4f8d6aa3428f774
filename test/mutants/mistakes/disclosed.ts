import { inspect } from 'node:util'
import { CORRECT } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const LONG_HEADER = 5_000

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

/** Answers that show a key or a signature in another form than its own, or only to some request (SPEC.md 11.1 and 11.2). */
export const OF_DISCLOSED: Readonly<Record<string, Mutant>> = {
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
