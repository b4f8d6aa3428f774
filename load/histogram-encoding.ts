import { deflateSync, inflateSync } from 'node:zlib'
import { COUNTS, createHistogram, type Histogram, LAYOUT } from './histogram.ts'

// The V2 encoding of HdrHistogram. All numbers are big-endian.
const COMPRESSED_COOKIE = 0x1c849314
const COOKIE = 0x1c849313
const COMPRESSED_HEADER = 8
const HEADER = 40
/** How long the encoding of one count can be, in bytes. */
const COUNT_LENGTH = 9

/**
 * Encodes a histogram in the V2 format of HdrHistogram, compressed and in base64, which HDR tools of all languages read.
 *
 * The usual library for JavaScript is not used: it sets a rotation in the header that the counts do not have, so readers
 * in C and Java would shift each count, and it decompresses without a limit.
 */
export function encodeHistogram(histogram: Histogram): string {
  const payload = Buffer.from(encodeCounts(histogram.counts()))
  const header = Buffer.alloc(HEADER)
  header.writeUInt32BE(COOKIE, 0)
  header.writeUInt32BE(payload.length, 4)
  // At 8: the rotation of the counts, 0.
  header.writeUInt32BE(LAYOUT.digits, 12)
  header.writeBigUInt64BE(BigInt(LAYOUT.lowest), 16)
  header.writeBigUInt64BE(BigInt(LAYOUT.highest), 24)
  // The factor from counted to recorded values.
  header.writeDoubleBE(1, 32)

  const compressed = deflateSync(Buffer.concat([header, payload]))
  const envelope = Buffer.alloc(COMPRESSED_HEADER)
  envelope.writeUInt32BE(COMPRESSED_COOKIE, 0)
  envelope.writeUInt32BE(compressed.length, 4)
  return Buffer.concat([envelope, compressed]).toString('base64')
}

/**
 * Decodes what `encodeHistogram` encoded. The memory that it takes does not depend on the text.
 * @throws RangeError with the problem when the text is anything else
 */
export function decodeHistogram(text: string): Histogram {
  const bytes = inflate(Buffer.from(text, 'base64'))
  if (bytes.length < HEADER || bytes.readUInt32BE(0) !== COOKIE)
    throw new RangeError('it is not an HDR histogram')
  if (bytes.readUInt32BE(4) !== bytes.length - HEADER) throw new RangeError('it is cut off')
  const hasLayout =
    bytes.readUInt32BE(8) === 0 &&
    bytes.readUInt32BE(12) === LAYOUT.digits &&
    bytes.readBigUInt64BE(16) === BigInt(LAYOUT.lowest) &&
    bytes.readBigUInt64BE(24) === BigInt(LAYOUT.highest) &&
    bytes.readDoubleBE(32) === 1
  if (!hasLayout) throw new RangeError('it has another range or precision')
  return createHistogram(decodeCounts(bytes.subarray(HEADER)))
}

function inflate(bytes: Buffer): Buffer {
  if (bytes.length < COMPRESSED_HEADER || bytes.readUInt32BE(0) !== COMPRESSED_COOKIE) {
    throw new RangeError('it is not a compressed HDR histogram in the V2 format')
  }
  const compressed = bytes.subarray(COMPRESSED_HEADER)
  if (bytes.readUInt32BE(4) !== compressed.length) throw new RangeError('it is cut off')
  try {
    return inflateSync(compressed, { maxOutputLength: HEADER + COUNTS * COUNT_LENGTH })
  } catch {
    throw new RangeError('it cannot be decompressed')
  }
}

/** Each count, and each run of zeros as a negative number. */
function encodeCounts(counts: readonly number[]): number[] {
  const bytes: number[] = []
  let zeros = 0
  for (const count of counts) {
    if (count === 0) zeros += 1
    else {
      if (zeros > 0) writeNumber(bytes, -zeros)
      zeros = 0
      writeNumber(bytes, count)
    }
  }
  return bytes
}

function decodeCounts(bytes: Buffer): number[] {
  const counts: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const [number, next] = readNumber(bytes, at)
    at = next
    if (counts.length + Math.max(1, -number) > COUNTS) throw new RangeError('it has too many counts')
    if (number < 0) for (let zeros = 0; zeros < -number; zeros += 1) counts.push(0)
    else counts.push(number)
  }
  return counts
}

/** ZigZag LEB128: seven bits a byte, the lowest first; the sign is the lowest bit. */
function writeNumber(bytes: number[], number: number): void {
  // Bit operations would cut it to 32 bits.
  let rest = number < 0 ? -2 * number - 1 : 2 * number
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

/** @returns the number and where the next one starts */
function readNumber(bytes: Buffer, from: number): [number, number] {
  let value = 0
  for (let at = from, factor = 1; at < bytes.length && at < from + COUNT_LENGTH - 1; at += 1, factor *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte % 128) * factor
    if (byte >= 128) continue
    const number = value % 2 === 0 ? value / 2 : -(value + 1) / 2
    if (!Number.isSafeInteger(value)) break
    return [number, at + 1]
  }
  throw new RangeError('it has a count that cannot be read')
}
