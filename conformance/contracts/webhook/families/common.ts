import { must, type ServiceRequirement, should } from '../requirement.ts'
import * as body from './body.ts'
import * as disclosure from './disclosure.ts'
import * as duplicates from './duplicates.ts'
import * as effects from './effects.ts'
import * as signature from './signature.ts'
import * as transport from './transport.ts'

/** What every signed webhook requires, because otherwise somebody without the secret does harm; and what is good practice. */
export const COMMON: readonly ServiceRequirement[] = [
  must(
    'A receiver MUST NOT accept a delivery without a signature.',
    { harm: 'Anyone who knows the address can report any event.' },
    signature.unsigned,
  ),
  must(
    'A receiver MUST NOT accept a delivery whose signature is wrong, entirely or in part.',
    { harm: 'Anyone who knows the address can report any event.' },
    signature.wrong,
  ),
  must(
    'A receiver MUST NOT accept several signatures of which none is valid.',
    { harm: 'Anyone who knows the address can report any event.' },
    signature.severalWrong,
  ),
  must(
    'A receiver MUST NOT accept a delivery that is signed with an empty or publicly known key.',
    { harm: 'Anyone who knows the address can sign any event while the secret is not configured.' },
    signature.knownKeys,
  ),
  must(
    'A receiver MUST NOT accept an unsigned or forged delivery because of anything that the request says about itself.',
    { harm: 'Anyone can write any header, query, content type or field.' },
    signature.bypass,
  ),
  must(
    'A receiver MUST NOT accept a body that was altered after signing.',
    { harm: 'Anyone who saw one delivery can send any content under its signature.' },
    body.altered,
  ),
  must(
    'A receiver MUST still accept a valid delivery after any other requests.',
    { harm: 'Anyone who knows the address can stop all events with one request.' },
    transport.survives,
  ),
  must(
    'A response MUST NOT contain the signing secret or the signature that a delivery should have had.',
    { harm: 'Anyone who knows the address learns how to sign any event.' },
    disclosure.nothingSecret,
  ),
  must(
    'A receiver MUST NOT handle a delivery that it has to refuse, whatever it answers.',
    { harm: 'Anyone who knows the address can have any event handled.' },
    effects.refusedNotHandled,
  ),
  must(
    'A receiver MUST handle a valid delivery after a refused one with the same id.',
    { harm: 'Anyone who knows the id of a delivery can suppress it.' },
    effects.notSuppressed,
  ),
  should(
    'A receiver SHOULD handle every delivery that it acknowledges.',
    { practice: 'A service does not send again what was acknowledged.' },
    effects.everythingHandled,
  ),
  should(
    'A receiver SHOULD distinguish deliveries whose ids are similar.',
    { practice: 'Two deliveries with different ids are about two events.' },
    duplicates.similarKeys,
  ),
  should(
    'A receiver SHOULD acknowledge a redelivery.',
    { practice: 'A service sends a delivery again until it is acknowledged.' },
    duplicates.acknowledgedAgain,
  ),
  should(
    'A response SHOULD NOT contain a stack trace.',
    { practice: 'It shows the paths, libraries and versions of the server.' },
    disclosure.noTrace,
  ),
  should(
    'A receiver SHOULD verify the bytes of the body, not the text that they decode to.',
    { practice: 'Bytes that decode to the same text can mean something else to the next program.' },
    body.decoded,
  ),
  should(
    'A receiver SHOULD refuse with a status from 400 to 499.',
    { practice: 'A server error asks the sender to try again.' },
    signature.refusedCleanly,
  ),
  should(
    'A receiver SHOULD answer a signed body that it cannot use with a status below 500.',
    { practice: 'A server error asks the sender to try again.' },
    body.unusable,
  ),
  should(
    'A receiver SHOULD accept a valid delivery however HTTP clients and proxies write the request.',
    { practice: 'A proxy in front may send other capitals, chunks, or several requests on one connection.' },
    transport.passedOn,
  ),
  should(
    'A receiver SHOULD accept no method other than POST.',
    { practice: 'The service sends by POST alone.' },
    transport.otherMethods,
  ),
]
