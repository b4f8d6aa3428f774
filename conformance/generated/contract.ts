// Generated from SPEC.md by `npm run generate`. Edit SPEC.md, not this file.

/** Every requirement of SPEC.md, in its order. */
export const CONTRACT = [
  {
    number: '1.1',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a genuine delivery sent by POST with the content type `application/json`.',
    source: 'Interface 4.8',
  },
  {
    number: '1.2',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a genuine delivery whose content type has a parameter, such as `charset=utf-8`.',
    source: 'Convention: the interface says only JSON',
  },
  {
    number: '1.3',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a genuine delivery whose content type is missing or unusual.',
    source: 'Convention: the signature covers the bytes, not their label',
  },
  {
    number: '1.4',
    level: 'MUST',
    sentence: 'A receiver MUST find the signature header however its name is capitalised.',
    source: 'Convention: HTTP header names have no case',
  },
  {
    number: '1.5',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a genuine delivery whose body arrives in chunks, wherever they are cut.',
    source: 'Convention: a part of HTTP/1.1',
  },
  {
    number: '1.6',
    level: 'MUST',
    sentence:
      'A receiver MUST accept genuine deliveries that follow one another, on one connection or on several.',
    source: 'Convention: a part of HTTP/1.1',
  },
  {
    number: '1.7',
    level: 'MUST',
    sentence: 'A receiver MUST accept a genuine delivery whose body arrives slowly.',
    source: 'Convention: networks are slow at times',
  },
  {
    number: '1.8',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD accept a genuine delivery that announces its body with `Expect: 100-continue`.',
    source: 'Convention: a part of HTTP/1.1',
  },
  {
    number: '1.9',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD refuse a delivery sent by a method other than POST, with a status from 400 to 499 or 501.',
    source: 'Interface 4.8 names POST; the refusal is a convention',
  },
  {
    number: '1.10',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD accept genuine deliveries that are sent on one connection before the earlier ones were answered.',
    source: 'Convention: pipelining, a part of HTTP/1.1',
  },
  {
    number: '2.1',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery without a signature header, with status 400.',
    source: 'Interface 5.3, rule 6: `t` and `v1` are missing',
  },
  {
    number: '2.2',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    source: 'Interface 5.3, rule 6',
  },
  {
    number: '2.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose signature header has no `t` entry, or an empty one, with status 400.',
    source: 'Interface 5.3, rule 6',
  },
  {
    number: '2.4',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery whose signature header has no `v1` entry, with status 400.',
    source: 'Interface 5.3, rule 6',
  },
  {
    number: '2.5',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery whose `v1` entry is empty, with status 400 or 401.',
    source: 'Interface 5.3, rule 6; whether empty is missing or wrong is open',
  },
  {
    number: '2.6',
    level: 'MUST',
    sentence: 'A receiver MUST find `t` and `v1` by name, in whichever order they stand.',
    source: 'Interface 9',
  },
  {
    number: '2.7',
    level: 'MUST',
    sentence: 'A receiver MUST ignore entries with labels that it does not know.',
    source: 'Interface 9',
  },
  {
    number: '2.8',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose right signature stands under another label than `v1`, with status 400.',
    source: 'Interface 9',
  },
  {
    number: '2.9',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    source: 'Interface 5.3, rule 3: `t` is Unix time in seconds; the status is open',
  },
  {
    number: '2.10',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    source: 'Interface 5.3, rule 3; whether this is malformed or wrong is open',
  },
  {
    number: '2.11',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery with two `t` entries when the one that is signed is stale, with status 400 or 401.',
    source:
      'Convention: the interface allows one `t`; taking the time from one entry and the signature from the other undoes the window',
  },
  {
    number: '2.12',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a delivery with several `v1` entries when one of them is right.',
    source: 'Convention: lets the service sign with two secrets while one is replaced',
  },
  {
    number: '2.13',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery in which no `v1` entry is right, however many there are, with status 400 or 401.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '2.14',
    level: 'MAY',
    sentence: 'A receiver MAY accept a right `v1` in upper-case digits, or refuse it with status 400 or 401.',
    source: 'Interface 5.3, rule 3: the service sends lower case',
  },
  {
    number: '2.15',
    level: 'MAY',
    sentence:
      'A receiver MAY accept two signature headers of which one is right, or refuse them with status 400 or 401.',
    source: 'Convention: the service sends one',
  },
  {
    number: '2.16',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` is a number too large for any clock, with status 400 or 401, even if the signature covers that very text.',
    source: 'Interface 5.3, rule 4: its difference to the clock is more than the window',
  },
  {
    number: '2.17',
    level: 'MAY',
    sentence: 'A receiver MAY accept a right `t` with leading zeros, or refuse it with status 400 or 401.',
    source: 'Convention: the service sends none',
  },
  {
    number: '2.18',
    level: 'MAY',
    sentence:
      'A receiver MAY accept a space, an empty entry or a bare word beside the right entries, or refuse it with status 400 or 401.',
    source: 'Convention: the service sends none',
  },
  {
    number: '2.19',
    level: 'MAY',
    sentence:
      'A receiver MAY accept a stale `t` beside the fresh one that is signed, or refuse it with status 400 or 401.',
    source: 'Convention: the service sends one',
  },
  {
    number: '3.1',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a genuine delivery whose `t` lies in the past by no more than the window.',
    source: 'Interface 5.3, rule 4, and 8',
  },
  {
    number: '3.2',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a genuine delivery whose `t` lies in the future by no more than the window.',
    source: 'Interface 5.3, rule 4: the absolute difference',
  },
  {
    number: '3.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` lies in the past by more than the window, with status 400, though its signature is right.',
    source: 'Interface 5.3, rules 4 and 6',
  },
  {
    number: '3.4',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` lies in the future by more than the window, with status 400, though its signature is right.',
    source: 'Interface 5.3, rules 4 and 6',
  },
  {
    number: '3.5',
    level: 'MUST',
    sentence: 'A receiver MUST read `t` in seconds, and refuse one in milliseconds with status 400.',
    source: 'Interface 5.3, rule 3',
  },
  {
    number: '3.6',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a replay that puts a fresh `t` before an old signature, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
  },
  {
    number: '3.7',
    level: 'MUST',
    sentence: 'A delivery that is both stale and forged MUST be refused with status 400 or 401.',
    source: 'Interface 5.3, rule 6; which comes first is open',
  },
  {
    number: '4.1',
    level: 'MUST',
    sentence:
      'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    source: 'Interface 5.3, rules 3 and 5',
  },
  {
    number: '4.2',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
  },
  {
    number: '4.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    source: 'Interface 5.3, rule 5',
  },
  {
    number: '4.4',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a body that was cut short or added to after signing, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
  },
  {
    number: '4.5',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body in which U+FFFD and bytes that are not UTF-8 were exchanged after signing, with status 401.',
    source: 'Interface 5.3, rules 3 and 5: decoding to text first hides this',
  },
  {
    number: '4.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept a genuine body of up to 64 KiB.',
    source: 'Convention: the interface names no size',
  },
  {
    number: '4.7',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a genuine body with 100 KiB of metadata.',
    source: 'Convention: the interface names no size',
  },
  {
    number: '4.8',
    level: 'MAY',
    sentence:
      'A receiver MAY accept a genuine body that begins with a byte-order mark, or refuse it with status 400, 415 or 422.',
    source: 'Convention: the signature is right, and JSON readers differ',
  },
  {
    number: '5.1',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    source: 'Interface 5.3, rules 1 and 6',
  },
  {
    number: '5.2',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery signed with an empty key, with status 401.',
    source: 'Interface 5.3, rule 1: a missing secret is not an empty one',
  },
  {
    number: '5.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery signed with the word that stands for a missing value in some language, with status 401.',
    source: 'Interface 5.3, rule 1',
  },
  {
    number: '5.4',
    level: 'MUST',
    sentence:
      'A receiver MUST use the whole signing secret as the key, and refuse a signature made with a part or a decoding of it, with status 401.',
    source: "Interface 5.3, rule 1; that the key is the secret's UTF-8 bytes is a convention",
  },
  {
    number: '5.5',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
  },
  {
    number: '5.6',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a signature made with another function than HMAC-SHA256, with status 400 or 401.',
    source: 'Interface 5.3, rule 1; a digest of another length may count as malformed',
  },
  {
    number: '5.7',
    level: 'MUST',
    sentence: 'A refused delivery MUST have no effect.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '5.8',
    level: 'MUST',
    sentence: 'A receiver MUST compare signatures in constant time.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '5.9',
    level: 'MUST',
    sentence: 'A receiver without a signing secret MUST NOT accept anything.',
    source: 'Interface 5.3, rule 1: there is then nothing to verify with',
  },
  {
    number: '6.1',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a genuine delivery with status 200 and no other.',
    source: 'Interface 4.8 and 6, rule 5',
  },
  {
    number: '6.2',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a genuine delivery within the time that the sender waits.',
    source: 'Convention: the interface names no time; the suite waits 5 s unless told otherwise',
  },
  {
    number: '6.3',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge every genuine delivery of a burst, each within that time.',
    source: 'Convention: many customers pay at once; the suite sends 50',
  },
  {
    number: '6.4',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a genuine delivery of an event that it has nothing to do for.',
    source: 'Interface 6, rule 5: 200 acknowledges receipt',
  },
  {
    number: '6.5',
    level: 'MUST',
    sentence: 'A receiver MUST carry out what it has acknowledged.',
    source: 'Interface 6, rule 5',
  },
  {
    number: '6.6',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD acknowledge before it does any business work.',
    source: 'Interface 4.8',
  },
  {
    number: '6.7',
    level: 'MUST',
    sentence: 'A receiver MUST store a delivery durably before it acknowledges it.',
    source: 'Convention: a 200 is a promise, since the service need not send again',
  },
  {
    number: '6.8',
    level: 'SHOULD',
    sentence: 'A receiver that can not store a delivery SHOULD answer 503.',
    source: 'Convention: the sender then tries again',
  },
  {
    number: '7.1',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a redelivery with status 200.',
    source: 'Interface 4.8: delivery may repeat',
  },
  {
    number: '7.2',
    level: 'MUST',
    sentence: 'A receiver MUST handle a delivery and its redeliveries once.',
    source: 'Interface 4.8: receivers deduplicate by payment id',
  },
  {
    number: '7.3',
    level: 'MUST',
    sentence: 'Copies of a delivery that arrive together MUST be handled once.',
    source: 'Interface 4.8',
  },
  {
    number: '7.4',
    level: 'MUST',
    sentence:
      'A receiver MUST recognise a redelivery by its payment and event, whatever its `t`, signature, `timestamp` or bytes.',
    source: 'Interface 4.8 and 4.7',
  },
  {
    number: '7.5',
    level: 'MUST',
    sentence: 'A receiver MUST NOT take a refund for a redelivery of the completion that it reverses.',
    source: 'Interface 6: both events belong to one payment',
  },
  {
    number: '7.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept each of several partial payments of one payment.',
    source: 'Interface 2.2 and 6',
  },
  {
    number: '7.7',
    level: 'MUST',
    sentence:
      'A delivery that is refused MUST NOT keep a genuine delivery of the same payment from being handled.',
    source: 'Convention: else anyone who knows an id can suppress its payment',
  },
  {
    number: '7.8',
    level: 'MUST',
    sentence: 'A receiver MUST tell different payments apart, however alike they are.',
    source: 'Interface 2.2, rule 1',
  },
  {
    number: '8.1',
    level: 'MUST',
    sentence: 'A receiver MUST accept each event that the service sends.',
    source: 'Interface 6',
  },
  {
    number: '8.2',
    level: 'MUST',
    sentence: 'A receiver MUST accept each payment method, known or not.',
    source: 'Interface 1 and 2.2',
  },
  {
    number: '8.3',
    level: 'MUST',
    sentence: 'A receiver MUST accept each failure code, known or not.',
    source: 'Interface 7.4',
  },
  {
    number: '8.4',
    level: 'MUST',
    sentence: 'A receiver MUST accept fields that it does not know.',
    source: 'Convention: the interface adds fields without notice',
  },
  {
    number: '8.5',
    level: 'MUST',
    sentence: 'A receiver MUST accept an event name that it does not know.',
    source: 'Convention: a refusal would be retried without end',
  },
  {
    number: '8.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept the fields that some events have and others lack.',
    source: 'Interface 2.2',
  },
  {
    number: '8.7',
    level: 'MUST',
    sentence: 'A receiver MUST accept the simulated events of a test checkout, full or sparse.',
    source: 'Interface 6, rule 2',
  },
  {
    number: '8.8',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a simulated event that names no `event`, and read it from `status`.',
    source: 'Interface 6, rule 2 does not list `event`; 2.2 does',
  },
  {
    number: '8.9',
    level: 'MUST',
    sentence: 'A receiver MUST accept an event without `livemode`.',
    source: 'Interface 2.2, rule 4',
  },
  {
    number: '8.10',
    level: 'MUST',
    sentence: 'A receiver MUST accept an event of either kind of refund.',
    source: 'Interface 2.2',
  },
  {
    number: '8.11',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a kind of refund, a status or a processor that it does not know.',
    source: 'Convention: the interface closes none of these lists for good',
  },
  {
    number: '9.1',
    level: 'MUST',
    sentence: 'A completed payment MUST be fulfilled, once, in the mode that the receiver serves.',
    source: 'Interface 6, and 2.2, rule 4',
  },
  {
    number: '9.2',
    level: 'MUST',
    sentence: 'A short payment MUST be fulfilled for `amount`, never for `amount_requested`.',
    source: 'Interface 2.2',
  },
  {
    number: '9.3',
    level: 'MUST',
    sentence:
      "A mixed checkout MUST be fulfilled for the payment's own `amount` and `currency`, not those of `settled_via`.",
    source: 'Interface 2.2',
  },
  {
    number: '9.4',
    level: 'MUST',
    sentence: 'A partial payment MUST NOT be credited.',
    source: 'Interface 2.2',
  },
  {
    number: '9.5',
    level: 'MUST',
    sentence: 'An expired payment MUST NOT be credited.',
    source: 'Interface 2.2',
  },
  {
    number: '9.6',
    level: 'MUST',
    sentence: 'A failed payment MUST NOT be credited.',
    source: 'Interface 6',
  },
  {
    number: '9.7',
    level: 'MUST',
    sentence: 'A refund or chargeback of a fulfilled payment MUST reverse it, once.',
    source: 'Interface 6',
  },
  {
    number: '9.8',
    level: 'MUST',
    sentence: 'A refund that arrives before its completion MUST leave nothing fulfilled in the end.',
    source: 'Convention: the interface promises no order',
  },
  {
    number: '9.9',
    level: 'MUST',
    sentence: 'An event that a receiver does not know MUST NOT have an effect.',
    source: 'Convention: nothing is known of what it means',
  },
  {
    number: '9.10',
    level: 'MUST',
    sentence: 'A partial payment MUST NOT keep the completion that follows it from being fulfilled.',
    source: 'Interface 3 and 6',
  },
  {
    number: '9.11',
    level: 'SHOULD',
    sentence: 'An effect SHOULD show the `livemode` of its event, so that test and live are kept apart.',
    source: 'Interface 2.2, rule 4; showing it is a convention',
  },
  {
    number: '10.1',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a signed body that is not JSON, with status 400, 415 or 422.',
    source: 'Convention: a sender can not mend a 5xx',
  },
  {
    number: '10.2',
    level: 'MUST',
    sentence: 'A receiver MUST refuse signed JSON that is no event, with status 400 or 422.',
    source: 'Convention',
  },
  {
    number: '10.3',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a signed event that names no payment, with status 400 or 422.',
    source: 'Interface 2.2: the ids are always present',
  },
  {
    number: '10.4',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a genuine delivery that follows one whose sender stopped in the middle of the body.',
    source: 'Convention: connections break',
  },
  {
    number: '10.5',
    level: 'MUST',
    sentence:
      'A receiver MUST stay able to accept after a body of several MiB, whatever it answers to that one.',
    source: 'Convention; the suite sends 4 MiB',
  },
  {
    number: '10.6',
    level: 'MUST',
    sentence: 'A receiver MUST answer a long or crowded signature header with a status below 500.',
    source: 'Convention',
  },
  {
    number: '10.7',
    level: 'MUST',
    sentence: 'A receiver MUST answer deeply nested JSON with a status below 500.',
    source: 'Convention',
  },
  {
    number: '10.8',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a field value that is unusual but allowed, such as a very large amount.',
    source: 'Interface 2.2: amounts are decimal text',
  },
  {
    number: '10.9',
    level: 'MUST',
    sentence: 'A receiver MUST still accept a genuine delivery after all that it was sent.',
    source: 'Convention: what one request breaks is broken for every customer',
  },
  {
    number: '11.1',
    level: 'MUST',
    sentence: 'An answer MUST NOT contain the signing secret.',
    source: 'Convention: interface 5.5 says the like of API keys',
  },
  {
    number: '11.2',
    level: 'MUST',
    sentence: 'An answer MUST NOT contain the signature that was expected.',
    source: 'Convention: it would sign any body for anyone',
  },
  {
    number: '11.3',
    level: 'MUST',
    sentence: 'An answer MUST NOT contain a stack trace.',
    source: 'Convention: it shows paths and versions to strangers',
  },
] as const

/** The requirements that can not be tested from outside, with the reason. */
export const UNTESTABLE = {
  '5.8': 'over a network the difference in time is far smaller than its noise.',
  '5.9':
    'the suite can not take the secret from a receiver that runs; `refusals/empty-key` and its like see the usual ways to get this wrong.',
  '6.6': 'an answer that comes after quick work looks like one that comes before it.',
  '6.7': 'only a crash between the acknowledgement and the work shows whether the delivery was durable.',
  '6.8': 'a store can not be made to fail through the webhook endpoint.',
} as const
