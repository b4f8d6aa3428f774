import { accepted, acceptedOrRefused, refused } from '../../case/expect.ts'
import { header, v1 } from '../../case/mutate.ts'
import { mutatedThenControl } from '../../case/plan.ts'
import { cases } from '../section.ts'
import { forged, genuineWith, laxHex } from './common.ts'

/** How `v1` is written, and how several are read. */
export const signature = cases({
  'v1-empty': {
    spec: 'A receiver MUST refuse a delivery whose `v1` entry is empty, with status 400 or 401.',
    send: mutatedThenControl(header('an empty v1', ({ t }) => `t=${t},v1=`)),
    expect: [refused(400, 401)],
    open: 'An empty entry may count as missing (400) or as wrong (401).',
    ...laxHex,
  },
  'v1-truncated': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: mutatedThenControl(v1('half of the signature', ({ v1 }) => v1.slice(0, 32))),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-of-one-digit': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: mutatedThenControl(v1('the first digit of the signature', ({ v1 }) => v1.slice(0, 1))),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-prolonged': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: mutatedThenControl(v1('two digits after the signature', ({ v1 }) => `${v1}00`)),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-not-hexadecimal': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: mutatedThenControl(v1('letters beyond f in the signature', ({ v1 }) => `${v1.slice(0, 62)}zz`)),
    expect: [refused(400, 401)],
    open: 'Text that is no hexadecimal may count as malformed (400) or as wrong (401).',
    impact: 'Some decoders stop at the first odd letter and compare what came before.',
    fix: laxHex.fix,
  },
  'v1-in-base64': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: mutatedThenControl(
      v1('the signature in base64', ({ v1 }) => Buffer.from(v1, 'hex').toString('base64')),
    ),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-with-one-digit-wrong': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: mutatedThenControl(
      v1('the last digit changed', ({ v1 }) => `${v1.slice(0, 63)}${v1.endsWith('0') ? '1' : '0'}`),
    ),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-in-upper-case': {
    spec: 'A receiver MAY accept a right `v1` in upper-case digits, or refuse it with status 400 or 401.',
    send: mutatedThenControl(v1('the signature in upper case', ({ v1 }) => v1.toUpperCase())),
    expect: [acceptedOrRefused(400, 401)],
    open: 'The service sends lower case only.',
    impact: 'The sender is told that the server is broken.',
    fix: 'Accept either case, or refuse this one as a wrong signature.',
  },
  'v1-twice-right-one-first': {
    spec: 'A receiver SHOULD accept a delivery with several `v1` entries when one of them is right.',
    send: genuineWith(
      header('a wrong v1 after the right one', ({ t, v1 }) => `t=${t},v1=${v1},v1=${forged}`),
    ),
    expect: [accepted],
    impact: 'Deliveries are lost while a signing secret is being replaced.',
    fix: 'Compare every v1 entry and accept when one is right.',
  },
  'v1-twice-right-one-last': {
    spec: 'A receiver SHOULD accept a delivery with several `v1` entries when one of them is right.',
    send: genuineWith(
      header('a wrong v1 before the right one', ({ t, v1 }) => `t=${t},v1=${forged},v1=${v1}`),
    ),
    expect: [accepted],
    impact: 'Deliveries are lost while a signing secret is being replaced.',
    fix: 'Compare every v1 entry and accept when one is right.',
  },
  'v1-twice-both-wrong': {
    spec: 'A receiver MUST refuse a delivery in which no `v1` entry is right, however many there are, with status 400 or 401.',
    send: mutatedThenControl(
      header('two wrong v1 entries', ({ t }) => `t=${t},v1=${forged},v1=${'f'.repeat(64)}`),
    ),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'two-header-lines-both-wrong': {
    spec: 'A receiver MUST refuse a delivery in which no `v1` entry is right, however many there are, with status 400 or 401.',
    send: mutatedThenControl(
      header('two signature headers, both wrong', ({ t }) => [
        `t=${t},v1=${forged}`,
        `t=${t},v1=${'f'.repeat(64)}`,
      ]),
    ),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'two-header-lines-one-right': {
    spec: 'A receiver MAY accept two signature headers of which one is right, or refuse them with status 400 or 401.',
    send: mutatedThenControl(
      header('a wrong signature header before the right one', ({ t, v1 }) => [
        `t=${t},v1=${forged}`,
        `t=${t},v1=${v1}`,
      ]),
    ),
    expect: [acceptedOrRefused(400, 401)],
    open: 'The service sends one header; a receiver may read either, both, or none.',
    impact: 'The sender is told that the server is broken.',
    fix: 'Join the lines with a comma and parse them as one, or answer 400.',
  },
})
