import {
  accepted,
  acceptedOrRefused,
  refused,
  refusedThoughSigned,
} from '../../../webhook/expectations/expect.ts'
import { header, hmac } from '../../../webhook/mutate.ts'
import { eachThenControl, mutated, mutatedThenControl } from '../../../webhook/plans.ts'
import { requirement } from '../../section.ts'
import { FORGED, LONG_AGO, missingEntry, SECRET_HOLDER_ONLY, serverError } from './common.ts'

const positional = {
  impact: 'Every payment is refused from the day the service adds another entry to the header.',
  fix: 'Split the header at commas, split each entry at its first equals sign, and look up `t` and `v1` by name.',
}

const eitherParser = {
  open: 'The service writes none of this; a strict and a lenient parser are both correct.',
}

/** Which entries the header must have. */
export const missingEntries = [
  requirement(
    'A receiver MUST refuse a delivery without a signature header, with status 400.',
    missingEntry,
    {
      absent: {
        send: mutatedThenControl(header('no signature header', () => [])),
        expect: [refused(400)],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    missingEntry,
    {
      empty: {
        send: mutatedThenControl(header('an empty signature header', () => '')),
        expect: [refused(400)],
      },
      'without-entries': {
        send: mutatedThenControl(header('only the bare digits of the signature', ({ v1 }) => v1)),
        expect: [refused(400)],
      },
      'bare-labels': {
        send: mutatedThenControl(header('labels without values', () => 't,v1')),
        expect: [refused(400)],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery whose signature header has no `t` entry or an empty one, with status 400, or with 401 if it is empty.',
    missingEntry,
    {
      't-missing': {
        send: mutatedThenControl(header('no t entry', ({ v1 }) => `v1=${v1}`)),
        expect: [refused(400)],
      },
      't-missing-and-not-signed': {
        send: mutatedThenControl(
          header(
            'no t entry and a signature over the body alone',
            ({ secret, body }) => `v1=${hmac('sha256', secret, body)}`,
          ),
        ),
        expect: [refusedThoughSigned(400)],
        impact: `A delivery without a time is accepted at any age. ${SECRET_HOLDER_ONLY}`,
      },
      't-empty': {
        send: mutatedThenControl(
          header('an empty, signed t', ({ secret, body }) => `t=,v1=${hmac('sha256', secret, '.', body)}`),
        ),
        expect: [refusedThoughSigned(400, 401)],
        impact: `The window is not checked, because an empty \`t\` becomes 0 or NaN in some languages. ${SECRET_HOLDER_ONLY}`,
        fix: 'Answer 400 when the value of `t` is empty.',
      },
      'only-other-labels': {
        send: mutatedThenControl(header('only unknown labels', ({ t, v1 }) => `time=${t},sig=${v1}`)),
        expect: [refusedThoughSigned(400)],
        impact: `The receiver takes entries by their position, so an entry that the service adds is read as another. ${SECRET_HOLDER_ONLY}`,
        fix: 'Split each entry at its first "=", and use only the entries named `t` and `v1`.',
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery whose signature header has no `v1` entry, with status 400.',
    missingEntry,
    {
      'v1-missing': {
        send: mutatedThenControl(header('no v1 entry', ({ t }) => `t=${t}`)),
        expect: [refused(400)],
      },
    },
  ),
] as const

/** How entries are found by their labels. */
export const labels = [
  requirement('A receiver SHOULD find `t` and `v1` by name, in any order.', positional, {
    'order-swapped': {
      send: mutated(header('v1 before t', ({ t, v1 }) => `v1=${v1},t=${t}`)),
      expect: [accepted],
    },
  }),
  requirement('A receiver MUST ignore entries with unknown labels.', positional, {
    'unknown-label-first': {
      send: mutated(header('an unknown label first', ({ t, v1 }) => `v2=${FORGED},t=${t},v1=${v1}`)),
      expect: [accepted],
    },
    'unknown-label-between': {
      send: mutated(
        header('an unknown label between t and v1', ({ t, v1 }) => `t=${t},v0=${FORGED},v1=${v1}`),
      ),
      expect: [accepted],
    },
    'unknown-label-last': {
      send: mutated(header('an unknown label last', ({ t, v1 }) => `t=${t},v1=${v1},v2=${FORGED}`)),
      expect: [accepted],
    },
    'unknown-label-with-equals-signs': {
      send: mutated(
        header('an unknown label with a base64 value', ({ t, v1 }) => `t=${t},v1=${v1},k=YWJjZA==`),
      ),
      expect: [accepted],
      impact:
        'Every payment is refused from the day the service adds an entry whose value contains an equals sign.',
    },
    'unknown-labels-that-end-alike': {
      send: mutated(
        header(
          'unknown labels that end in t and v1',
          ({ t, v1 }) => `ext=${LONG_AGO},nv1=${FORGED},t=${t},v1=${v1}`,
        ),
      ),
      expect: [accepted],
      impact: 'Every delivery fails as soon as the service adds an entry whose label ends like one of these.',
      fix: 'Split the header at the commas, and compare entire labels: `/t=(\\d+)/` also finds `ext=1`.',
    },
  }),
  requirement(
    'A receiver MUST refuse a delivery whose valid signature is under a label other than `v1`, with status 400.',
    {
      impact: `A signature of another scheme counts as v1. ${SECRET_HOLDER_ONLY}`,
      fix: 'Take the signature from the entry whose label is exactly v1, and answer 400 when there is none.',
    },
    {
      'valid-signature-under-v0': {
        send: mutatedThenControl(header('the signature under v0', ({ t, v1 }) => `t=${t},v0=${v1}`)),
        expect: [refusedThoughSigned(400)],
      },
      'valid-signature-under-v11': {
        send: mutatedThenControl(header('the signature under v11', ({ t, v1 }) => `t=${t},v11=${v1}`)),
        expect: [refusedThoughSigned(400)],
        impact: `A signature of a later scheme counts as v1, because only the start of the label is compared. ${SECRET_HOLDER_ONLY}`,
        fix: 'Compare the entire label.',
      },
      'valid-signature-under-labels-that-end-in-v1': {
        send: eachThenControl(
          ...['xv1', 'rv1', 'x-v1'].map((label) =>
            header(`the signature under ${label}`, ({ t, v1 }) => `t=${t},${label}=${v1}`),
          ),
        ),
        expect: [refusedThoughSigned(400)],
        impact: `A signature of another scheme counts as v1, because only the end of the label is compared. ${SECRET_HOLDER_ONLY}`,
        fix: 'Split the header at the commas, and compare entire labels: `/v1=([^,]*)/` also finds `xv1=`.',
      },
    },
  ),
] as const

/** What the service never writes, so that both a strict and a lenient parser are correct. */
export const untidy = requirement(
  'A receiver MAY accept a space, an empty entry or a bare word beside the valid entries, or refuse it with status 400 or 401.',
  { ...serverError, fix: 'Skip what is not a label=value entry, or answer 400.' },
  {
    'space-after-the-comma': {
      send: mutatedThenControl(header('a space after the comma', ({ t, v1 }) => `t=${t}, v1=${v1}`)),
      expect: [acceptedOrRefused(400, 401)],
      ...eitherParser,
    },
    'comma-at-the-end': {
      send: mutatedThenControl(header('a comma at the end', ({ t, v1 }) => `t=${t},v1=${v1},`)),
      expect: [acceptedOrRefused(400, 401)],
      ...eitherParser,
    },
    'commas-doubled': {
      send: mutatedThenControl(header('empty entries', ({ t, v1 }) => `,t=${t},,v1=${v1}`)),
      expect: [acceptedOrRefused(400, 401)],
      ...eitherParser,
    },
    'bare-word-between': {
      send: mutatedThenControl(header('a word without an equals sign', ({ t, v1 }) => `t=${t},v1,v1=${v1}`)),
      expect: [acceptedOrRefused(400, 401)],
      ...eitherParser,
    },
  },
)
