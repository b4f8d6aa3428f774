// Generated from SPEC.md by `npm run generate`. Edit SPEC.md, not this file.

/** Every requirement of SPEC.md, in its order. */
export const CONTRACT = [
  {
    number: '1.1',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery sent by POST with the content type `application/json`.',
    source: 'Interface 4.8',
  },
  {
    number: '1.2',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery whose content type has a parameter, such as `charset=utf-8`.',
    source: 'Convention: the interface specifies only JSON',
  },
  {
    number: '1.3',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a valid delivery whose content type is missing or unusual.',
    source: 'Convention: the signature covers the bytes, not the declared content type',
  },
  {
    number: '1.4',
    level: 'MUST',
    sentence: 'A receiver MUST find the signature header regardless of how its name is capitalized.',
    source: 'Convention: HTTP header names are case-insensitive',
  },
  {
    number: '1.5',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery whose body arrives in chunks, wherever the chunk boundaries are.',
    source:
      'Convention: part of HTTP/1.1. To protect itself, a receiver may refuse thousands of chunks of a few bytes each; the suite sends none',
  },
  {
    number: '1.6',
    level: 'MUST',
    sentence:
      'A receiver MUST accept valid deliveries that follow one another, on one connection or on several.',
    source: 'Convention: part of HTTP/1.1',
  },
  {
    number: '1.7',
    level: 'MUST',
    sentence: 'A receiver MUST accept a valid delivery whose body arrives slowly.',
    source: 'Convention: networks are sometimes slow',
  },
  {
    number: '1.8',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD accept a valid delivery that announces its body with `Expect: 100-continue`.',
    source: 'Convention: part of HTTP/1.1',
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
      'A receiver SHOULD accept valid deliveries that are sent on one connection before the earlier ones are answered.',
    source: 'Convention: pipelining, part of HTTP/1.1',
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
      'A receiver MUST refuse a delivery whose signature header has no `t` entry or an empty one, with status 400.',
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
    source: 'Interface 5.3, rule 6; whether an empty entry counts as missing or as wrong is open',
  },
  {
    number: '2.6',
    level: 'MUST',
    sentence: 'A receiver MUST find `t` and `v1` by name, in any order.',
    source: 'Interface 9',
  },
  {
    number: '2.7',
    level: 'MUST',
    sentence: 'A receiver MUST ignore entries with unknown labels.',
    source: 'Interface 9',
  },
  {
    number: '2.8',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose valid signature is under a label other than `v1`, with status 400.',
    source: 'Interface 9',
  },
  {
    number: '2.9',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that exact text.',
    source: 'Interface 5.3, rule 3: `t` is Unix time in seconds; the status is open',
  },
  {
    number: '2.10',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    source: 'Interface 5.3, rule 3; whether this counts as malformed or as wrong is open',
  },
  {
    number: '2.11',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery with two `t` entries when the signed one is stale, with status 400 or 401.',
    source:
      'Convention: the interface allows one `t`; taking the time from one entry and the signature from the other bypasses the window',
  },
  {
    number: '2.12',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a delivery with several `v1` entries when one of them is valid.',
    source: 'Convention: lets the service sign with two secrets while a secret is rotated',
  },
  {
    number: '2.13',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery in which no `v1` entry is valid, regardless of how many there are, with status 400 or 401.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '2.14',
    level: 'MAY',
    sentence: 'A receiver MAY accept a valid `v1` in uppercase hex, or refuse it with status 400 or 401.',
    source: 'Interface 5.3, rule 3: the service sends lowercase',
  },
  {
    number: '2.15',
    level: 'MAY',
    sentence:
      'A receiver MAY accept two signature headers of which one is valid, or refuse them with status 400 or 401.',
    source: 'Convention: the service sends one',
  },
  {
    number: '2.16',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` is a number too large to be a valid timestamp, with status 400 or 401, even if the signature covers that exact text.',
    source: 'Interface 5.3, rule 4: it differs from the clock by more than the window',
  },
  {
    number: '2.17',
    level: 'MAY',
    sentence:
      'A receiver MAY accept an otherwise valid `t` with leading zeros, or refuse it with status 400 or 401.',
    source: 'Convention: the service sends none',
  },
  {
    number: '2.18',
    level: 'MAY',
    sentence:
      'A receiver MAY accept a space, an empty entry or a bare word beside the valid entries, or refuse it with status 400 or 401.',
    source: 'Convention: the service sends none of these',
  },
  {
    number: '2.19',
    level: 'MAY',
    sentence:
      'A receiver MAY accept a stale `t` beside the fresh one that is signed, or refuse it with status 400 or 401.',
    source: 'Convention: the service sends one `t`',
  },
  {
    number: '2.20',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` or `v1` contains bytes outside ASCII or thousands of characters, with a status from 400 to 499.',
    source: 'Convention: HTTP allows such a header, and anyone can send it',
  },
  {
    number: '2.21',
    level: 'MUST',
    sentence:
      'A receiver MUST answer a signature header that has bytes outside ASCII in a label or in an unknown entry with a status below 500.',
    source: 'Convention: HTTP allows such a header, and anyone can send it',
  },
  {
    number: '2.22',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose signature header contains a NUL byte, with a status from 400 to 499 or by closing the connection.',
    source: 'Convention: HTTP forbids the byte, and anyone can send it',
  },
  {
    number: '3.1',
    level: 'MUST',
    sentence: 'A receiver MUST accept a valid delivery whose `t` is in the past by no more than the window.',
    source: 'Interface 5.3, rule 4, and Interface 8',
  },
  {
    number: '3.2',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery whose `t` is in the future by no more than the window.',
    source: 'Interface 5.3, rule 4: the absolute difference',
  },
  {
    number: '3.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a validly signed delivery whose `t` is in the past by more than the window, with status 400.',
    source: 'Interface 5.3, rules 4 and 6',
  },
  {
    number: '3.4',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a validly signed delivery whose `t` is in the future by more than the window, with status 400.',
    source: 'Interface 5.3, rules 4 and 6',
  },
  {
    number: '3.5',
    level: 'MUST',
    sentence: 'A receiver MUST read `t` in seconds and refuse a `t` in milliseconds, with status 400.',
    source: 'Interface 5.3, rule 3',
  },
  {
    number: '3.6',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a replay that combines a fresh `t` with an old signature, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
  },
  {
    number: '3.7',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery that is both stale and forged, with status 400 or 401.',
    source: 'Interface 5.3, rule 6; which check comes first is open',
  },
  {
    number: '4.1',
    level: 'MUST',
    sentence:
      'A receiver MUST verify the signature over the bytes as received, and so accept a valid body that a JSON library would serialize differently.',
    source: 'Interface 5.3, rules 3 and 5',
  },
  {
    number: '4.2',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a body in which one byte was altered after signing, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
  },
  {
    number: '4.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body that was re-serialized after signing, even if its meaning is unchanged, with status 401.',
    source: 'Interface 5.3, rule 5',
  },
  {
    number: '4.4',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a body that was truncated or extended after signing, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
  },
  {
    number: '4.5',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body in which invalid UTF-8 bytes were replaced by U+FFFD after signing, or the reverse, with status 401.',
    source: 'Interface 5.3, rules 3 and 5: decoding to text first hides the change',
  },
  {
    number: '4.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept a valid body of up to 64 KiB.',
    source: 'Convention: the interface specifies no size',
  },
  {
    number: '4.7',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a valid body with 100 KiB of metadata.',
    source: 'Convention: the interface specifies no size',
  },
  {
    number: '4.8',
    level: 'MAY',
    sentence:
      'A receiver MAY accept a valid body that begins with a byte-order mark, or refuse it with status 400, 415 or 422.',
    source: 'Convention: the signature is valid, and JSON parsers differ',
  },
  {
    number: '4.9',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body in which letters changed case or spaces inside strings were changed after signing, with status 401.',
    source: 'Interface 5.3, rules 3 and 5',
  },
  {
    number: '4.10',
    level: 'MUST',
    sentence: 'A receiver MUST accept a valid delivery regardless of the `timestamp` in its body.',
    source: 'Interface 4.7: an event is sent again at any time; Interface 5.3, rule 4, compares `t`',
  },
  {
    number: '4.11',
    level: 'MUST',
    sentence:
      'A receiver MUST answer a validly signed body that JSON parsers treat differently with a status below 500.',
    source: 'Convention: a 5xx asks the sender to retry, and no retry can fix the body',
  },
  {
    number: '4.12',
    level: 'MUST',
    sentence: 'A receiver MUST accept a number beyond 2^53 in an unknown field.',
    source: 'Convention: JSON allows it, and the interface adds fields without notice',
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
    source: 'Interface 5.3, rule 1: a missing secret is not an empty secret',
  },
  {
    number: '5.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery signed with the text form of a missing value, such as `undefined` or `None`, with status 401.',
    source: 'Interface 5.3, rule 1',
  },
  {
    number: '5.4',
    level: 'MUST',
    sentence:
      'A receiver MUST use the entire signing secret as the key, and refuse a signature made with a part or a decoded form of it, with status 401.',
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
      'A receiver MUST refuse a signature made with a function other than HMAC-SHA256, with status 400 or 401.',
    source: 'Interface 5.3, rule 1; a digest of a different length may count as malformed',
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
    sentence: 'A receiver without a signing secret MUST NOT accept any delivery.',
    source: 'Interface 5.3, rule 1: there is nothing to verify with',
  },
  {
    number: '5.10',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a signature made with any other form of the signing secret, such as its uppercase or its hash, with status 401.',
    source: "Interface 5.3, rule 1; that the key is the secret's UTF-8 bytes is a convention",
  },
  {
    number: '6.1',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a valid delivery with status 200 and no other status.',
    source: 'Interface 4.8 and Interface 6, rule 5',
  },
  {
    number: '6.2',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a valid delivery before the sender times out.',
    source: 'Convention: the interface specifies no time; the suite waits 5 s by default',
  },
  {
    number: '6.3',
    level: 'MUST',
    sentence:
      'A receiver MUST acknowledge every valid delivery of a burst, each before the sender times out.',
    source: 'Convention: many customers may pay at the same time; the suite sends 50 deliveries',
  },
  {
    number: '6.4',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a valid delivery of an event that requires no action.',
    source: 'Interface 6, rule 5: 200 acknowledges receipt',
  },
  {
    number: '6.5',
    level: 'MUST',
    sentence: 'A receiver MUST process what it has acknowledged.',
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
    source: 'Convention: a 200 is a promise, since the service need not send the delivery again',
  },
  {
    number: '6.8',
    level: 'SHOULD',
    sentence: 'A receiver that cannot store a delivery SHOULD answer 503.',
    source: 'Convention: the sender then retries',
  },
  {
    number: '6.9',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a payment whose text its store cannot keep as it is.',
    source:
      'Interface 2.2: metadata is returned unchanged; the suite sends U+0000, half a surrogate pair, keys with dots and dollar signs, and names of 300 characters',
  },
  {
    number: '6.10',
    level: 'MUST',
    sentence:
      'A delivery that a receiver cannot handle MUST NOT keep it from processing those that it acknowledges afterwards.',
    source: 'Interface 6, rule 5',
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
    sentence: 'A receiver MUST handle copies of a delivery that arrive together once.',
    source: 'Interface 4.8',
  },
  {
    number: '7.4',
    level: 'MUST',
    sentence:
      'A receiver MUST recognize a redelivery by its payment and event, regardless of its `t`, signature, `timestamp` or bytes.',
    source: 'Interface 4.8 and Interface 4.7',
  },
  {
    number: '7.5',
    level: 'MUST',
    sentence: 'A receiver MUST NOT treat a refund as a redelivery of the completion that it reverses.',
    source: 'Interface 6: both events belong to one payment',
  },
  {
    number: '7.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept each of several partial payments of one payment.',
    source: 'Interface 2.2 and Interface 6',
  },
  {
    number: '7.7',
    level: 'MUST',
    sentence: 'A refused delivery MUST NOT prevent a valid delivery of the same payment from being handled.',
    source: 'Convention: otherwise anyone who knows a payment id can suppress its payment',
  },
  {
    number: '7.8',
    level: 'MUST',
    sentence: 'A receiver MUST distinguish different payments, however similar they are.',
    source: 'Interface 2.2, rule 1',
  },
  {
    number: '8.1',
    level: 'MUST',
    sentence: 'A receiver MUST accept every event that the service sends.',
    source: 'Interface 6',
  },
  {
    number: '8.2',
    level: 'MUST',
    sentence: 'A receiver MUST accept every payment method, known or unknown.',
    source: 'Interface 1 and Interface 2.2',
  },
  {
    number: '8.3',
    level: 'MUST',
    sentence: 'A receiver MUST accept every failure code, known or unknown.',
    source: 'Interface 7.4',
  },
  {
    number: '8.4',
    level: 'MUST',
    sentence: 'A receiver MUST accept unknown fields.',
    source: 'Convention: the interface adds fields without notice',
  },
  {
    number: '8.5',
    level: 'MUST',
    sentence: 'A receiver MUST accept an unknown event name.',
    source: 'Convention: the service would retry a refused delivery endlessly',
  },
  {
    number: '8.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept events with and without the fields that only some events have.',
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
    sentence:
      'A receiver SHOULD accept a simulated event without an `event` field, and derive the event from `status`.',
    source: 'Interface 6, rule 2 does not list `event`; Interface 2.2 does',
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
    sentence: 'A receiver MUST accept refund events of either type.',
    source: 'Interface 2.2',
  },
  {
    number: '8.11',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept an unknown refund type, status or processor.',
    source: 'Convention: the interface declares none of these lists final',
  },
  {
    number: '8.20',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD accept a `timestamp` in any usual form of ISO 8601, such as without milliseconds or with an offset.',
    source: 'Interface 2.2: the form is ISO 8601',
  },
  {
    number: '9.1',
    level: 'MUST',
    sentence: 'A receiver MUST fulfill a completed payment once, in the mode that the receiver serves.',
    source: 'Interface 6, and Interface 2.2, rule 4',
  },
  {
    number: '9.2',
    level: 'MUST',
    sentence: 'A receiver MUST fulfill a short payment for `amount`, never for `amount_requested`.',
    source: 'Interface 2.2',
  },
  {
    number: '9.3',
    level: 'MUST',
    sentence:
      "A receiver MUST fulfill a mixed checkout for the payment's own `amount` and `currency`, not for those of `settled_via`.",
    source: 'Interface 2.2',
  },
  {
    number: '9.4',
    level: 'MUST',
    sentence: 'A receiver MUST NOT credit a partial payment.',
    source: 'Interface 2.2',
  },
  {
    number: '9.5',
    level: 'MUST',
    sentence: 'A receiver MUST NOT credit an expired payment.',
    source: 'Interface 2.2',
  },
  {
    number: '9.6',
    level: 'MUST',
    sentence: 'A receiver MUST NOT credit a failed payment.',
    source: 'Interface 6',
  },
  {
    number: '9.7',
    level: 'MUST',
    sentence: 'A receiver MUST reverse a fulfilled payment, once, after a refund or chargeback.',
    source: 'Interface 6',
  },
  {
    number: '9.8',
    level: 'MUST',
    sentence: 'A receiver MUST leave nothing fulfilled when a refund arrives before its completion.',
    source: 'Convention: the interface guarantees no order',
  },
  {
    number: '9.9',
    level: 'MUST',
    sentence: 'An unknown event MUST NOT have an effect.',
    source: 'Convention: its meaning is unknown',
  },
  {
    number: '9.10',
    level: 'MUST',
    sentence: 'A partial payment MUST NOT prevent the completion that follows it from being fulfilled.',
    source: 'Interface 3 and Interface 6',
  },
  {
    number: '9.11',
    level: 'SHOULD',
    sentence:
      'An effect SHOULD record the `livemode` of its event, so that test and live effects are kept apart.',
    source: 'Interface 2.2, rule 4; recording it is a convention',
  },
  {
    number: '9.12',
    level: 'MUST',
    sentence:
      'A receiver MUST leave a payment fulfilled if it was completed and not refunded, and only then, regardless of which other events of the payment arrive and in which order.',
    source:
      'Interface 6; the interface guarantees no order. For a completion after `payment.expired` see 9.14',
  },
  {
    number: '9.13',
    level: 'MUST',
    sentence:
      'A receiver MUST credit exactly the amount of the event, whatever its size and its number of decimals.',
    source: 'Interface 2.2: amounts are decimal strings in any currency',
  },
  {
    number: '9.14',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD fulfill a payment whose completion arrives after `payment.expired`.',
    source:
      'Convention: the interface shows no transition from one to the other, but a completed payment was paid',
  },
  {
    number: '10.1',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a validly signed body that is not JSON, with status 400, 415 or 422.',
    source: 'Convention: a 5xx asks the sender to retry, and no retry can fix the body',
  },
  {
    number: '10.2',
    level: 'MUST',
    sentence: 'A receiver MUST refuse validly signed JSON that is not an event, with status 400 or 422.',
    source: 'Convention',
  },
  {
    number: '10.3',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a validly signed event without a payment id, with status 400 or 422.',
    source: 'Interface 2.2: the ids are always present',
  },
  {
    number: '10.4',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery that follows one whose sender stopped in the middle of the body.',
    source: 'Convention: connections break',
  },
  {
    number: '10.5',
    level: 'MUST',
    sentence:
      'A receiver MUST remain able to accept deliveries after a body of several MiB, regardless of how it answers that one.',
    source: 'Convention; the suite sends 4 MiB',
  },
  {
    number: '10.6',
    level: 'MUST',
    sentence:
      'A receiver MUST answer a signature header that is long or has many entries with a status below 500.',
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
    source: 'Interface 2.2: amounts are decimal strings',
  },
  {
    number: '10.9',
    level: 'MUST',
    sentence: 'A receiver MUST still accept a valid delivery after any other requests.',
    source: 'Convention: what one request breaks is broken for every customer',
  },
  {
    number: '11.1',
    level: 'MUST',
    sentence: 'A response MUST NOT contain the signing secret.',
    source: 'Convention: Interface 5.5 says the same of API keys',
  },
  {
    number: '11.2',
    level: 'MUST',
    sentence: 'A response MUST NOT contain the expected signature.',
    source: 'Convention: anyone could use it to sign their own body',
  },
  {
    number: '11.3',
    level: 'MUST',
    sentence: 'A response MUST NOT contain a stack trace.',
    source: 'Convention: it shows file paths and versions to attackers',
  },
  {
    number: '12.1',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of a field in its body, such as `test` or `livemode`.',
    source:
      'Interface 5.3, rules 1 and 4: every webhook is signed; Interface 6, rule 2: simulated events too',
  },
  {
    number: '12.2',
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept an unsigned or forged delivery because of its content type.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '12.3',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of the way in which it is transferred, such as in chunks or by HTTP/1.0.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '12.4',
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept an unsigned or forged delivery because of its query.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '12.5',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of a header, such as one that proxies or tests set.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '12.6',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of the way in which its path is written.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '12.7',
    level: 'MUST',
    sentence:
      'An unsigned or forged delivery MUST NOT have an effect, regardless of its method, path and headers.',
    source: 'Interface 5.3, rule 4',
  },
  {
    number: '12.8',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because it verified another delivery before.',
    source: 'Interface 5.3, rules 3 and 4: the signature covers these bytes and this `t`',
  },
  {
    number: '12.9',
    level: 'MUST',
    sentence:
      'A receiver MUST take the id, the amount and all other fields of an event from the event itself, not from its metadata.',
    source: 'Interface 2.2: the metadata is returned unchanged',
  },
  {
    number: '12.10',
    level: 'MUST',
    sentence: 'A receiver of live payments MUST NOT fulfill a test payment as a live one.',
    source: 'Interface 2.2, rule 4, and Interface 2.3',
  },
] as const

/** The requirements that cannot be tested from outside, with the reason. */
export const UNTESTABLE = {
  '5.8': 'over a network, the timing difference is far smaller than the noise.',
  '5.9':
    'the suite cannot remove the secret from a running receiver; `refusals/empty-key` and similar cases catch the usual mistakes.',
  '6.6': 'a response that follows quick work looks like one that precedes it.',
  '6.7':
    'only a crash between the acknowledgment and the work shows whether the delivery was stored durably.',
  '6.8': 'the suite cannot make a store fail through the webhook endpoint.',
} as const
