import { asControl } from '../case/delivery.ts'
import { accepted, refused, refusedWithin } from '../case/expect.ts'
import type { Kit } from '../case/kit.ts'
import type { Mutation } from '../case/mutate.ts'
import { headers, method, nameCase, sentAs } from '../case/mutate.ts'
import { inTurn, mutatedThenControl, onOneConnection, pipelined } from '../case/plan.ts'
import { section } from './section.ts'

const TYPE = 'Content-Type'
const oneChanged = (mutation: Mutation) => (kit: Kit) => inTurn(mutation(kit.delivery('completed'), kit))

const lostToFraming = {
  impact: 'Deliveries are lost as soon as a proxy or a new client writes them to the wire in another way.',
  fix: 'Read the body to its end as bytes before anything looks at it. A chunked one has no Content-Length; some servers, such as Python’s http.server, leave the chunks to you.',
}
const lostToPipelining = {
  impact: 'A delivery that came right behind another one is lost, or answered as if it were that one.',
  fix: 'Leave the connection to a server that speaks HTTP/1.1, and answer in the order of the requests.',
}
const lostToLabel = {
  impact: 'The receiver sees an empty body and refuses a payment that was made.',
  fix: 'Read the raw bytes whatever the content type expected: in Express, raw-body, or express.raw({ type: () => true }).',
}

