// Generated from SPEC.md by `npm run generate`. Edit SPEC.md, not this file.

/** Every requirement of SPEC.md, in its order. */
export const CONTRACT = [
  {
    number: '1.1',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery sent by POST with the content type `application/json`.',
    source: 'Interface 4.8',
    prevents: 'the merchant learns of no payment',
  },
  {
    number: '1.2',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery whose content type has a parameter, such as `charset=utf-8`.',
    source: 'Interface 4.8: the content type is JSON, and a parameter does not change that',
    prevents: 'a payment is refused because the service or a proxy adds a charset',
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
    prevents: 'every payment is refused behind a proxy that rewrites header names',
  },
  {
    number: '1.5',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery whose body arrives in chunks, wherever the chunk boundaries are.',
    source:
      'Convention: HTTP/1.1 requires every recipient to read chunks. To protect itself, a receiver may refuse thousands of chunks of a few bytes each; the suite sends none',
    prevents: 'a payment is refused because the service or a proxy sends its body in chunks',
  },
  {
    number: '1.6',
    level: 'MUST',
    sentence:
      'A receiver MUST accept valid deliveries that follow one another, on one connection or on several.',
    source: 'Convention: part of HTTP/1.1',
    prevents: 'a payment is refused or misread because the connection was used before',
  },
  {
    number: '1.7',
    level: 'MUST',
    sentence: 'A receiver MUST accept a valid delivery whose body arrives slowly.',
    source: 'Convention: networks are sometimes slow',
    prevents: 'a payment is refused because the network is slow',
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
    number: '1.11',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD recognize the content type regardless of its capitalization.',
    source: 'Convention: media types are case-insensitive; the service writes one spelling',
  },
  {
    number: '2.1',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery without a signature header, with status 400.',
    source: 'Interface 5.3, rule 6: `t` and `v1` are missing',
    prevents: 'anyone gets a payment credited with an unsigned request',
  },
  {
    number: '2.2',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    source: 'Interface 5.3, rule 6',
    prevents: 'anyone gets a payment credited with a header that contains no signature',
  },
  {
    number: '2.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose signature header has no `t` entry or an empty one, with status 400, or with 401 if it is empty.',
    source:
      'Interface 5.3, rule 6; whether an empty entry counts as missing or as wrong is open, so both statuses are right',
    prevents: 'a delivery is accepted at any age, because it has no time',
  },
  {
    number: '2.4',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery whose signature header has no `v1` entry, with status 400.',
    source: 'Interface 5.3, rule 6',
    prevents: 'anyone gets a payment credited with a header that contains no signature',
  },
  {
    number: '2.5',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery whose `v1` entry is empty, with status 400 or 401.',
    source: 'Interface 5.3, rule 6; whether an empty entry counts as missing or as wrong is open',
    prevents: 'anyone gets a payment credited with an empty signature',
  },
  {
    number: '2.6',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD find `t` and `v1` by name, in any order.',
    source:
      'Interface 9: receivers read the v1 entry by name; Interface 5.3, rule 2: the service writes `t` first',
  },
  {
    number: '2.7',
    level: 'MUST',
    sentence: 'A receiver MUST ignore entries with unknown labels.',
    source: 'Interface 9',
    prevents: 'every payment is refused once the service adds another signature to the header',
  },
  {
    number: '2.8',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose valid signature is under a label other than `v1`, with status 400.',
    source: 'Interface 9',
    prevents: 'a signature of another, weaker scheme counts as v1',
  },
  {
    number: '2.9',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` does not state a time, such as `NaN` or a negative number, with status 400 or 401, even if the signature covers that exact text.',
    source:
      'Interface 5.3, rule 4: its difference from the clock is not within the window; the status is open',
    prevents: 'a delivery is accepted although its age is unknown',
  },
  {
    number: '2.10',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    source: 'Interface 5.3, rule 3; whether this counts as malformed or as wrong is open',
    prevents: 'an attacker forges a payment with a short or damaged signature',
  },
  {
    number: '2.11',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery with two `t` entries when the signed one is stale, with status 400 or 401.',
    source:
      'Convention: the interface allows one `t`; taking the time from one entry and the signature from the other bypasses the window',
    prevents: 'an attacker replays an old delivery by adding a fresh `t`',
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
    prevents: 'anyone forges a payment with several wrong signatures',
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
    prevents: 'anyone crashes the receiver with a number, or a time that overflows counts as now',
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
      'A receiver MUST refuse a delivery whose `t` or `v1` contains bytes outside ASCII, with a status from 400 to 499.',
    source: 'Convention: HTTP allows such a header, and anyone can send it',
    prevents: 'anyone stops all payments with one unsigned request',
  },
  {
    number: '2.21',
    level: 'MUST',
    sentence:
      'A receiver MUST answer a signature header that has bytes outside ASCII in a label or in an unknown entry with a status below 500.',
    source: 'Convention: HTTP allows such a header, and anyone can send it',
    prevents: 'anyone stops all payments with one unsigned request',
  },
  {
    number: '2.22',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose signature header contains a NUL byte, with a status from 400 to 499 or by closing the connection.',
    source: 'Convention: HTTP forbids the byte, and anyone can send it',
    prevents: 'anyone stops all payments with one unsigned request',
  },
  {
    number: '2.23',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery whose `t` or `v1` has thousands of characters, with a status from 400 to 499 or by closing the connection.',
    source:
      'Convention: HTTP allows such a header, and anyone can send it; some servers limit a header to 4 KiB',
    prevents: 'anyone stops all payments with one unsigned request',
  },
  {
    number: '2.30',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD refuse a delivery whose `t` is a time inside the window that is not written in digits alone, with status 400 or 401.',
    source:
      'Convention: the service writes digits. Many number parsers accept a sign, a space or a decimal point; only the holder of the secret can sign such a text',
  },
  {
    number: '3.1',
    level: 'MUST',
    sentence: 'A receiver MUST accept a valid delivery whose `t` is in the past by no more than the window.',
    source: 'Interface 5.3, rule 4, and Interface 8',
    prevents: 'a payment is refused because it was delayed or a clock is off',
  },
  {
    number: '3.2',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery whose `t` is in the future by no more than the window.',
    source: 'Interface 5.3, rule 4: the absolute difference',
    prevents: 'a payment is refused because a clock is off',
  },
  {
    number: '3.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a validly signed delivery whose `t` is in the past by more than the window, with status 400.',
    source: 'Interface 5.3, rules 4 and 6',
    prevents: 'an attacker replays an old delivery',
  },
  {
    number: '3.4',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a validly signed delivery whose `t` is in the future by more than the window, with status 400.',
    source: 'Interface 5.3, rules 4 and 6',
    prevents: 'a delivery stays replayable until the date that it states',
  },
  {
    number: '3.5',
    level: 'MUST',
    sentence: 'A receiver MUST read `t` in seconds and refuse a `t` in milliseconds, with status 400.',
    source: 'Interface 5.3, rule 3',
    prevents: 'the window does not limit the age of a delivery',
  },
  {
    number: '3.6',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a replay that combines a fresh `t` with an old signature, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
    prevents: 'an attacker replays an old delivery with a new time',
  },
  {
    number: '3.7',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery that is both stale and forged, with status 400 or 401.',
    source: 'Interface 5.3, rule 6; which check comes first is open',
    prevents: 'anyone forges a payment with a stale time',
  },
  {
    number: '4.1',
    level: 'MUST',
    sentence:
      'A receiver MUST verify the signature over the bytes as received, and so accept a valid body that a JSON library would serialize differently.',
    source: 'Interface 5.3, rules 3 and 5',
    prevents: 'a payment is refused because the service serializes JSON differently from the receiver',
  },
  {
    number: '4.2',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body in which one byte was altered after signing, with status 401, or with 400 or 422 if it is no longer JSON.',
    source: 'Interface 5.3, rules 3 and 6; a parser in front of the verifier may see the body first',
    prevents: 'an altered amount or payment id is credited',
  },
  {
    number: '4.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body that was re-serialized after signing, even if its meaning is unchanged, with status 401, or with 400 or 422 if a JSON parser may refuse it.',
    source: 'Interface 5.3, rule 5',
    prevents: 'an alteration goes unnoticed, because something other than the bytes is verified',
  },
  {
    number: '4.4',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body that was truncated or extended after signing, with status 401, or with 400 or 422 if it is no longer JSON.',
    source: 'Interface 5.3, rules 3 and 6',
    prevents: 'a truncated or extended payment is credited',
  },
  {
    number: '4.5',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a body in which invalid UTF-8 bytes were replaced by U+FFFD after signing, or the reverse, with status 401, or with 400 or 422 if it is no longer JSON.',
    source: 'Interface 5.3, rules 3 and 5: decoding to text first hides the change',
    prevents: 'an alteration goes unnoticed, because decoding the body hides it',
  },
  {
    number: '4.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept a valid body of up to 64 KiB.',
    source:
      'Interface 2.2: metadata is returned unchanged, and Interface 8 limits neither it nor the body; the size is a convention',
    prevents: 'a customer pays and gets nothing, because the metadata of the payment is long',
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
    prevents: 'an alteration goes unnoticed, because something other than the bytes is verified',
  },
  {
    number: '4.10',
    level: 'MUST',
    sentence: 'A receiver MUST accept a valid delivery regardless of the `timestamp` in its body.',
    source: 'Interface 4.7: an event is sent again at any time; Interface 5.3, rule 4, compares `t`',
    prevents: 'a payment is refused because the service sends its event late or again',
  },
  {
    number: '4.11',
    level: 'MUST',
    sentence:
      'A receiver MUST answer a validly signed body that JSON parsers treat differently with a status below 500.',
    source: 'Convention: a 5xx asks the sender to retry, and no retry can fix the body',
    prevents: 'one body that the receiver cannot read stops the payments behind it',
  },
  {
    number: '4.12',
    level: 'MUST',
    sentence: 'A receiver MUST accept a number beyond 2^53 in an unknown field.',
    source: 'Convention: JSON allows it, and the interface adds fields without notice',
    prevents: 'a payment is refused because of a field that the interface does not show',
  },
  {
    number: '4.30',
    level: 'MAY',
    sentence: 'A receiver MAY accept a valid body with a repeated key, or refuse it with status 400 or 422.',
    source: 'Convention: the service repeats none, and JSON parsers differ',
  },
  {
    number: '4.31',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD accept a valid body with a metadata key that looks like an attack, such as `__proto__`.',
    source: 'Interface 2.2: metadata is returned unchanged; the merchant chooses its keys',
  },
  {
    number: '5.1',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    source: 'Interface 5.3, rules 1 and 6',
    prevents: 'anyone forges a payment',
  },
  {
    number: '5.2',
    level: 'MUST',
    sentence: 'A receiver MUST refuse a delivery signed with an empty key, with status 401.',
    source: 'Interface 5.3, rule 1: a missing secret is not an empty secret',
    prevents: 'anyone forges a payment while the secret is not configured',
  },
  {
    number: '5.3',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a delivery signed with the text form of a missing value, such as `undefined` or `None`, with status 401.',
    source: 'Interface 5.3, rule 1',
    prevents: 'anyone forges a payment while the secret is not configured',
  },
  {
    number: '5.4',
    level: 'MUST',
    sentence:
      'A receiver MUST use the entire signing secret as the key, and refuse a signature made with a part or a decoded form of it, with status 401.',
    source: "Interface 5.3, rule 1; that the key is the secret's UTF-8 bytes is a convention",
    prevents: 'a part of the secret is enough to forge a payment',
  },
  {
    number: '5.5',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
    source: 'Interface 5.3, rules 3 and 6',
    prevents: 'a signature counts for another time or another body',
  },
  {
    number: '5.6',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a signature made with a function other than HMAC-SHA256, with status 400 or 401.',
    source: 'Interface 5.3, rule 1; a digest of a different length may count as malformed',
    prevents: 'anyone forges a payment with a digest that needs no key or a weaker one',
  },
  {
    number: '5.7',
    level: 'MUST',
    sentence: 'A refused delivery MUST have no effect.',
    source: 'Interface 5.3, rule 4',
    prevents: 'a forged or replayed payment is credited although it was refused',
  },
  {
    number: '5.8',
    level: 'MUST',
    sentence: 'A receiver MUST compare signatures in constant time.',
    source: 'Interface 5.3, rule 4',
    prevents: 'an attacker learns a valid signature from response times',
  },
  {
    number: '5.9',
    level: 'MUST',
    sentence: 'A receiver without a signing secret MUST NOT accept any delivery.',
    source: 'Interface 5.3, rule 1: there is nothing to verify with',
    prevents: 'anyone forges a payment, because there is nothing to verify with',
  },
  {
    number: '5.10',
    level: 'MUST',
    sentence:
      'A receiver MUST refuse a signature made with any other form of the signing secret, such as its uppercase or its hash, with status 401.',
    source: "Interface 5.3, rule 1; that the key is the secret's UTF-8 bytes is a convention",
    prevents: 'another text than the secret is enough to forge a payment',
  },
  {
    number: '5.20',
    level: 'SHOULD',
    sentence: 'A receiver with two signing secrets SHOULD accept a delivery signed with either.',
    source:
      'Convention: while a secret is rotated, deliveries signed with the old one and the new one arrive; the interface asks no receiver to have two',
  },
  {
    number: '6.1',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a valid delivery with status 200 and no other status.',
    source: 'Interface 4.8 and Interface 6, rule 5',
    prevents: 'a payment is not acknowledged, and the service need not send it again',
  },
  {
    number: '6.2',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a valid delivery before the sender times out.',
    source: 'Convention: the interface specifies no time; the suite waits 5 s by default',
    prevents: 'the service gives up on a delivery, and need not send it again',
  },
  {
    number: '6.3',
    level: 'MUST',
    sentence:
      'A receiver MUST acknowledge every valid delivery of a burst, each before the sender times out.',
    source: 'Convention: many customers may pay at the same time; the suite sends 50 deliveries',
    prevents: 'payments are lost when many customers pay at once',
  },
  {
    number: '6.4',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a valid delivery of an event that requires no action.',
    source: 'Interface 6, rule 5: 200 acknowledges receipt',
    prevents: 'an event is not acknowledged, and the service need not send it again',
  },
  {
    number: '6.5',
    level: 'MUST',
    sentence: 'A receiver MUST process what it has acknowledged.',
    source: 'Interface 6, rule 5',
    prevents: 'a customer pays and gets nothing',
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
    prevents: 'a crash loses an acknowledged payment, and the service need not send it again',
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
    prevents: 'one unusual event stops the payments of other customers',
  },
  {
    number: '7.1',
    level: 'MUST',
    sentence: 'A receiver MUST acknowledge a redelivery with status 200.',
    source: 'Interface 4.8: delivery may repeat',
    prevents: 'an event that the receiver handled is never acknowledged',
  },
  {
    number: '7.2',
    level: 'MUST',
    sentence: 'A receiver MUST handle a delivery and its redeliveries once.',
    source: 'Interface 4.8: receivers deduplicate by payment id',
    prevents: 'a customer gets the goods twice for one payment',
  },
  {
    number: '7.3',
    level: 'MUST',
    sentence: 'A receiver MUST handle copies of a delivery that arrive together once.',
    source: 'Interface 4.8',
    prevents: 'a customer gets the goods twice for one payment',
  },
  {
    number: '7.4',
    level: 'MUST',
    sentence:
      'A receiver MUST recognize a redelivery by its payment and event, regardless of its `t`, signature, `timestamp` or bytes.',
    source: 'Interface 4.8 and Interface 4.7',
    prevents: 'a customer gets the goods twice for one payment',
  },
  {
    number: '7.5',
    level: 'MUST',
    sentence: 'A receiver MUST NOT treat a refund as a redelivery of the completion that it reverses.',
    source: 'Interface 6: both events belong to one payment',
    prevents: 'a customer keeps both the goods and the money',
  },
  {
    number: '7.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept each of several partial payments of one payment.',
    source: 'Interface 2.2 and Interface 6',
    prevents: 'a partial payment is not acknowledged, and the merchant does not see it',
  },
  {
    number: '7.7',
    level: 'MUST',
    sentence: 'A refused delivery MUST NOT prevent a valid delivery of the same payment from being handled.',
    source: 'Convention: otherwise anyone who knows a payment id can suppress its payment',
    prevents: 'anyone who knows a payment id suppresses its payment',
  },
  {
    number: '7.8',
    level: 'MUST',
    sentence: 'A receiver MUST distinguish different payments, however similar they are.',
    source: 'Interface 2.2, rule 1',
    prevents: 'a customer pays and gets nothing, because the payment resembles another one',
  },
  {
    number: '7.9',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD distinguish payments whose ids differ only in the case of a letter.',
    source:
      'Convention: payment ids are case-sensitive, but the service is unlikely to assign two that differ only in this',
  },
  {
    number: '7.10',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD distinguish payments whose ids are long and differ only at their end.',
    source:
      'Convention: the interface states no length; a receiver may refuse an id that is too long for its store. The suite sends 75 characters',
  },
  {
    number: '8.1',
    level: 'MUST',
    sentence: 'A receiver MUST accept every event that the service sends.',
    source: 'Interface 6',
    prevents: 'the merchant learns of no refund or failure',
  },
  {
    number: '8.2',
    level: 'MUST',
    sentence: 'A receiver MUST accept every payment method, known or unknown.',
    source: 'Interface 1 and Interface 2.2',
    prevents: 'a payment is refused because of how the customer paid',
  },
  {
    number: '8.3',
    level: 'MUST',
    sentence: 'A receiver MUST accept every failure code, known or unknown.',
    source: 'Interface 7.4',
    prevents: 'a failure is refused once the service adds a code',
  },
  {
    number: '8.4',
    level: 'MUST',
    sentence: 'A receiver MUST accept unknown fields.',
    source: 'Interface 6, rule 4: the complete payloads of three events are not shown',
    prevents: 'a payment is refused because of a field that the interface does not show',
  },
  {
    number: '8.5',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept an unknown event name.',
    source: 'Convention: the service may add events',
  },
  {
    number: '8.6',
    level: 'MUST',
    sentence: 'A receiver MUST accept events with and without the fields that only some events have.',
    source: 'Interface 2.2',
    prevents: 'a short or mixed payment is refused',
  },
  {
    number: '8.7',
    level: 'MUST',
    sentence: 'A receiver MUST accept the simulated events of a test checkout, full or sparse.',
    source: 'Interface 6, rule 2',
    prevents: 'the test checkout does not work',
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
    prevents: 'a payment is refused because a field that it may omit is missing',
  },
  {
    number: '8.10',
    level: 'MUST',
    sentence: 'A receiver MUST accept refund events of either type.',
    source: 'Interface 2.2',
    prevents: 'the merchant learns of no chargeback or refund',
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
    number: '8.21',
    level: 'MUST',
    sentence:
      'A receiver MUST take the event, the id, the amount and all other fields from the signed body, not from the query or a header.',
    source:
      'Interface 5.3, rule 3: the signature covers `t` and the body. To protect itself, a receiver may refuse a delivery with a query or a header that it does not know',
    prevents: 'anyone who has seen one delivery uses it for another payment or another amount',
  },
  {
    number: '8.22',
    level: 'SHOULD',
    sentence: 'A test event SHOULD NOT change what is done for a live payment with the same id.',
    source:
      'Interface 2.2, rule 4: `livemode` distinguishes them; that a test payment can have the id of a live one is neither stated nor excluded',
  },
  {
    number: '9.1',
    level: 'MUST',
    sentence: 'A receiver MUST fulfill a completed payment once, in the mode that the receiver serves.',
    source: 'Interface 6, and Interface 2.2, rule 4',
    prevents: 'a customer pays and gets nothing, or gets the goods twice',
  },
  {
    number: '9.2',
    level: 'MUST',
    sentence: 'A receiver MUST fulfill a short payment for `amount`, never for `amount_requested`.',
    source: 'Interface 2.2',
    prevents: 'a customer gets more than was paid',
  },
  {
    number: '9.3',
    level: 'MUST',
    sentence:
      "A receiver MUST fulfill a mixed checkout for the payment's own `amount` and `currency`, not for those of `settled_via`.",
    source: 'Interface 2.2',
    prevents: 'a customer is credited in another currency',
  },
  {
    number: '9.4',
    level: 'MUST',
    sentence: 'A receiver MUST NOT credit a partial payment.',
    source: 'Interface 2.2',
    prevents: 'a customer pays a part and gets everything',
  },
  {
    number: '9.5',
    level: 'MUST',
    sentence: 'A receiver MUST NOT credit an expired payment.',
    source: 'Interface 2.2',
    prevents: 'a customer pays a part and gets everything',
  },
  {
    number: '9.6',
    level: 'MUST',
    sentence: 'A receiver MUST NOT credit a failed payment.',
    source: 'Interface 6',
    prevents: 'a customer gets the goods without paying',
  },
  {
    number: '9.7',
    level: 'MUST',
    sentence:
      'A receiver MUST reverse a fulfilled payment after a refund or a chargeback, once for all deliveries of that event.',
    source: 'Interface 6',
    prevents: 'a customer keeps both the goods and the money',
  },
  {
    number: '9.8',
    level: 'MUST',
    sentence: 'A receiver MUST leave nothing fulfilled when a refund arrives before its completion.',
    source:
      'Interface 4.7: the completion can be sent again at any time, and the interface guarantees no order',
    prevents: 'a customer gets the goods after the money was returned',
  },
  {
    number: '9.9',
    level: 'MUST',
    sentence: 'An unknown event MUST NOT have an effect.',
    source: 'Interface 6: only a completed payment is fulfilled, and only a refunded one reversed',
    prevents: 'an event that is not a payment is credited',
  },
  {
    number: '9.10',
    level: 'MUST',
    sentence: 'A partial payment MUST NOT prevent the completion that follows it from being fulfilled.',
    source: 'Interface 3 and Interface 6',
    prevents: 'a customer who paid in two steps gets nothing',
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
    prevents: 'a customer pays and gets nothing, or gets the goods without paying',
  },
  {
    number: '9.13',
    level: 'MUST',
    sentence:
      'A receiver MUST credit exactly the amount of the event, whatever its size and its number of decimals.',
    source: 'Interface 2.2: amounts are decimal strings in any currency',
    prevents: 'a customer is credited with another amount than was paid',
  },
  {
    number: '9.14',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD fulfill a payment whose completion arrives after `payment.expired`.',
    source:
      'Convention: the interface shows no transition from one to the other, but a completed payment was paid',
  },
  {
    number: '9.15',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD reverse a payment only once, even if a refund and a chargeback of it both arrive.',
    source: 'Convention: the interface does not say whether one payment can have both',
  },
  {
    number: '9.16',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD decide by the name of the event, not by its `status`.',
    source: 'Convention: the service may add an event with a known status',
  },
  {
    number: '9.17',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD NOT record a reversal for the amount or currency of `settled_via`.',
    source:
      'Interface 2.2: `amount` and `currency` are those of the payment; how a reversal is recorded is a convention',
  },
  {
    number: '10.1',
    level: 'MUST',
    sentence:
      'A receiver MUST answer a validly signed body that is not JSON with a status below 500, and accept the next delivery.',
    source: 'Convention: one body must not break the deliveries of others',
    prevents: 'one body that the receiver cannot read stops the payments behind it',
  },
  {
    number: '10.2',
    level: 'MUST',
    sentence:
      'A receiver MUST answer validly signed JSON that is not an event with a status below 500 and without an effect, and accept the next delivery.',
    source: 'Convention: Interface 6, rule 4 does not show all payloads',
    prevents: 'one body that is not an event stops the payments behind it, or is credited',
  },
  {
    number: '10.3',
    level: 'MUST',
    sentence:
      'A receiver MUST answer a validly signed event without a payment id with a status below 500 and without an effect, and accept the next delivery.',
    source: 'Interface 2.2: the ids are always strings',
    prevents: 'one event without an id stops the payments behind it, or is credited',
  },
  {
    number: '10.4',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a valid delivery that follows one whose sender stopped in the middle of the body.',
    source: 'Convention: connections break',
    prevents: 'a few broken connections stop all payments',
  },
  {
    number: '10.5',
    level: 'MUST',
    sentence:
      'A receiver MUST remain able to accept deliveries after a body of several MiB, regardless of how it answers that one.',
    source: 'Convention; the suite sends 4 MiB',
    prevents: 'anyone stops all payments with a large request',
  },
  {
    number: '10.6',
    level: 'MUST',
    sentence:
      'A receiver MUST remain able to accept deliveries after a signature header that is long or has many entries, regardless of how it answers that one.',
    source: 'Convention; the suite sends 8 KiB',
    prevents: 'anyone stops all payments with a long header',
  },
  {
    number: '10.7',
    level: 'MUST',
    sentence:
      'A receiver MUST remain able to accept deliveries after deeply nested JSON, regardless of how it answers that one.',
    source: 'Convention; the suite sends 10,000 levels, signed and forged',
    prevents: 'anyone stops all payments with nested JSON',
  },
  {
    number: '10.8',
    level: 'MUST',
    sentence:
      'A receiver MUST accept a field value that is unusual but allowed, such as an emoji in the metadata.',
    source: 'Interface 2.2: metadata is returned unchanged',
    prevents: 'a customer pays and gets nothing, because of a text that they or the merchant chose',
  },
  {
    number: '10.9',
    level: 'MUST',
    sentence: 'A receiver MUST still accept a valid delivery after any other requests.',
    source: 'Convention: what one request breaks is broken for every customer',
    prevents: 'anyone stops all payments with some request',
  },
  {
    number: '10.10',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD refuse a validly signed body that is not JSON, with status 400, 415 or 422.',
    source: "Convention: the sender's log then shows that something is wrong",
  },
  {
    number: '10.11',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD refuse validly signed JSON that is not an event, with status 400 or 422.',
    source: "Convention: the sender's log then shows that something is wrong",
  },
  {
    number: '10.12',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD refuse a validly signed event without a payment id, with status 400 or 422.',
    source: "Convention: the sender's log then shows that something is wrong",
  },
  {
    number: '10.13',
    level: 'SHOULD',
    sentence:
      'A receiver SHOULD answer a signature header that is long or has many entries with a status below 500.',
    source: 'Convention: servers have limits of their own, and some close the connection',
  },
  {
    number: '10.14',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD answer deeply nested JSON with a status below 500.',
    source: 'Convention: Interface 2.4 describes metadata as strings, so the service sends none',
  },
  {
    number: '10.15',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept an amount that is larger than any payment.',
    source: 'Interface 2.2: amounts are decimal strings; no payment has the 30 digits that the suite sends',
  },
  {
    number: '10.16',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept a valid delivery while other connections hold unfinished bodies.',
    source:
      'Convention: every server has a limit of connections, and a proxy can raise it; the suite holds 20',
  },
  {
    number: '11.1',
    level: 'MUST',
    sentence: 'A response MUST NOT contain the signing secret.',
    source: 'Convention: Interface 5.5 says the same of API keys',
    prevents: 'anyone who sees the response can sign payments',
  },
  {
    number: '11.2',
    level: 'MUST',
    sentence: 'A response MUST NOT contain the expected signature.',
    source: 'Convention: anyone could use it to sign their own body',
    prevents: 'anyone can get a signature for a body of their own',
  },
  {
    number: '11.3',
    level: 'MUST',
    sentence: 'A response to a delivery that is not validly signed MUST NOT contain a stack trace.',
    source: 'Convention: anyone can send such a delivery',
    prevents: 'an attacker learns file paths, libraries and versions',
  },
  {
    number: '11.4',
    level: 'MUST',
    sentence: 'A receiver MUST NOT write the signing secret to its output.',
    source: 'Convention: logs are read by more people than secrets are, and are often sent to other services',
    prevents: 'anyone who reads the logs can sign payments',
  },
  {
    number: '11.5',
    level: 'SHOULD',
    sentence: 'A response to a validly signed delivery SHOULD NOT contain a stack trace.',
    source: 'Convention: only the service sees the response',
  },
  {
    number: '11.6',
    level: 'SHOULD',
    sentence: 'A receiver SHOULD NOT write the complete signature of a valid delivery to its output.',
    source:
      'Convention: with the body, it can be replayed until the window ends; the first characters are enough to find a delivery',
  },
  {
    number: '12.1',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of a field in its body, such as `test` or `livemode`.',
    source:
      'Interface 5.3, rules 1 and 4: every webhook is signed; Interface 6, rule 2: simulated events too',
    prevents: 'anyone forges a payment by calling it a test',
  },
  {
    number: '12.2',
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept an unsigned or forged delivery because of its content type.',
    source: 'Interface 5.3, rule 4',
    prevents: 'anyone forges a payment with another content type',
  },
  {
    number: '12.3',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of the way in which it is transferred, such as in chunks or by HTTP/1.0.',
    source: 'Interface 5.3, rule 4',
    prevents: 'anyone forges a payment with another way of sending it',
  },
  {
    number: '12.4',
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept an unsigned or forged delivery because of its query.',
    source: 'Interface 5.3, rule 4',
    prevents: 'anyone forges a payment with a query',
  },
  {
    number: '12.5',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of a header, such as one that proxies or tests set.',
    source: 'Interface 5.3, rule 4',
    prevents: 'anyone forges a payment with a header',
  },
  {
    number: '12.6',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of the way in which its path is written.',
    source: 'Interface 5.3, rule 4',
    prevents: 'anyone forges a payment with another spelling of the path',
  },
  {
    number: '12.7',
    level: 'MUST',
    sentence:
      'An unsigned or forged delivery MUST NOT have an effect, regardless of its method, path and headers.',
    source: 'Interface 5.3, rule 4',
    prevents: 'anyone forges a payment on another way to the same handler',
  },
  {
    number: '12.8',
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because it verified another delivery before.',
    source: 'Interface 5.3, rules 3 and 4: the signature covers these bytes and this `t`',
    prevents: 'anyone who saw one delivery forges a payment',
  },
  {
    number: '12.9',
    level: 'MUST',
    sentence:
      'A receiver MUST take the id, the amount and all other fields of an event from the event itself, not from its metadata.',
    source: 'Interface 2.2: the metadata is returned unchanged',
    prevents: 'a customer who writes the metadata decides what is credited',
  },
  {
    number: '12.10',
    level: 'MUST',
    sentence: 'A receiver of live payments MUST NOT fulfill a test payment as a live one.',
    source: 'Interface 2.2, rule 4, and Interface 2.3',
    prevents: 'a customer gets goods for a test payment, in which no money moves',
  },
] as const

/** The requirements that cannot be tested from outside, with the reason. */
export const UNTESTABLE = {
  '5.8': 'over a network, the timing difference is far smaller than the noise.',
  '6.6': 'a response that follows quick work looks like one that precedes it.',
  '6.8': 'the suite cannot make a store fail through the webhook endpoint.',
} as const
