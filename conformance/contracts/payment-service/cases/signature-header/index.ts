import { section } from '../../section.ts'
import { unusualBytes } from './bytes.ts'
import { labels, missingEntries, untidy } from './entries.ts'
import {
  emptySignature,
  secondEqualsSign,
  severalSignatures,
  unusualSignatures,
  wrongSignature,
} from './signature.ts'
import { freshSignedTime, hugeTime, leadingZeros, noTime, otherNotation, staleSignedTime } from './time.ts'

export const signatureHeader = section(
  'signature-header',
  'Signature header',
  ...missingEntries,
  emptySignature,
  ...labels,
  noTime,
  wrongSignature,
  staleSignedTime,
  ...severalSignatures,
  ...unusualSignatures,
  hugeTime,
  leadingZeros,
  untidy,
  freshSignedTime,
  ...unusualBytes,
  otherNotation,
  secondEqualsSign,
)
