import { accepted, acceptedOrRefused, refused } from '../../case/expect.ts'
import { header, hmac } from '../../case/mutate.ts'
import { mutatedThenControl } from '../../case/plan.ts'
import { cases } from '../section.ts'
import { forged, genuineWith, missingPart } from './common.ts'

const positional = {
  impact: 'Every payment is refused on the day the service adds a second signature to the header.',
  fix: 'Split at commas, split each entry at its first equals sign, and look `t` and `v1` up by name.',
}
const untidy = {
  open: 'The service writes none of this; a strict reader and a lax one are both right.',
  impact: 'The sender is told that the server is broken.',
  fix: 'Skip what is no label=value entry, or answer 400.',
}

/** Which entries the header has, and how they are told apart. */
export const entries = cases({
  absent: {
    spec: 'A receiver MUST refuse a delivery without a signature header, with status 400.',
    send: mutatedThenControl(header('no signature header', () => [])),
    expect: [refused(400)],
    ...missingPart,
  },
  empty: {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    send: mutatedThenControl(header('an empty signature header', () => '')),
    expect: [refused(400)],
    ...missingPart,
  },
  'without-entries': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    send: mutatedThenControl(header('only the bare digits of the signature', ({ v1 }) => v1)),
    expect: [refused(400)],
    ...missingPart,
  },
  'bare-labels': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    send: mutatedThenControl(header('labels without values', () => 't,v1')),
    expect: [refused(400)],
    ...missingPart,
  },
  't-missing': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `t` entry, or an empty one, with status 400.',
    send: mutatedThenControl(header('no t entry', ({ v1 }) => `v1=${v1}`)),
    expect: [refused(400)],
    ...missingPart,
  },
  't-missing-and-not-signed': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `t` entry, or an empty one, with status 400.',
    send: mutatedThenControl(
      header(
        'no t entry and a signature over the body alone',
        ({ secret, body }) => `v1=${hmac('sha256', secret, body)}`,
      ),
    ),
    expect: [refused(400)],
    ...missingPart,
  },
  't-empty': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `t` entry, or an empty one, with status 400.',
    send: mutatedThenControl(
      header(
        'an empty t, signed as such',
        ({ secret, body }) => `t=,v1=${hmac('sha256', secret, '.', body)}`,
      ),
    ),
    expect: [refused(400)],
    impact: 'An empty `t` becomes the number 0 or no number at all, and in some languages passes the window.',
    fix: 'Answer 400 when the value of `t` is empty.',
  },
  'v1-missing': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `v1` entry, with status 400.',
    send: mutatedThenControl(header('no v1 entry', ({ t }) => `t=${t}`)),
    expect: [refused(400)],
    ...missingPart,
  },
  'order-swapped': {
    spec: 'A receiver MUST find `t` and `v1` by name, in whichever order they stand.',
    send: genuineWith(header('v1 before t', ({ t, v1 }) => `v1=${v1},t=${t}`)),
    expect: [accepted],
    ...positional,
  },
  'unknown-label-first': {
    spec: 'A receiver MUST ignore entries with labels that it does not know.',
    send: genuineWith(header('an unknown label first', ({ t, v1 }) => `v2=${forged},t=${t},v1=${v1}`)),
    expect: [accepted],
    ...positional,
  },
  'unknown-label-between': {
    spec: 'A receiver MUST ignore entries with labels that it does not know.',
    send: genuineWith(header('an unknown label between', ({ t, v1 }) => `t=${t},v0=${forged},v1=${v1}`)),
    expect: [accepted],
    ...positional,
  },
  'unknown-label-last': {
    spec: 'A receiver MUST ignore entries with labels that it does not know.',
    send: genuineWith(header('an unknown label last', ({ t, v1 }) => `t=${t},v1=${v1},v2=${forged}`)),
    expect: [accepted],
    ...positional,
  },
  'unknown-label-with-equals-signs': {
    spec: 'A receiver MUST ignore entries with labels that it does not know.',
    send: genuineWith(header('an unknown label in base64', ({ t, v1 }) => `t=${t},v1=${v1},k=YWJjZA==`)),
    expect: [accepted],
    ...positional,
  },
  'right-signature-under-v0': {
    spec: 'A receiver MUST refuse a delivery whose right signature stands under another label than `v1`, with status 400.',
    send: mutatedThenControl(header('the signature under v0', ({ t, v1 }) => `t=${t},v0=${v1}`)),
    expect: [refused(400)],
    impact: 'A signature of another scheme is taken for v1, so a weaker scheme can be passed off as it.',
    fix: 'Take the signature from the entry whose label is exactly v1, and answer 400 when there is none.',
  },
  'right-signature-under-v11': {
    spec: 'A receiver MUST refuse a delivery whose right signature stands under another label than `v1`, with status 400.',
    send: mutatedThenControl(header('the signature under v11', ({ t, v1 }) => `t=${t},v11=${v1}`)),
    expect: [refused(400)],
    impact:
      'A label is recognised by how it begins, so a weaker scheme that comes later can be passed off as v1.',
    fix: 'Compare the whole label.',
  },
  'only-other-labels': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `t` entry, or an empty one, with status 400.',
    send: mutatedThenControl(header('only labels that nobody knows', ({ t, v1 }) => `time=${t},sig=${v1}`)),
    expect: [refused(400)],
    ...missingPart,
  },
  'space-after-the-comma': {
    spec: 'A receiver MAY accept a space, an empty entry or a bare word beside the right entries, or refuse it with status 400 or 401.',
    send: mutatedThenControl(header('a space after the comma', ({ t, v1 }) => `t=${t}, v1=${v1}`)),
    expect: [acceptedOrRefused(400, 401)],
    ...untidy,
  },
  'comma-at-the-end': {
    spec: 'A receiver MAY accept a space, an empty entry or a bare word beside the right entries, or refuse it with status 400 or 401.',
    send: mutatedThenControl(header('a comma at the end', ({ t, v1 }) => `t=${t},v1=${v1},`)),
    expect: [acceptedOrRefused(400, 401)],
    ...untidy,
  },
  'commas-doubled': {
    spec: 'A receiver MAY accept a space, an empty entry or a bare word beside the right entries, or refuse it with status 400 or 401.',
    send: mutatedThenControl(header('empty entries', ({ t, v1 }) => `,t=${t},,v1=${v1}`)),
    expect: [acceptedOrRefused(400, 401)],
    ...untidy,
  },
  'bare-word-between': {
    spec: 'A receiver MAY accept a space, an empty entry or a bare word beside the right entries, or refuse it with status 400 or 401.',
    send: mutatedThenControl(header('a word without an equals sign', ({ t, v1 }) => `t=${t},v1,v1=${v1}`)),
    expect: [acceptedOrRefused(400, 401)],
    ...untidy,
  },
})
