import { section } from '../section.ts'
import { altered } from './altered.ts'
import { byteOrderMark, refusedByParsers, sizes, unusual } from './unusual.ts'

export const bodyBytes = section(
  'body-bytes',
  'Body bytes',
  unusual,
  ...altered,
  ...sizes,
  byteOrderMark,
  ...refusedByParsers,
)
