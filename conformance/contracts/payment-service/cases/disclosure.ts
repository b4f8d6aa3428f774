import { gzipSync } from 'node:zlib'
import { inAnyOrder, inOrder, inTurn } from '../../../engine/plan.ts'
import { asControl, type Delivery, type HeaderLine } from '../../webhook/delivery.ts'
import { secretPattern, signaturePatterns, TRACES } from '../../webhook/disclosures.ts'
import { nothingDisclosedInTheRun, unlessByChance } from '../../webhook/expectations/entire-run.ts'
import { nothingDisclosed } from '../../webhook/expectations/expect.ts'
import type { Plan } from '../../webhook/model.ts'
import { amountAltered, forged, header, signedAt, v1 } from '../../webhook/mutate.ts'
import { mutatedThenControl } from '../../webhook/plans.ts'
import type { Kit } from '../kit.ts'
import { requirement, section } from '../section.ts'
import { FORGED } from './signature-header/common.ts'

/** One delivery for each reason to refuse, since each may have a different error message. */
const refusedInManyWays = (kit: Kit): Plan => {
  const ways = [
    header('no signature header', () => []),
    header('an empty v1', ({ t }) => `t=${t},v1=`),
    signedAt('t an hour ago', (now) => now - 3600),
    v1('a signature of zeros', () => '0'.repeat(64)),
    v1('half of a signature', () => 'ab'.repeat(16)),
    amountAltered,
  ]
  return inAnyOrder(...ways.map((change) => change(kit.delivery('completed'), kit)))
}
const unreadable = (kit: Kit): Plan =>
  inTurn(
    { ...kit.body('{"event":'), change: 'a signed body that is not JSON' },
    { ...kit.body('null'), change: 'the signed JSON value null' },
  )
/** What an error handler of a framework may answer, before the receiver checks the signature. */
const unsignedAndUnusual = (kit: Kit): Plan => {
  const post = (change: string, delivery: Partial<Delivery>): Delivery => ({
    ...kit.body('{"event":'),
    change,
    signature: [`t=${kit.now()},v1=${FORGED}`],
    ...delivery,
  })
  const json = (type: string, ...more: HeaderLine[]): HeaderLine[] => [['Content-Type', type], ...more]
  return inTurn(
    post('forged JSON that breaks off', {}),
    post('a forged body of 2 MiB', { body: Buffer.alloc(2 ** 21, ' ') }),
    ...['gzip', 'deflate', 'br'].map((coding) =>
      post(`the content encoding ${coding}, which the body does not have`, {
        headers: json('application/json', ['Content-Encoding', coding]),
      }),
    ),
    post('a gzipped body that breaks off', {
      headers: json('application/json', ['Content-Encoding', 'gzip']),
      body: gzipSync('{"event":"payment.completed"}').subarray(0, 20),
    }),
    ...['x-unknown', 'utf-16', 'utf-32', 'utf-7', 'us-ascii'].map((charset) =>
      post(`the charset ${charset}, which the body does not have`, {
        headers: json(`application/json; charset=${charset}`),
        body: Buffer.from('{"event":+\u00ff', 'latin1'),
      }),
    ),
    post('a body that is not UTF-8', { body: Buffer.from('{"event":"\u00ff"}', 'latin1') }),
    post('a content type that is none', { headers: json('/;;=') }),
    post('a query that cannot be decoded', { route: (path) => `${path}?%E0%A4%A` }),
    post('a path that cannot be decoded', { route: (path) => `${path}/%E0%A4%A` }),
  )
}
const visiting = (kit: Kit, name: string, route: (path: string) => string = (path) => path): Delivery => ({
  ...kit.body(''),
  method: name,
  change: `the method ${name}`,
  headers: [],
  signature: [],
  route,
})
/** What a browser, a crawler or a client that looks for a way in sends. */
const visits = (kit: Kit): Plan =>
  inTurn(
    visiting(kit, 'GET'),
    visiting(kit, 'HEAD'),
    visiting(kit, 'OPTIONS'),
    {
      ...visiting(kit, 'GET', (path) => `${path}-that-does-not-exist`),
      change: 'a path that does not exist',
    },
    { ...visiting(kit, 'POST', queried), change: 'an empty body with the query debug=1' },
  )
/** Pages on which servers, frameworks and debuggers show their configuration, or how they were started. */
const PAGES = [
  '/.env',
  '/.env.local',
  '/.git/config',
  '/actuator',
  '/actuator/configprops',
  '/actuator/env',
  '/actuator/mappings',
  '/api/config',
  '/api/debug',
  '/config',
  '/config.json',
  '/configz',
  '/debug',
  '/debug/env',
  '/debug/config',
  '/debug/pprof/cmdline',
  '/debug/requests',
  '/debug/vars',
  '/_debug',
  '/__debug__/',
  '/_profiler/phpinfo',
  '/docker-compose.yml',
  '/env',
  '/environment',
  '/health',
  '/healthz',
  '/info',
  '/info.php',
  '/metrics',
  '/phpinfo.php',
  '/proc/self/environ',
  '/rails/info/properties',
  '/server-info',
  '/settings',
  '/status',
  '/telescope/requests',
  '/vars',
  '/version',
]
/** What a router may serve below the endpoint. */
const BELOW = ['/.env', '/actuator/env', '/config', '/debug', '/debug/pprof/cmdline', '/env']
/** The pages at the root of the server, and some of them below the endpoint. */
const pages = (kit: Kit): Plan =>
  inAnyOrder(
    ...PAGES.map((page) => ({ ...visiting(kit, 'GET', () => page), change: `GET ${page}` })),
    ...BELOW.map((page) => ({
      ...visiting(kit, 'GET', (path) => `${path.replace(/\/?(?:\?.*)?$/s, '')}${page}`),
      change: `GET ${page} below the endpoint`,
    })),
  )
