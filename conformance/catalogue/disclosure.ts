import { asControl } from '../case/delivery.ts'
import { nothingDisclosed } from '../case/expect.ts'
import type { Kit } from '../case/kit.ts'
import type { Evidence, Exchange } from '../case/model.ts'
import { amountAltered, header, hmac, signedAt, v1 } from '../case/mutate.ts'
import { inOrder, inTurn, type Plan } from '../case/plan.ts'
import { section } from './section.ts'

/** One delivery for each reason to refuse, since each may have an error message of its own. */
const refusedInManyWays = (kit: Kit): Plan => {
  const ways = [
    header('no signature header', () => []),
    header('an empty v1', ({ t }) => `t=${t},v1=`),
    signedAt('t an hour ago', (now) => now - 3600),
    v1('a signature of zeros', () => '0'.repeat(64)),
    v1('half of a signature', () => 'ab'.repeat(16)),
    amountAltered,
  ]
  return inTurn(...ways.map((change) => change(kit.delivery('completed'), kit)))
}
const unreadable = (kit: Kit): Plan =>
  inTurn(
    { ...kit.body('{"event":'), change: 'a signed body that is not JSON' },
    { ...kit.body('null'), change: 'the JSON null, signed' },
  )
const accepted = (kit: Kit): Plan => inTurn(asControl(kit.delivery('completed')))

const secretIn = ({ secrets }: Evidence) =>
  secrets.flatMap((secret) => spellings(Buffer.from(secret)).map(literal))

/** The signature that this very body should have had, in any usual spelling. */
const expectedIn = ({ delivery }: Exchange, { secrets }: Evidence) =>
  secrets.flatMap((secret) => {
    // A receiver that only echoes what it was sent tells nobody anything.
    const own = delivery.signature.join(',')
    const times = new Set([
      delivery.signed.t,
      ...delivery.signature.flatMap((line) => /t=(\d+)/.exec(line)?.[1] ?? []),
    ])
    return [...times].flatMap((t) =>
      spellings(Buffer.from(hmac('sha256', secret, `${t}.`, delivery.body), 'hex'), ['hex', 'base64'])
        .filter((signature) => !own.includes(signature))
        .map(literal),
    )
  })

const traces = [
  /^\s+at .+:\d+:\d+\)?$/m,
  /node_modules\//,
  /Traceback \(most recent call last\)/,
  /^\s+at [\w.$]+\([\w.]+\.java:\d+\)$/m,
  /goroutine \d+ \[/,
  /\.(?:rb|php|py|go|ts|js):\d+:(?:in |\d+)/,
  /#\d+ \/[\w/.-]+\.php\(\d+\)/,
]
const noSecret = nothingDisclosed('the signing secret', (_, evidence) => secretIn(evidence))
const noSignature = nothingDisclosed('the signature that was expected', expectedIn)
const noTrace = nothingDisclosed('a stack trace', () => traces)

const secretShown = {
  impact: 'Whoever sends one bad delivery is handed the key to sign any number of good ones.',
  fix: 'Answer with a fixed message and a code; keep the details for your own log, and the secret out of it.',
}
const traceShown = {
  impact: 'Strangers learn the paths, the libraries and the versions that the server runs.',
  fix: 'Catch errors in one place and answer a fixed message.',
}

export const disclosure = section('disclosure', 'Disclosure', {
  'no-secret-in-a-refusal': {
    spec: 'An answer MUST NOT contain the signing secret.',
    send: (kit) => inOrder(refusedInManyWays(kit), accepted(kit)),
    expect: [noSecret],
    ...secretShown,
  },
  'no-secret-after-an-unreadable-body': {
    spec: 'An answer MUST NOT contain the signing secret.',
    send: (kit) => inOrder(unreadable(kit), accepted(kit)),
    expect: [noSecret],
    ...secretShown,
  },
  'no-expected-signature-in-a-refusal': {
    spec: 'An answer MUST NOT contain the signature that was expected.',
    send: (kit) => inOrder(refusedInManyWays(kit), accepted(kit)),
    expect: [noSignature],
    impact: 'Whoever sends a body of their own is told how to sign it.',
    fix: secretShown.fix,
  },
  'no-trace-in-a-refusal': {
    spec: 'An answer MUST NOT contain a stack trace.',
    send: (kit) => inOrder(refusedInManyWays(kit), accepted(kit)),
    expect: [noTrace],
    ...traceShown,
  },
  'no-trace-after-an-unreadable-body': {
    spec: 'An answer MUST NOT contain a stack trace.',
    send: (kit) => inOrder(unreadable(kit), accepted(kit)),
    expect: [noTrace],
    ...traceShown,
  },
})

function spellings(
  bytes: Buffer,
  // Answers are searched as bytes, and latin1 is how a string holds those.
  encodings: readonly BufferEncoding[] = ['latin1', 'base64', 'hex'],
): string[] {
  return encodings.map((encoding) => bytes.toString(encoding))
}

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')
}
