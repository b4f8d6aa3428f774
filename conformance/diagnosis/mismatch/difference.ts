import { diffChars } from 'diff'
import { type Bytes, textOf } from '../mistakes/form.ts'

/** A part of what is shown. */
interface Piece {
  readonly text: string
  /** Whether the other side lacks it. */
  readonly differs: boolean
}

/** The bytes of one side around the first ones that differ. */
export interface Side {
  /** How many bytes there are altogether. */
  readonly bytes: number
  readonly pieces: readonly Piece[]
  /** Whether more stands before and after the pieces. */
  readonly isCut: readonly [before: boolean, after: boolean]
}

/** Where two sequences of bytes differ. */
export interface Difference {
  /** The first byte that differs, counted from 0. */
  readonly at: number
  readonly signed: Side
  readonly hashed: Side
}

/** How many bytes are shown before the first that differs, and how many altogether. */
const BEFORE = 40
const SHOWN = 200

/** Where the signed bytes and those that a receiver hashed differ; undefined if they are the same. */
export function differenceOf(signed: Bytes, hashed: Bytes): Difference | undefined {
  const shortest = Math.min(signed.length, hashed.length)
  let at = 0
  while (at < shortest && signed[at] === hashed[at]) at += 1
  if (at === signed.length && at === hashed.length) return undefined
  const start = characterAt(signed, Math.max(0, at - BEFORE))
  const ends = [signed, hashed].map((bytes) => characterAt(bytes, Math.min(bytes.length, start + SHOWN)))
  const [signedEnd = 0, hashedEnd = 0] = ends
  const changes = diffChars(
    shownText(signed.slice(start, signedEnd)),
    shownText(hashed.slice(start, hashedEnd)),
  )
  // Where the rest is not shown, what stands last on one side may follow on the other.
  const isCut = signedEnd < signed.length || hashedEnd < hashed.length
  const last = changes.findLastIndex(({ added, removed }) => !added && !removed)
  const certain = isCut && changes.slice(0, last).some(({ added, removed }) => added || removed)
  const shown = certain ? changes.slice(0, last + 1) : changes
  const side = (bytes: Bytes, end: number, other: 'added' | 'removed'): Side => ({
    bytes: bytes.length,
    pieces: shown
      .filter((change) => !change[other])
      .map(({ value, added, removed }) => ({ text: value, differs: added || removed })),
    isCut: [start > 0, end < bytes.length || shown.length < changes.length],
  })
  return { at, signed: side(signed, signedEnd, 'added'), hashed: side(hashed, hashedEnd, 'removed') }
}

/** Where the character begins that has the byte at an offset in UTF-8. */
function characterAt(bytes: Bytes, offset: number): number {
  let at = offset
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80 && offset - at < 3) at -= 1
  return at
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The text of bytes on one line: what cannot be seen, or is not UTF-8, is written as an escape. */
function shownText(bytes: Bytes): string {
  const text = textOf(bytes)
  if (text === undefined)
    return Array.from(bytes, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    ).join('')
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (sign) => NAMED[sign] ?? `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
