import { deflateSync } from 'node:zlib'
import hdr from 'hdr-histogram-js'
import { describe, expect, it, test } from 'vitest'
import { createHistogram, type Histogram } from '../../load/histogram.ts'
import { decodeHistogram, encodeHistogram } from '../../load/histogram-encoding.ts'

const HIGHEST = 86_400_000_000
const SHARES = [0, 50, 90, 99, 99.9, 100]
const SAMPLE = [1, 2, 2, 1500, 1500, 1500, 70_000, 123_456_789, HIGHEST]

function histogramOf(values: readonly number[]): Histogram {
  const histogram = createHistogram()
  for (const value of values) histogram.record(value)
  return histogram
}

/** The same values in the histogram of a third party. */
function foreignOf(values: readonly number[]): hdr.Histogram {
  const histogram = hdr.build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
  })
  for (const value of values) histogram.recordValue(value)
  return histogram
}

/** From microseconds to hours, with the borders at which the resolution changes. */
function manyValues(): number[] {
  const borders = Array.from({ length: 37 }, (_, power) => [2 ** power - 1, 2 ** power, 2 ** power + 1])
  const spread = Array.from({ length: 5000 }, (_, index) => Math.floor(1.005 ** index % HIGHEST))
  return [...borders.flat(), ...spread].filter((value) => value <= HIGHEST)
}

const percentiles = (histogram: Histogram) => SHARES.map((share) => histogram.percentile(share))

