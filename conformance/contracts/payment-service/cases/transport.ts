import { inTurn, onOneConnection, pipelined } from '../../../engine/plan.ts'
import { asControl } from '../../webhook/delivery.ts'
import { accepted, contextRefused, refusedWithin } from '../../webhook/expectations/expect.ts'
import { forged, header, headers, method, nameCase, sentAs, signedAt } from '../../webhook/mutate.ts'
import { mutated, mutatedThenControl } from '../../webhook/plans.ts'
import { deliver } from '../payments.ts'
import { requirement, section } from '../section.ts'

const TYPE = 'Content-Type'

const bodyMisread = {
  impact: 'Deliveries fail when a proxy or HTTP client chunks the body differently.',
  fix: 'Read the entire body as bytes before you look at it. A chunked body has no Content-Length; some servers, such as Python’s http.server and Django’s runserver, do not decode chunks for you.',
}
const bodyNotRead = {
  impact:
    'A real payment is refused, because the body parser ignores its content type and leaves the body empty.',
  fix: 'Read the raw bytes regardless of the content type: in Express, use raw-body or express.raw({ type: () => true }).',
}

export const transport = section(
  'transport',
  'Transport',
  requirement(
    'A receiver MUST accept a valid delivery sent by POST with the content type `application/json`.',
    {
      impact: 'The receiver records no payment at all.',
      fix: 'Check the path, the method, the signing secret and the name of the signature header.',
    },
    { 'posted-as-json': { send: deliver('completed'), expect: [accepted] } },
  ),
  requirement(
    'A receiver MUST accept a valid delivery whose content type has a parameter, such as `charset=utf-8`.',
    bodyNotRead,
    {
      'content-type-with-charset': {
        send: mutated(headers('a charset parameter', [[TYPE, 'application/json; charset=utf-8']])),
        expect: [accepted],
      },
      'content-type-with-a-quoted-charset': {
        send: mutated(headers('a quoted charset', [[TYPE, 'application/json; charset="utf-8"']])),
        expect: [accepted],
      },
      'content-type-with-other-parameters': {
        send: mutated(headers('two parameters', [[TYPE, 'application/json;version=2; profile="a;b"']])),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver SHOULD accept a valid delivery whose content type is missing or unusual.',
    bodyNotRead,
    {
      'content-type-missing': {
        send: mutated(headers('no content type', [])),
        expect: [accepted],
      },
      'content-type-text': {
        send: mutated(headers('the content type text/plain', [[TYPE, 'text/plain']])),
        expect: [accepted],
      },
      'content-type-form': {
        send: mutated(headers('the content type of a form', [[TYPE, 'application/x-www-form-urlencoded']])),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver MUST find the signature header regardless of how its name is capitalized.',
    {
      impact: 'Every delivery is refused when a proxy rewrites the header names.',
      fix: 'Look up the header case-insensitively.',
    },
    {
      'header-name-in-lower-case': {
        send: mutated(nameCase('lower')),
        expect: [accepted],
        impact: 'Every delivery is refused when it passes through an HTTP/2 proxy.',
      },
      'header-name-in-upper-case': { send: mutated(nameCase('upper')), expect: [accepted] },
    },
  ),
  requirement(
    'A receiver MUST accept a valid delivery whose body arrives in chunks, wherever the chunk boundaries are.',
    bodyMisread,
    {
      'chunked-in-two': {
        send: mutated(
          sentAs('a body in two chunks', (body) => ({ kind: 'chunked', cuts: [body.length >> 1] })),
        ),
        expect: [accepted],
      },
      'chunked-inside-a-character': {
        send: (kit) => {
          const delivery = kit.delivery('completed', { metadata: { note: 'Zoë paid 5 € 🎁' } })
          const inside = ['ë', '€', '🎁'].map((character) => delivery.body.indexOf(character) + 1)
          return inTurn(
            sentAs('chunk boundaries inside characters', () => ({ kind: 'chunked', cuts: inside }))(
              delivery,
              kit,
            ),
          )
        },
        expect: [accepted],
        impact: 'A payment is refused whenever a chunk boundary falls inside an accented character.',
        fix: 'Concatenate the chunks as bytes; decode only after the last one.',
      },
      'chunked-in-single-bytes': {
        send: mutated(
          sentAs('a body that begins with chunks of one byte', () => ({
            kind: 'chunked',
            cuts: [1, 2, 3, 4, 5, 6, 7, 8],
          })),
        ),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver MUST accept valid deliveries that follow one another, on one connection or on several.',
    {
      impact: 'Later deliveries fail when the service keeps its connection open.',
      fix: 'Read each body to its end, and answer with a Content-Length or close the connection cleanly.',
    },
    {
      'several-on-one-connection': {
        send: (kit) =>
          onOneConnection(
            kit.delivery('completed'),
            kit.delivery('failed-card_declined'),
            kit.delivery('completed'),
          ),
        expect: [accepted],
      },
      'valid-after-refused-on-one-connection': {
        // A receiver may close the connection after a refusal: the sender then opens another one.
        send: (kit) => {
          const refusal = forged(kit.delivery('completed'), kit)
          return onOneConnection(
            asControl(kit.delivery('completed')),
            { ...refusal, role: 'context' },
            kit.delivery('completed'),
            asControl(kit.delivery('completed')),
          )
        },
        expect: [contextRefused(400, 401, 403), accepted],
        impact:
          'A payment is lost because the receiver parses the rest of a refused body as the next delivery.',
        fix: 'Read a refused body to its end too, or close the connection after the response.',
        about: ['rejected', 'server-error', 'no-response'],
      },
      'valid-after-early-refusals-on-one-connection': {
        send: (kit) => {
          const early = [
            header('no signature header', () => []),
            header('a signature header without entries', () => 'x'),
            signedAt('t an hour ago', (now) => now - 3600),
          ]
          return onOneConnection(
            ...early.flatMap((change) => [
              { ...change(kit.delivery('completed'), kit), role: 'context' as const },
              kit.delivery('completed'),
            ]),
          )
        },
        expect: [accepted],
        open: 'Any response to the other deliveries is correct, or none; a receiver may close the connection.',
        impact:
          'A payment is lost, or taken for something else, because the body of a request that was refused early is parsed as the next request; behind a proxy, anyone can cause that.',
        fix: 'Read a refused body to its end, or close the connection after the response.',
        about: ['rejected', 'server-error', 'no-response'],
      },
    },
  ),
  requirement(
    'A receiver MUST accept a valid delivery whose body arrives slowly.',
    { ...bodyMisread, impact: 'Deliveries fail when a proxy or HTTP client sends the body slowly.' },
    {
      'body-that-drips': {
        send: mutated(
          sentAs('a body that takes 150 ms to arrive', () => ({ kind: 'drip', pieces: 4, gapMs: 50 })),
        ),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver SHOULD accept a valid delivery that announces its body with `Expect: 100-continue`.',
    {
      ...bodyMisread,
      impact: 'Deliveries fail when a proxy or HTTP client sends the body only after `100 Continue`.',
    },
    {
      'expect-100-continue': {
        send: mutated(sentAs('an Expect header', () => ({ kind: 'expect-continue' }))),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver SHOULD refuse a delivery sent by a method other than POST, with a status from 400 to 499 or 501.',
    {
      impact: 'The endpoint acts on requests with methods that the service never uses.',
      fix: 'Accept only POST.',
    },
    {
      'method-put': { send: mutatedThenControl(method('PUT')), expect: [refusedWithin(400, 499, 501)] },
      'method-patch': { send: mutatedThenControl(method('PATCH')), expect: [refusedWithin(400, 499, 501)] },
      'method-delete': { send: mutatedThenControl(method('DELETE')), expect: [refusedWithin(400, 499, 501)] },
    },
  ),
  requirement(
    'A receiver SHOULD accept valid deliveries that are sent on one connection before the earlier ones are answered.',
    {
      impact: 'A delivery that closely follows another one is lost, or gets the response to the other one.',
      fix: 'Use a standard HTTP/1.1 server, and answer in the order of the requests. The development server of PHP (php -S) drops such requests: use PHP-FPM behind nginx or Apache.',
    },
    {
      pipelined: {
        send: (kit) =>
          pipelined(
            kit.delivery('completed'),
            kit.delivery('failed-card_declined'),
            kit.delivery('completed'),
          ),
        expect: [accepted],
      },
      'pipelined-after-refused': {
        send: (kit) => {
          const refusal = forged(kit.delivery('completed'), kit)
          return pipelined({ ...refusal, role: 'context' }, kit.delivery('completed'))
        },
        expect: [accepted],
      },
    },
  ),
  requirement('A receiver SHOULD recognize the content type regardless of its capitalization.', bodyNotRead, {
    'content-type-in-capitals': {
      send: mutated(
        headers('a capitalized content type and parameter', [[TYPE, 'Application/JSON;charset="UTF-8"']]),
      ),
      expect: [accepted],
    },
  }),
)
