import type { ServiceRequirement } from '../service.ts'
import * as body from './body.ts'
import * as disclosure from './disclosure.ts'
import * as signature from './signature.ts'
import * as transport from './transport.ts'

/** What every signed webhook requires, because otherwise somebody without the secret does harm; and what is good practice. */
export const COMMON: readonly ServiceRequirement[] = [
  {
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept a delivery without a signature.',
    source: { harm: 'Anyone who knows the address can report any event.' },
    family: signature.unsigned,
  },
  {
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept a delivery whose signature is wrong, entirely or in part.',
    source: { harm: 'Anyone who knows the address can report any event.' },
    family: signature.wrong,
  },
  {
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept several signatures of which none is valid.',
    source: { harm: 'Anyone who knows the address can report any event.' },
    family: signature.severalWrong,
  },
  {
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept a delivery that is signed with an empty or publicly known key.',
    source: { harm: 'Anyone who knows the address can sign any event while the secret is not configured.' },
    family: signature.knownKeys,
  },
  {
    level: 'MUST',
    sentence:
      'A receiver MUST NOT accept an unsigned or forged delivery because of anything that the request says about itself.',
    source: { harm: 'Anyone can write any header, query, content type or field.' },
    family: signature.bypass,
  },
  {
    level: 'MUST',
    sentence: 'A receiver MUST NOT accept a body that was altered after signing.',
    source: { harm: 'Whoever saw one delivery can send any content under its signature.' },
    family: body.altered,
  },
  {
    level: 'MUST',
    sentence: 'A receiver MUST still accept a valid delivery after any other requests.',
    source: { harm: 'Anyone who knows the address can stop all events with one request.' },
    family: transport.survives,
  },
  {
    level: 'MUST',
    sentence:
      'A response MUST NOT contain the signing secret or the signature that a delivery should have had.',
    source: { harm: 'Anyone who knows the address learns how to sign any event.' },
    family: disclosure.nothingSecret,
  },
  {
    level: 'SHOULD',
    sentence: 'A response SHOULD NOT contain a stack trace.',
    source: { practice: 'It shows the paths, libraries and versions of the server.' },
    family: disclosure.noTrace,
  },
  {
    level: 'SHOULD',
    sentence: 'A receiver SHOULD verify the bytes of the body, not the text that they decode to.',
    source: { practice: 'Bytes that decode to the same text can mean something else to the next program.' },
    family: body.decoded,
  },
  {
    level: 'SHOULD',
    sentence: 'A receiver SHOULD refuse with a status from 400 to 499.',
    source: { practice: 'A server error asks the sender to try again.' },
    family: signature.refusedCleanly,
  },
  {
    level: 'SHOULD',
    sentence: 'A receiver SHOULD answer a signed body that it cannot use with a status below 500.',
    source: { practice: 'A server error asks the sender to try again.' },
    family: body.unusable,
  },
  {
    level: 'SHOULD',
    sentence: 'A receiver SHOULD accept no method other than POST.',
    source: { practice: 'The service sends by POST alone.' },
    family: transport.otherMethods,
  },
]