export const transport = section('transport', 'Transport', {
  'posted-as-json': {
    spec: 'A receiver MUST accept a genuine delivery sent by POST with the content type `application/json`.',
    send: (kit) => inTurn(kit.delivery('completed')),
    expect: [accepted],
    impact: 'No payment is ever recorded.',
    fix: 'Check the path, the method, the signing secret and the header name first.',
  },
  'content-type-with-charset': {
    spec: 'A receiver MUST accept a genuine delivery whose content type has a parameter, such as `charset=utf-8`.',
    send: oneChanged(headers('a charset parameter', [[TYPE, 'application/json; charset=utf-8']])),
    expect: [accepted],
    ...lostToLabel,
  },
  'content-type-in-capitals': {
    spec: 'A receiver MUST accept a genuine delivery whose content type has a parameter, such as `charset=utf-8`.',
    send: oneChanged(
      headers('a capitalised type and parameter', [[TYPE, 'Application/JSON;charset="UTF-8"']]),
    ),
    expect: [accepted],
    ...lostToLabel,
  },
  'content-type-missing': {
    spec: 'A receiver SHOULD accept a genuine delivery whose content type is missing or unusual.',
    send: oneChanged(headers('no content type', [])),
    expect: [accepted],
    ...lostToLabel,
  },
  'content-type-text': {
    spec: 'A receiver SHOULD accept a genuine delivery whose content type is missing or unusual.',
    send: oneChanged(headers('the type text/plain', [[TYPE, 'text/plain']])),
    expect: [accepted],
    ...lostToLabel,
  },
  'content-type-form': {
    spec: 'A receiver SHOULD accept a genuine delivery whose content type is missing or unusual.',
    send: oneChanged(headers('the type of a form', [[TYPE, 'application/x-www-form-urlencoded']])),
    expect: [accepted],
    ...lostToLabel,
  },
  'header-name-in-lower-case': {
    spec: 'A receiver MUST find the signature header however its name is capitalised.',
    send: oneChanged(nameCase('lower')),
    expect: [accepted],
    impact: 'Every delivery is refused as soon as it comes through a proxy that speaks HTTP/2.',
    fix: 'Look the header up without regard to case.',
  },
  'header-name-in-upper-case': {
    spec: 'A receiver MUST find the signature header however its name is capitalised.',
    send: oneChanged(nameCase('upper')),
    expect: [accepted],
    impact: 'Every delivery is refused when a proxy rewrites header names.',
    fix: 'Look the header up without regard to case.',
  },
  'chunked-in-two': {
    spec: 'A receiver MUST accept a genuine delivery whose body arrives in chunks, wherever they are cut.',
    send: oneChanged(
      sentAs('a body in two chunks', (body) => ({ kind: 'chunked', cuts: [body.length >> 1] })),
    ),
    expect: [accepted],
    ...lostToFraming,
  },
  'chunked-inside-a-character': {
    spec: 'A receiver MUST accept a genuine delivery whose body arrives in chunks, wherever they are cut.',
    send: (kit) => {
      const delivery = kit.delivery('completed', { metadata: { note: 'Zoë paid 5 € 🎁' } })
      const inside = ['ë', '€', '🎁'].map((character) => delivery.body.indexOf(character) + 1)
      return inTurn(
        sentAs('chunks cut inside characters', () => ({ kind: 'chunked', cuts: inside }))(delivery, kit),
      )
    },
    expect: [accepted],
    impact: 'A payment is refused whenever a name with an accent falls on the edge of a packet.',
    fix: 'Join the chunks as bytes; decode after the last one.',
  },
  'chunked-in-single-bytes': {
    spec: 'A receiver MUST accept a genuine delivery whose body arrives in chunks, wherever they are cut.',
    send: oneChanged(
      sentAs('a body that begins with chunks of one byte', () => ({
        kind: 'chunked',
        cuts: [1, 2, 3, 4, 5, 6, 7, 8],
      })),
    ),
    expect: [accepted],
    ...lostToFraming,
  },
  'several-on-one-connection': {
    spec: 'A receiver MUST accept genuine deliveries that follow one another, on one connection or on several.',
    send: (kit) =>
      onOneConnection(
        kit.delivery('completed'),
        kit.delivery('failed-card_declined'),
        kit.delivery('completed'),
      ),
    expect: [accepted],
    impact: 'Every second delivery fails when the service keeps its connection open.',
    fix: 'Read each body to its end and answer with a length, or close the connection in good order.',
  },
  'genuine-after-refused-on-one-connection': {
    spec: 'A receiver MUST accept genuine deliveries that follow one another, on one connection or on several.',
    send: (kit) => {
      const delivery = kit.delivery('completed')
      const forged = { ...kit.redelivery(kit.delivery('completed'), { secret: 'whsec_of_somebody_else' }) }
      return onOneConnection(
        asControl(delivery),
        asControl(kit.delivery('completed')),
        {
          ...forged,
          change: 'another secret',
        },
        asControl(kit.delivery('completed')),
      )
    },
    expect: [refused(400, 401, 403)],
    impact: 'What is left unread of a refused body is taken for the next delivery.',
    fix: 'Read a refused body to its end too, or close the connection after the answer.',
  },
  pipelined: {
    spec: 'A receiver SHOULD accept genuine deliveries that are sent on one connection before the earlier ones were answered.',
    send: (kit) =>
      pipelined(kit.delivery('completed'), kit.delivery('failed-card_declined'), kit.delivery('completed')),
    expect: [accepted],
    ...lostToPipelining,
  },
  'pipelined-after-refused': {
    spec: 'A receiver SHOULD accept genuine deliveries that are sent on one connection before the earlier ones were answered.',
    send: (kit) => {
      const forged = kit.redelivery(kit.delivery('completed'), { secret: 'whsec_of_somebody_else' })
      return pipelined({ ...forged, role: 'context', change: 'another secret' }, kit.delivery('completed'))
    },
    expect: [accepted],
    ...lostToPipelining,
  },
  'body-that-drips': {
    spec: 'A receiver MUST accept a genuine delivery whose body arrives slowly.',
    send: oneChanged(
      sentAs('a body that takes 150 ms to arrive', () => ({ kind: 'drip', pieces: 4, gapMs: 50 })),
    ),
    expect: [accepted],
    ...lostToFraming,
  },
  'expect-100-continue': {
    spec: 'A receiver SHOULD accept a genuine delivery that announces its body with `Expect: 100-continue`.',
    send: oneChanged(sentAs('an Expect header', () => ({ kind: 'expect-continue' }))),
    expect: [accepted],
    ...lostToFraming,
  },
  'method-put': {
    spec: 'A receiver SHOULD refuse a delivery sent by a method other than POST, with a status from 400 to 499 or 501.',
    send: mutatedThenControl(method('PUT')),
    expect: [refusedWithin(400, 499, 501)],
    impact: 'The endpoint does more than it was registered for.',
    fix: 'Route POST alone.',
  },
  'method-patch': {
    spec: 'A receiver SHOULD refuse a delivery sent by a method other than POST, with a status from 400 to 499 or 501.',
    send: mutatedThenControl(method('PATCH')),
    expect: [refusedWithin(400, 499, 501)],
    impact: 'The endpoint does more than it was registered for.',
    fix: 'Route POST alone.',
  },
  'method-delete': {
    spec: 'A receiver SHOULD refuse a delivery sent by a method other than POST, with a status from 400 to 499 or 501.',
    send: mutatedThenControl(method('DELETE')),
    expect: [refusedWithin(400, 499, 501)],
    impact: 'The endpoint does more than it was registered for.',
    fix: 'Route POST alone.',
  },
})
