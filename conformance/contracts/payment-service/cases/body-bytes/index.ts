import { section } from '../../section.ts'
import { altered, respelled } from './altered.ts'
import { ambiguous, beyondFloatingPoint, timestamps } from './parsing.ts'
import { byteOrderMark, refusedByParsers, sizes, unusual } from './unusual.ts'

export const bodyBytes = section(
  'body-bytes',
  'Body bytes',
  unusual,
  ...altered,
  ...sizes,
  byteOrderMark,
  respelled,
  timestamps,
  ...ambiguous,
  ...refusedByParsers,
  beyondFloatingPoint,
)
