import type { IncomingMessage } from 'node:http'
import { CORRECT, signing } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const typeOf = ({ headers }: IncomingMessage) => headers['content-type'] ?? ''
const isJson = (request: IncomingMessage) => /^application\/json\b/i.test(typeOf(request))
const isForm = (request: IncomingMessage) => typeOf(request).startsWith('application/x-www-form-urlencoded')

const answering = (status: number, is: (request: IncomingMessage) => boolean): Mutant['does'] => ({
  gate: (request, body) => (is(request) ? status : CORRECT.gate(request, body)),
})
/** Verifies text that was made from the body. */
const verifying = (textOf: (body: string) => string): Mutant['does'] => ({
  messages: (t, body) => [signing(`${t}.`, textOf(body.toString()))],
})
/** Writes an object with the given replacements, as libraries do that escape more than JSON requires. */
const serialized = (body: string, ...replaced: readonly (readonly [string, string])[]) => {
  try {
    return replaced.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(JSON.parse(body)))
  } catch {
    return body
  }
}

const BLOCK_BYTES = 16 * 1024
const blocksOf = (body: Buffer) =>
  Array.from({ length: Math.ceil(body.length / BLOCK_BYTES) }, (_, n) =>
    body.subarray(n * BLOCK_BYTES, (n + 1) * BLOCK_BYTES),
  )

/** Mistakes with the raw body, each from the tracker of a library or framework (SPEC.md 1 and 4). */
export const OF_FIELD_BODY: Readonly<Record<string, Mutant>> = {
  // What is verified
  'verifies the body as ASCII': {
    does: verifying((body) => body.replaceAll(/[^\0-\x7f]/g, '?')),
    fails: ['body-bytes/beyond-ascii'],
    dependsOnData: true,
    cause: 'body_decoded_as_text',
    source: 'https://github.com/github/docs/issues/3567',
  },
  'writes escapes in uppercase before it verifies': {
    does: verifying((body) => body.replaceAll(/\\u[\da-f]{4}/g, (all) => `\\u${all.slice(2).toUpperCase()}`)),
    fails: ['body-bytes/escaped-characters'],
    source: 'https://github.com/octokit/webhooks.js/pull/96',
  },
  'serializes the body with escaped slashes and ampersands': {
    does: verifying((body) => serialized(body, ['/', '\\/'], ['&', '\\u0026'])),
    fails: ['body-bytes/indented', 'body-bytes/spaced'],
    source: 'https://github.com/Shopify/shopify-express/pull/15',
  },
  'escapes only the first slash': {
    does: verifying((body) => serialized(body).replace('/', '\\/').replace('&', '\\u0026')),
    fails: ['body-bytes/escaped-slashes', 'body-bytes/indented'],
    source: 'https://github.com/lpinca/shopify-token/issues/7',
  },
  'verifies the name of the type of the parsed body': {
    does: verifying(() => '[object Object]'),
    fails: ['transport/posted-as-json'],
    cause: 'body_already_read',
    source: 'https://github.com/stripe/stripe-node/issues/331',
  },
  'verifies the printed form of the bytes': {
    does: verifying((body) => `b'${body}'`),
    fails: ['transport/posted-as-json'],
    cause: 'signed_text_differs',
    source: 'https://github.com/stripe/stripe-python/issues/346',
  },
  'decodes each block of 16 KiB by itself': {
    does: { messages: (t, body) => [signing(`${t}.`, ...blocksOf(body).map((block) => block.toString()))] },
    fails: ['body-bytes/of-60-kib-beyond-ascii'],
    cause: 'body_decoded_as_text',
    source: 'https://github.com/Shopify/shopify-api-js/issues/320',
  },
  'verifies a body with a line break at its end': {
    does: {
      messages: (t, body) => [signing(`${t}.`, body), signing(`${t}.`, body.toString().replace(/\n$/, ''))],
    },
    fails: ['body-bytes/line-break-added'],
    cause: 'body_trimmed',
    source: 'https://github.com/forklaunch/forklaunch/pull/244',
  },

  // What the framework read before
  'has the raw body of JSON only': {
    does: answering(500, (request) => !isJson(request)),
    fails: ['transport/content-type-missing', 'transport/content-type-text', 'transport/content-type-form'],
    cause: 'error_not_caught',
    source: 'https://github.com/medusajs/medusa/pull/15202',
  },
  'has a parser in front that consumes JSON': {
    does: answering(503, isJson),
    fails: ['transport/posted-as-json'],
    cause: 'body_already_read',
    source: 'https://github.com/stripe/stripe-node/issues/331',
  },
  'has parsers in front that consume JSON and forms': {
    does: answering(500, (request) => isJson(request) || isForm(request)),
    fails: ['transport/posted-as-json', 'transport/content-type-form'],
    cause: 'body_already_read',
    source: 'https://github.com/stripe/stripe-node/issues/331',
  },
  'reads the event from a body that was read before': {
    does: { messages: (t) => [signing(`${t}.`)], isEvent: (value): value is never => value === undefined },
    fails: ['transport/posted-as-json'],
    cause: 'body_already_read',
    source: 'https://github.com/zulip/zulip/issues/13847',
  },
  'acknowledges forms, and ignores them': {
    does: answering(200, (request) => request.method === 'POST' && isForm(request)),
    fails: ['bypass/content-type-of-a-form'],
    cause: 'verification_bypassed',
  },
  'has a body parser that consumes forms': {
    does: {
      join: (chunks, request) => (isForm(request) ? Buffer.alloc(0) : Buffer.concat(chunks)),
    },
    fails: ['transport/content-type-form'],
    source: 'https://github.com/spring-projects/spring-boot/issues/4782',
  },
  'fails to read the body a second time': {
    does: answering(500, isForm),
    fails: ['transport/content-type-form'],
    cause: 'error_not_caught',
    source: 'https://github.com/zulip/zulip/issues/13847',
  },
  'is behind a gateway that encodes a body of an unknown type in base64': {
    does: {
      join: (chunks, request) =>
        /json|text/i.test(typeOf(request))
          ? Buffer.concat(chunks)
          : Buffer.from(Buffer.concat(chunks).toString('base64')),
    },
    fails: ['transport/content-type-missing', 'transport/content-type-form'],
    source: 'https://github.com/redwoodjs/graphql/pull/2339',
  },
  'verifies the base64 that its gateway makes of a body': {
    does: { messages: (t, body) => [signing(`${t}.`, body.toString('base64'))] },
    fails: ['transport/posted-as-json'],
    cause: 'signed_text_differs',
    source: 'https://github.com/stripe/stripe-node/issues/1768',
  },
  'takes a delivery for a form from another site': {
    does: answering(403, (request) => isForm(request) || typeOf(request).startsWith('text/plain')),
    fails: ['transport/content-type-form', 'transport/content-type-text'],
    source: 'https://github.com/sveltejs/kit/issues/14889',
  },
}
