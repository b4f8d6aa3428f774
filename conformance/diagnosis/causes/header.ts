import type { Recognize } from '../cause.ts'
import { type Hypothesis, refusing, testAll, verifying } from '../hypothesis.ts'
import type { Said } from '../statement.ts'
import { CORRECT, labeled, type Verifier } from '../verifier.ts'

const position: Said = { code: 'entries_by_position' }
const strictLabels: Said = { code: 'unknown_labels_refused' }
const searched: Said = { code: 'entries_by_search' }
const leniently: Said = { code: 't_parsed_leniently', data: { isReplaced: false } }
const partly: Said = { code: 'signature_compared_partly', data: { isBeginning: false } }

const FOUND_T = /t=(\d+)/
const FOUND_V1 = /v1=([0-9a-f]+)/
/** What the first match in the text has captured. */
const found = (header: string, pattern: RegExp) => pattern.exec(header)?.slice(1) ?? []
const value = (entry = '') => entry.slice(entry.indexOf('=') + 1)
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

/** Compares only the first digits of v1, whatever follows them. */
function comparing(digits: number): Hypothesis {
  const isSame = (expected: string, given: string) =>
    given.length === expected.length && given.slice(0, digits) === expected.slice(0, digits)
  const hypothesis = verifying(
    { code: 'signature_compared_partly', data: { isBeginning: true } },
    { same: isSame },
  )
  return {
    ...hypothesis,
    accepts: (trial) => {
      const { signature, signed, change } = trial.delivery
      const [, given] = /,v1=([^,]*)$/.exec(signature.join(',')) ?? []
      // Nothing after the beginning is decoded, so bytes outside ASCII make no difference there.
      const isCut = change !== undefined && given !== undefined && /^[^\0-\x7f]$/.test(given.slice(-1))
      return isCut ? isSame(signed.v1, given) : hypothesis.accepts(trial)
    },
  }
}

export const HEADER_HYPOTHESES: readonly Hypothesis[] = [
  verifying(position, {
    entries: (header) => {
      const [t, v1] = header.split(',')
      return { times: t ? [value(t)] : [], signatures: v1 ? [value(v1)] : [] }
    },
  }),
  verifying(position, {
    entries: (header) => {
      const entries = header.split(',')
      return { times: labeled(header, 't'), signatures: [value(entries.at(-1))] }
    },
  }),
  verifying(searched, {
    entries: (header) => ({ times: found(header, FOUND_T), signatures: found(header, FOUND_V1) }),
  }),
  verifying(searched, {
    entries: (header) => ({ times: found(header, FOUND_T), signatures: labeled(header, 'v1') }),
  }),
  verifying(searched, {
    entries: (header) => ({
      times: found(header, FOUND_T),
      signatures: labeled(header, 'v1'),
      signed: labeled(header, 't')[0],
    }),
  }),
  verifying(searched, {
    entries: (header) => ({ times: labeled(header, 't'), signatures: found(header, FOUND_V1) }),
  }),
  verifying(strictLabels, {
    entries: (header) =>
      /^t=[^,]*,v1=[^,]*$/.test(header) ? CORRECT.entries(header) : { times: [], signatures: [] },
  }),
  verifying(strictLabels, {
    entries: (header) =>
      header.split(',').length === 2 ? CORRECT.entries(header) : { times: [], signatures: [] },
  }),
  verifying(
    { code: 'label_by_prefix' },
    {
      entries: (header) => ({
        times: labeled(header, 't'),
        signatures: header.split(',').flatMap((entry) => (/^v1\w*=/.test(entry) ? value(entry) : [])),
      }),
    },
  ),
  ...CONVERSIONS.map((seconds) => verifying(leniently, { seconds })),
  ...[(t: string) => t !== '', () => true].map((replaced) =>
    verifying(
      { code: 't_parsed_leniently', data: { isReplaced: true } },
      { seconds: (t, now) => CORRECT.seconds(t, now) ?? (replaced(t) ? now : undefined) },
    ),
  ),
  // NaN fails every comparison with the window.
  verifying(leniently, { seconds: Number, inWindow: (age) => !(Math.abs(age) > 300) }),
  verifying(leniently, {
    seconds: (t) => Number.parseInt(t, 10),
    inWindow: (age) => !(Math.abs(age) > 300),
  }),
  verifying(partly, { same: (expected, given) => given !== '' && expected.startsWith(given) }),
  verifying(partly, { same: (expected, given) => expected.startsWith(given) }),
  verifying(partly, { same: (expected, given) => expected === given.slice(0, 64) }),
  verifying(partly, { same: (expected, given) => expected.length === given.length }),
  ...[4, 8, 16, 32].map((digits) =>
    verifying(partly, {
      same: (expected, given) =>
        given.length === expected.length && given.slice(-digits) === expected.slice(-digits),
    }),
  ),
  ...[matchesLike, matchesExpression].map((same) => verifying({ code: 'signature_as_pattern' }, { same })),
  ...[8, 16, 32, 48, 60, 63].map(comparing),
  verifying({ code: 'unsigned_accepted' }, { trusts: (header) => header === '' }),
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
]

/** Whether the expected signature matches the given one in SQL's LIKE. */
function matchesLike(expected: string, given: string): boolean {
  const parts = given.split(/(%+|_)/).map((part) => {
    if (part === '_') return '.'
    return part.startsWith('%') ? '.*' : part.replace(/\W/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`).test(expected)
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
export const headerCauses: Recognize = (symptoms) => testAll(HEADER_HYPOTHESES, symptoms)