describe('createHistogram', () => {
  it('has the percentiles of another implementation', () => {
    const values = manyValues()
    const foreign = foreignOf(values)
    const shares = [...SHARES, ...Array.from({ length: 100 }, (_, share) => share)]
    const histogram = histogramOf(values)
    for (const share of shares) {
      expect(histogram.percentile(share), String(share)).toBe(foreign.getValueAtPercentile(share))
    }
  })

  it('keeps three significant digits, and never makes a latency shorter', () => {
    for (const value of manyValues().filter((_, index) => index % 20 === 0)) {
      const [kept = 0] = percentiles(histogramOf([value]))
      expect(kept).toBeGreaterThanOrEqual(value)
      expect(kept).toBeLessThanOrEqual(Math.max(value * 1.001, value))
    }
  })

  it('adds another histogram as if its values had been recorded here', () => {
    const [some, others] = [[1, 20, 300, 4000], manyValues()]
    const sum = histogramOf(some)
    sum.add(histogramOf(others))
    const all = histogramOf([...some, ...others])
    expect([sum.total(), sum.counts()]).toEqual([all.total(), all.counts()])
  })

  it('counts more than 24 hours as 24 hours, and has no percentiles without values', () => {
    expect(histogramOf([HIGHEST * 2]).counts()).toEqual(histogramOf([HIGHEST]).counts())
    expect(percentiles(createHistogram())).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('refuses a sum that is not exact', () => {
    const half = createHistogram([2 ** 51])
    expect(() => half.add(half)).toThrow(RangeError)
  })
})

describe('encodeHistogram', () => {
  it('is read by another implementation', () => {
    const values = manyValues()
    const foreign = hdr.decodeFromCompressedBase64(encodeHistogram(histogramOf(values)), 64)
    expect(foreign.totalCount).toBe(values.length)
    for (const share of SHARES) {
      expect(foreign.getValueAtPercentile(share)).toBe(foreignOf(values).getValueAtPercentile(share))
    }
  })

  it('is decoded to the same counts, also large ones', () => {
    for (const histogram of [
      createHistogram(),
      histogramOf([0]),
      histogramOf(manyValues()),
      createHistogram([0, 127, 128, 0, 2 ** 31, 0, 0, 2 ** 51]),
    ]) {
      const decoded = decodeHistogram(encodeHistogram(histogram))
      expect([decoded.total(), decoded.counts()]).toEqual([histogram.total(), histogram.counts()])
    }
  })
})

describe('decodeHistogram', () => {
  // The same values, encoded by the libraries of other languages.
  it.each([
    [
      'Go (hdrhistogram-go 1.4.0)',
      'HISTFAAAADd42pJpmSzMwMAgyAABzFCakYGBQUT2egKD/QeoCBPLRnG285FMK9cwMl2dxsgECAAA//+13gi3',
    ],
    [
      'Python (hdrhistogram 0.10.8)',
      'HISTFAAAADF4nJNpmSzMwMAgyAABzFCaEYhFZK8nMNh/gAowsWwUZzsfybRyDSPT1WmMTAC17wi4',
    ],
  ])('reads a histogram that was written in %s', (_language, text) => {
    expect(decodeHistogram(text).counts()).toEqual(histogramOf(SAMPLE).counts())
  })

  const header = (
    fields: Partial<Record<'cookie' | 'length' | 'rotation' | 'digits', number>>,
    payload: Buffer,
  ) => {
    const bytes = Buffer.alloc(40)
    bytes.writeUInt32BE(fields.cookie ?? 0x1c849313, 0)
    bytes.writeUInt32BE(fields.length ?? payload.length, 4)
    bytes.writeUInt32BE(fields.rotation ?? 0, 8)
    bytes.writeUInt32BE(fields.digits ?? 3, 12)
    bytes.writeBigUInt64BE(1n, 16)
    bytes.writeBigUInt64BE(BigInt(HIGHEST), 24)
    bytes.writeDoubleBE(1, 32)
    return compressed(Buffer.concat([bytes, payload]))
  }
  const compressed = (content: Buffer) => {
    const deflated = deflateSync(content)
    const envelope = Buffer.alloc(8)
    envelope.writeUInt32BE(0x1c849314, 0)
    envelope.writeUInt32BE(deflated.length, 4)
    return Buffer.concat([envelope, deflated]).toString('base64')
  }

  test('accepts what the cases below change', () => {
    expect(decodeHistogram(header({}, Buffer.from([3, 4]))).counts()).toEqual([0, 0, 2])
  })

  it.each([
    ['nothing', '', /not a compressed HDR histogram/],
    ['another text', 'HIST', /not a compressed HDR histogram/],
    ['a truncated text', encodeHistogram(histogramOf(SAMPLE)).slice(0, 40), /cut off/],
    [
      'content that is not compressed',
      Buffer.from('1c84931400000001aa', 'hex').toString('base64'),
      /decompressed/,
    ],
    ['content that decompresses to 100 MB', compressed(Buffer.alloc(100_000_000)), /decompressed/],
    ['other content', compressed(Buffer.alloc(100)), /not an HDR histogram/],
    ['too little content', compressed(Buffer.alloc(10)), /not an HDR histogram/],
    ['a wrong length', header({ length: 3 }, Buffer.from([3, 4])), /cut off/],
    ['rotated counts', header({ rotation: 1 }, Buffer.from([3, 4])), /range or precision/],
    ['another precision', header({ digits: 2 }, Buffer.from([3, 4])), /range or precision/],
    ['a count that does not end', header({}, Buffer.from([0x80])), /cannot be read/],
    ['a count of nine bytes', header({}, Buffer.alloc(9, 0xff)), /cannot be read/],
    ['a count that is too large', header({}, Buffer.from('feffffffffffff7f', 'hex')), /cannot be read/],
    [
      'counts whose sum is too large',
      header({}, Buffer.from('feffffffffffff0ffeffffffffffff0f', 'hex')),
      /too many/,
    ],
    ['too many zeros', header({}, Buffer.from('ffffffff7f', 'hex')), /too many counts/],
    ['too many counts', header({}, Buffer.alloc(28_000, 2)), /too many counts/],
  ])('refuses %s', (_name, text, message) => {
    const attempt = () => decodeHistogram(text)
    expect(attempt).toThrow(RangeError)
    expect(attempt).toThrow(message)
  })
})
