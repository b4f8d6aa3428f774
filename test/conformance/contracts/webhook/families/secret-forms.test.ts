import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodedFrom,
  keysInside,
  otherFormsOf,
} from '../../../../../conformance/contracts/webhook/families/secret-forms.ts'
import { SECRETS } from '../../../../mutants/proof/secrets.ts'

const macOf = (key: string | Buffer) => createHmac('sha256', key).update('1.{}').digest('hex')
const namesOf = (keys: readonly { readonly name: string }[]) => keys.map(({ name }) => name)
const keysOf = (keys: readonly { readonly key: string | Buffer }[]) => keys.map(({ key }) => key.toString())

describe.each(SECRETS)('the forms of %s', (secret) => {
  it('are some of each kind', () => {
    for (const formsOf of [keysInside, decodedFrom, otherFormsOf])
      expect(formsOf(secret).length).toBeGreaterThanOrEqual(1)
  })

  it.each([keysInside, decodedFrom, otherFormsOf])(
    'make signatures that differ from the valid one: %o',
    (formsOf) => {
      const signatures = formsOf(secret).map(({ key }) => macOf(key))
      expect(signatures).not.toContain(macOf(secret))
      expect(signatures).not.toContain(macOf(''))
      expect(new Set(signatures).size).toBe(signatures.length)
    },
  )
})

it('never makes a valid signature, whatever the secret looks like', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (secret) => {
      const keys = [...keysInside(secret), ...decodedFrom(secret), ...otherFormsOf(secret)]
      expect(keys.every(({ key }) => macOf(key) !== macOf(secret))).toBe(true)
    }),
    { examples: [['\0'], ['a\0'], ['_'], ['whsec_'], ['x'.repeat(65)], ['%']], numRuns: 200 },
  )
})

describe('keysInside', () => {
  it('cuts the prefix in every usual way, also where the secret has further underscores', () => {
    expect(keysOf(keysInside('whsec_ab_cd_ef'))).toEqual(
      expect.arrayContaining([
        'ab_cd_ef',
        'cd_ef',
        'ef',
        'ab',
        'whsec',
        'whsec_ab_cd',
        'whsec_ab_cd_ef'.slice(1),
      ]),
    )
  })

  it('cuts at other separators, and at usual sizes', () => {
    expect(keysOf(keysInside(`v1:${'k'.repeat(40)}`))).toEqual(
      expect.arrayContaining(['k'.repeat(40), 'v1', `v1:${'k'.repeat(13)}`]),
    )
  })
})

describe('decodedFrom', () => {
  it('decodes base64 as Node.js and as Python do, and hexadecimal', () => {
    expect(namesOf(decodedFrom('whsec_ab-code'))).toHaveLength(4)
    expect(decodedFrom('whsec_c0de').map(({ key }) => key)).toContainEqual(Buffer.from('c0de', 'hex'))
  })
})

describe('otherFormsOf', () => {
  it('decodes a URL-encoded secret, and leaves one alone that is none', () => {
    expect(keysOf(otherFormsOf('a%2Fb'))).toContain('a/b')
    expect(namesOf(otherFormsOf('100%'))).not.toContain('the secret, URL-decoded')
  })
})