const queried = (path: string) => `${path}${path.includes('?') ? '&' : '?'}debug=1&verbose=1`
const control = (kit: Kit): Plan => inTurn(asControl(kit.delivery('completed')))

/** The answers of all other cases are searched too. */
const forgedAlone = mutatedThenControl(forged)

const shown = nothingDisclosed('secret', (_, { secrets }) => secrets.map(secretPattern))
const noSecret = unlessByChance(shown)
const noSignature = nothingDisclosed('signature', (exchange, { secrets }) =>
  signaturePatterns(exchange, secrets),
)
const noSecretInTheRun = unlessByChance(nothingDisclosedInTheRun('secret'))
const noSignatureInTheRun = nothingDisclosedInTheRun('signature')
const noTrace = nothingDisclosed('trace', () => TRACES)
const noTraceInTheRun = nothingDisclosedInTheRun('trace')

const FIXED_MESSAGE = 'Answer with a fixed message and a code; keep the details in your own log.'

export const disclosure = section(
  'disclosure',
  'Disclosure',
  requirement(
    'A response MUST NOT contain the signing secret.',
    {
      impact: 'A rejected request leaks the signing secret, which lets an attacker sign any delivery.',
      fix: 'Answer with a fixed message and a code, and never log or print the secret.',
    },
    {
      'no-secret-in-a-refusal': {
        send: (kit) => inOrder(refusedInManyWays(kit), control(kit)),
        expect: [noSecret],
      },
      'no-secret-after-an-unreadable-body': {
        send: (kit) => inOrder(unreadable(kit), control(kit)),
        expect: [noSecret],
      },
      'no-secret-in-an-answer-to-get': {
        send: (kit) => inOrder(visits(kit), control(kit)),
        expect: [noSecret],
        impact:
          'Anyone who opens the address in a browser gets the signing secret and can sign any delivery.',
        fix: 'Answer 404 or 405 to other methods, and show no configuration on any page.',
      },
      'no-secret-on-pages-of-operators': {
        send: (kit) => inOrder(pages(kit), control(kit)),
        expect: [noSecret],
        impact:
          'Anyone who opens a page for operators, such as /debug/pprof/cmdline or /actuator/env, gets the signing secret and can sign any delivery.',
        fix: 'Serve such pages on another port or not at all, serve no files beside the program, and pass the secret by a file or the environment instead of the command line.',
      },
      'no-secret-in-any-response': {
        late: { afterMs: 0 },
        send: forgedAlone,
        expect: [noSecretInTheRun],
        impact:
          'Some request gets the signing secret in its response, which lets an attacker sign any delivery.',
      },
    },
  ),
  requirement(
    'A response MUST NOT contain the expected signature.',
    { impact: 'An attacker can learn how to sign a forged body.', fix: FIXED_MESSAGE },
    {
      'no-expected-signature-in-a-refusal': {
        send: (kit) => inOrder(refusedInManyWays(kit), control(kit)),
        expect: [noSignature],
      },
      'no-expected-signature-in-any-response': {
        late: { afterMs: 0 },
        send: forgedAlone,
        expect: [noSignatureInTheRun],
      },
    },
  ),
  requirement(
    'A response to a delivery that is not validly signed MUST NOT contain a stack trace.',
    {
      impact: 'An attacker can learn the file paths, libraries and versions of the server.',
      fix: 'Catch errors in one place and answer with a fixed message.',
    },
    {
      'no-trace-after-unusual-requests': {
        send: (kit) => inOrder(unsignedAndUnusual(kit), control(kit)),
        expect: [noTrace],
      },
      'no-trace-in-a-refusal': {
        send: (kit) => inOrder(refusedInManyWays(kit), control(kit)),
        expect: [noTrace],
      },
      'no-trace-in-any-response': {
        late: { afterMs: 0 },
        send: forgedAlone,
        expect: [noTraceInTheRun],
        impact:
          'Some request without a valid signature, which anyone can send, gets file paths, libraries and versions of the server.',
        fix: 'Catch errors in one place, also those of the body parser, the router and the framework, and answer with a fixed message. Run the framework in its production mode.',
      },
    },
  ),
  requirement(
    'A response to a validly signed delivery SHOULD NOT contain a stack trace.',
    {
      impact: 'The file paths, libraries and versions of the server appear in the logs of the service.',
      fix: 'Catch errors in one place and answer with a fixed message.',
    },
    {
      'no-trace-after-an-unreadable-body': {
        send: (kit) => inOrder(unreadable(kit), control(kit)),
        expect: [noTrace],
      },
    },
  ),
)
