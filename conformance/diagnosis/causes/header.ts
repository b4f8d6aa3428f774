import type { Candidate, Recognize } from '../cause.ts'
import { type Hypothesis, refusing, testAll, verifyingFor } from '../hypothesis.ts'
import { remembered } from '../remember.ts'
import type { Said } from '../statement.ts'
import { isOpen, type Symptoms } from '../symptoms.ts'
import {
  correctOf,
  isTimed,
  labeled,
  lengthOf,
  type Stated,
  secondsIn,
  type Terms,
  type Verifier,
} from '../verifier.ts'

const position: Said = { code: 'entries_by_position' }
const strictLabels: Said = { code: 'unknown_labels_refused' }
const searched: Said = { code: 'entries_by_search' }
const leniently: Said = { code: 't_parsed_leniently', data: { isReplaced: false } }
const partly: Said = { code: 'signature_compared_partly', data: { isBeginning: false } }

/** What the first match in the text has captured. */
const found = (header: string, pattern: RegExp) => pattern.exec(header)?.slice(1) ?? []
const NONE = { times: [], signatures: [] }
const digits = /^\d+$/
/** Ways to convert text to a number that take more than digits. */
const CONVERSIONS: readonly Verifier['seconds'][] = [
  (t) => finite(Number.parseInt(t, 10)),
  (t) => finite(Number.parseFloat(t)),
  (t) => (/^[+-]?\d{1,12}$/.test(t) ? Number(t) : undefined),
  (t) => (/^[+-]?\d{1,12}$/.test(t) ? Math.abs(Number(t)) : undefined),
  (t) => (/^\d+(?:\.\d+)?(?:e\d+)?$/.test(t) ? Math.floor(Number(t)) : undefined),
  (t) => (/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(t) ? Number(t.replaceAll('_', '')) : undefined),
  (t) => (/^\s*[+-]?\d+\s*$/.test(t) ? Number(t) : undefined),
]

/** Other ways to read the time. */
function timeHypotheses(terms: Terms): Hypothesis[] {
  if (!isTimed(terms.scheme)) return []
  const verifying = verifyingFor(terms)
  const notOutside = (age: number) => !(Math.abs(age) > terms.windowSeconds)
  return [
    ...CONVERSIONS.map((seconds) => verifying(leniently, { seconds })),
    ...[(t: string) => t !== '', () => true].map((replaced) =>
      verifying(
        { code: 't_parsed_leniently', data: { isReplaced: true } },
        { seconds: (t, now) => secondsIn(t) ?? (replaced(t) ? now : undefined) },
      ),
    ),
    // NaN fails every comparison with the window.
    verifying(leniently, { seconds: Number, inWindow: notOutside }),
    verifying(leniently, { seconds: (t) => Number.parseInt(t, 10), inWindow: notOutside }),
  ]
}

/** Other ways to find the entries of the header. */
function entryHypotheses(terms: Terms): Hypothesis[] {
  const { scheme } = terms
  const { header: own, digest } = scheme
  const { separator, label, time } = own
  // Without a label, the header is one signature.
  if (label === '') return []
  const verifying = verifyingFor(terms)
  const { entries: correctly } = correctOf(terms)
  const reading = (said: Said, entries: Verifier['entries']) => verifying(said, { entries })
  const sign = label.slice(-1)
  const value = (entry = '') => entry.slice(entry.indexOf(sign) + 1)
  const signatures = ({ header }: Stated) => labeled(header, own, label)
  const times = (stated: Stated) => correctly(stated).times
  const foundSignature = new RegExp(`${label}(${digest === 'hex' ? '[0-9a-f]+' : '[\\w+/=-]+'})`)
  const searching = reading(searched, (stated) => ({
    times: times(stated),
    signatures: found(stated.header, foundSignature),
  }))
  const begun = new RegExp(`^${label.slice(0, -1)}\\w*${sign}`)
  const partsOf = ({ header }: Stated) => header.split(separator)
  const usual = time === undefined ? [label] : [time, label]
  const withTime = (foundTime: RegExp) => [
    reading(position, (stated) => {
      const [t, signature] = partsOf(stated)
      return { times: t ? [value(t)] : [], signatures: signature ? [value(signature)] : [] }
    }),
    reading(position, (stated) => ({ times: times(stated), signatures: [value(partsOf(stated).at(-1))] })),
    reading(searched, ({ header }) => ({
      times: found(header, foundTime),
      signatures: found(header, foundSignature),
    })),
    reading(searched, (stated) => ({
      times: found(stated.header, foundTime),
      signatures: signatures(stated),
    })),
    reading(searched, (stated) => ({
      times: found(stated.header, foundTime),
      signatures: signatures(stated),
      signed: times(stated)[0],
    })),
  ]
  return [
    ...(
      [
        ['first', (all) => all.slice(0, 1)],
        ['last', (all) => all.slice(-1)],
      ] satisfies [which: 'first' | 'last', some: (all: string[]) => string[]][]
    ).map(([which, some]) =>
      reading({ code: 'one_signature_read', data: { which } }, (stated) => ({
        times: times(stated),
        signatures: some(signatures(stated)),
      })),
    ),
    verifying({ code: 'one_signature_read', data: { which: 'every' } }, { needsAll: true }),
    ...(time === undefined ? [] : withTime(new RegExp(`${time}(\\d+)`))),
    searching,
    reading(strictLabels, (stated) => {
      const parts = partsOf(stated)
      const isUsual =
        parts.length === usual.length && parts.every((part, at) => part.startsWith(usual[at] ?? ''))
      return isUsual ? correctly(stated) : NONE
    }),
    reading(strictLabels, (stated) => (partsOf(stated).length === usual.length ? correctly(stated) : NONE)),
    reading({ code: 'label_by_prefix' }, (stated) => ({
      times: times(stated),
      signatures: partsOf(stated).flatMap((entry) => (begun.test(entry) ? value(entry) : [])),
    })),
  ]
}

