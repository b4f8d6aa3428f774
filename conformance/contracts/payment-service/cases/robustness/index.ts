import { fewAtOnce, inTurn, together } from '../../../../engine/plan.ts'
import { accepted } from '../../../webhook/expectations/expect.ts'
import { UNUSUAL_REQUESTS } from '../../../webhook/families/unusual-requests.ts'
import { sentAs } from '../../../webhook/mutate.ts'
import { fulfilledIfAcknowledged } from '../../expectations/effects.ts'
import { aboutEvent } from '../../kit.ts'
import { deliver } from '../../payments.ts'
import { requirement, section } from '../../section.ts'
import { ATTACKS, EMOJI, LONG_METADATA, QUOTES, unusualAccepted } from '../acknowledgement.ts'
import { EXPANDING, heldUp } from './held.ts'
import { LOCKOUT } from './locked.ts'
import { oversized, oversizedAnswered } from './oversized.ts'
import { unusable, unusableRefused } from './unusable.ts'

const MIB = 1024 * 1024

const heavy = {
  impact: 'An attacker can take the receiver down for everyone with one request.',
  fix: 'Limit the request body size, answer 4xx above the limit, and close the connection.',
}

/** Letters of two, three and four bytes: a text that is cut after some number of bytes is cut within a letter. */
const ALPHABETS = [
  ['accented letters', 'é'],
  ['Chinese characters', '茶'],
  ['emoji', '\u{1f375}'],
] as const

export const robustness = section(
  'robustness',
  'Robustness',
  ...unusable,
  requirement(
    'A receiver MUST accept a valid delivery that follows one whose sender stopped in the middle of the body.',
    {
      impact: 'A few broken connections take the receiver down for everyone.',
      fix: 'Handle the error of a request that is aborted, and free its memory, worker and connection.',
    },
    {
      'good-after-broken-off': {
        send: (kit) => {
          const truncated = sentAs('a body that breaks off', (body) => ({
            kind: 'truncated',
            after: body.length >> 1,
          }))
          return inTurn(truncated(kit.delivery('completed'), kit), kit.delivery('completed'))
        },
        expect: [accepted],
      },
      'good-after-many-broken-off': {
        // Not in the core profile, for the time that it takes.
        needs: 'effects',
        alone: true,
        send: (kit) => {
          const truncated = sentAs('a body that breaks off', () => ({ kind: 'truncated', after: 1 }))
          // A receiver that has fewer places than are sent at once may refuse some of them.
          const brokenOff = Array.from({ length: 26 }, () => ({
            ...truncated(kit.delivery('completed'), kit),
            role: 'context' as const,
          }))
          const few = brokenOff.slice(0, 10)
          // More than the 256 places that a receiver may have for requests. The last ones are few at a time, so that a
          // receiver that has few places, and gives them back, has one for the delivery that follows.
          return [
            ...Array.from({ length: 9 }, () => together(...brokenOff)).flat(),
            ...Array.from({ length: 3 }, () => together(...few)).flat(),
            ...inTurn(kit.delivery('completed')),
          ]
        },
        expect: [accepted, fulfilledIfAcknowledged],
      },
    },
  ),
  requirement(
    'A receiver MUST remain able to accept deliveries after a body of several MiB, regardless of how it answers that one.',
    heavy,
    {
      'good-after-4-mib': {
        alone: true,
        send: (kit) => {
          const event = kit.event('completed', { metadata: { note: '' } })
          const [head = '', tail = ''] = JSON.stringify(event).split('"note":""')
          const body = Buffer.concat([
            Buffer.from(`${head}"note":"`),
            Buffer.alloc(4 * MIB, 'x'),
            Buffer.from(`"${tail}`),
          ])
          const large = { ...kit.body(body, aboutEvent(event)), change: 'a body of 4 MiB' }
          return inTurn({ ...large, role: 'context' }, kit.delivery('completed'))
        },
        expect: [accepted],
        open: 'A receiver may accept the large body, refuse it with 413, or close the connection before it has read it.',
      },
    },
  ),
  ...oversized,
  requirement(
    'A receiver MUST accept a field value that is unusual but allowed, such as an emoji in the metadata.',
    {
      impact: 'A payment is refused because of a text that the customer or the merchant chose.',
      fix: 'Read only the fields that you need, and store any other text as it is.',
    },
    {
      'emoji-in-metadata': unusualAccepted('emoji in the metadata', EMOJI),
      'quotes-in-metadata': unusualAccepted('quotes and other punctuation in the metadata', QUOTES),
      'attacks-in-metadata': {
        ...unusualAccepted('text in the metadata that looks like an attack', ATTACKS),
        impact:
          'A customer pays and gets nothing, because a firewall in front refuses a text that somebody wrote.',
        fix: 'Exempt the webhook endpoint from the content rules of the firewall: the signature protects it.',
      },
      'long-metadata': unusualAccepted('long values in the metadata', LONG_METADATA),
      'long-reasons-in-other-alphabets': {
        send: (kit) =>
          fewAtOnce(
            ...ALPHABETS.flatMap(([alphabet, letter]) =>
              Array.from({ length: Buffer.byteLength(letter) }, (_, offset) => ({
                ...kit.delivery('failed-provider_error', {
                  failure_reason: 'x'.repeat(offset) + letter.repeat(80),
                }),
                change: `a reason of ${80 + offset} ${alphabet}`,
              })),
            ),
          ),
        expect: [accepted],
        impact: 'One event that is cut within a letter stops the payments behind it.',
        fix: 'Cut a text by its letters, not by its bytes, and catch what fails while an event is handled.',
      },
    },
  ),
  requirement('A receiver MUST still accept a valid delivery after any other requests.', heavy, {
    ...UNUSUAL_REQUESTS,
    ...EXPANDING,
    'alive-at-the-end': {
      role: 'liveness',
      alone: true,
      send: deliver('completed', 'refund'),
      expect: [accepted],
    },
    ...LOCKOUT,
  }),
  ...unusableRefused,
  ...oversizedAnswered,
  requirement(
    'A receiver SHOULD accept an amount that is larger than any payment.',
    {
      impact: 'A large payment is refused, or its amount is rounded.',
      fix: 'Keep amounts as decimal strings; do not convert them to floating-point numbers.',
    },
    {
      'huge-amount': {
        send: (kit) => inTurn(kit.delivery('completed', { amount: '123456789012345678901234567890.12' })),
        expect: [accepted],
      },
    },
  ),
  heldUp,
)
