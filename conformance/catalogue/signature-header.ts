import { section } from './section.ts'
import { entries } from './signature-header/entries.ts'
import { signature } from './signature-header/signature.ts'
import { time } from './signature-header/time.ts'

export const signatureHeader = section('signature-header', 'Signature header', entries, time, signature)