/** Compares only the first characters of a signature, whatever follows them. */
function comparing(count: number, terms: Terms): Hypothesis {
  const isSame = (expected: string, given: string) =>
    given.length === expected.length && given.slice(0, count) === expected.slice(0, count)
  const hypothesis = verifyingFor(terms)(
    { code: 'signature_compared_partly', data: { isBeginning: true } },
    { same: isSame },
  )
  const { header } = terms.scheme
  return {
    ...hypothesis,
    accepts: (trial) => {
      const { signature, signed, change } = trial.delivery
      const [given] = labeled(signature.join(','), header, header.label).slice(-1)
      // Nothing after the beginning is decoded, so bytes outside ASCII make no difference there.
      const isCut = change !== undefined && given !== undefined && /^[^\0-\x7f]$/.test(given.slice(-1))
      return isCut ? isSame(signed.v1, given) : hypothesis.accepts(trial)
    },
  }
}

/** Other ways to compare signatures. */
function comparisonHypotheses(terms: Terms): Hypothesis[] {
  const { scheme } = terms
  const length = lengthOf(scheme)
  const comparison = (same: Verifier['same']) => verifyingFor(terms)(partly, { same })
  const isAsLong = (expected: string, given: string) => expected.length === given.length
  return [
    comparison((expected, given) => given !== '' && expected.startsWith(given)),
    comparison((expected, given) => expected.startsWith(given)),
    comparison((expected, given) => expected === given.slice(0, length)),
    ...(scheme.digest === 'hex' ? [comparison(matchesDecoded)] : []),
    comparison((expected, given) => expected.slice(0, 8) === given.slice(0, 8)),
    ...[1, ...[32, 16, 8, 4].map((count) => length - count)].map((from) =>
      comparison(
        (expected, given) => isAsLong(expected, given) && expected.slice(from) === given.slice(from),
      ),
    ),
    ...[matchesLike, matchesExpression].map((same) =>
      verifyingFor(terms)({ code: 'signature_as_pattern' }, { same }),
    ),
    ...[8, 16, 32, 48, 60, 63].filter((count) => count < length).map((count) => comparing(count, terms)),
  ]
}

export const headerHypotheses = remembered((terms: Terms): readonly Hypothesis[] => [
  ...entryHypotheses(terms),
  ...timeHypotheses(terms),
  ...comparisonHypotheses(terms),
  verifyingFor(terms)({ code: 'unsigned_accepted' }, { trusts: (header) => header === '' }),
  refusing(
    { code: 'header_name_case', data: { refused: 'all-but-one' } },
    ({ delivery }) => delivery.nameCase !== 'as-is',
  ),
  ...(['lower', 'upper'] as const).map((refused) =>
    refusing(
      { code: 'header_name_case', data: { refused } },
      ({ delivery }) => delivery.nameCase === refused,
    ),
  ),
])

/** So many refused deliveries have a zero in the same place by no chance. */
const FEWEST_REFUSED = 3
/** In signatures of valid deliveries: the places where a zero is lost when bytes are written as digits. */
const LOST_ZEROS = [
  { isOfEachByte: false, isLost: (v1: string) => v1.startsWith('0') },
  { isOfEachByte: true, isLost: (v1: string) => /^(?:..)*0/.test(v1) },
] as const

/** Valid deliveries are refused if their signature has a zero in some place, and no others. */
export function zerosLost({ valid, service }: Symptoms): Candidate[] {
  if (service.scheme.digest !== 'hex') return []
  const plain = valid.filter(({ delivery }) => delivery.change === undefined)
  const refused = plain.filter(({ accepted }) => accepted === false)
  const taken = plain.filter(({ accepted }) => accepted === true)
  if (refused.length < FEWEST_REFUSED || taken.length < FEWEST_REFUSED) return []
  const found = LOST_ZEROS.find(
    ({ isLost }) =>
      refused.every(({ delivery }) => isLost(delivery.signed.v1)) &&
      !taken.some(({ delivery }) => isLost(delivery.signed.v1)),
  )
  if (found === undefined) return []
  const { isOfEachByte } = found
  return [
    {
      code: 'signature_zeros_lost',
      data: { isOfEachByte },
      precedes: true,
      explains: new Set(
        valid
          .filter(({ accepted, delivery }) => accepted === false && found.isLost(delivery.signed.v1))
          .map(({ verdict }) => verdict)
          .filter(isOpen),
      ),
    },
  ]
}

/** Whether the expected signature matches the given one in SQL's LIKE. */
function matchesLike(expected: string, given: string): boolean {
  const parts = given.split(/(%+|_)/).map((part) => {
    if (part === '_') return '.'
    return part.startsWith('%') ? '.*' : part.replace(/\W/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`).test(expected)
}

/** Whether the bytes are equal that a lenient hex decoder reads before it stops at another character. */
function matchesDecoded(expected: string, given: string): boolean {
  const read = Buffer.from(given, 'hex')
  return read.equals(Buffer.from(expected, 'hex').subarray(0, read.length))
}

/** Whether the given signature, taken for a regular expression, is found in the expected one. */
function matchesExpression(expected: string, given: string): boolean {
  try {
    return given !== '' && new RegExp(given).test(expected)
  } catch {
    return false
  }
}

function finite(value: number): number | undefined {
  return Number.isNaN(value) || !digits.test(String(value)) ? undefined : value
}

/** The signature header is read wrongly (SPEC.md 2). */
export const headerCauses: Recognize = (symptoms) => [
  ...testAll(headerHypotheses(symptoms.service), symptoms),
  ...zerosLost(symptoms),
]
