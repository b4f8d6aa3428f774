import { createHmac } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { vectors } from '../../fixtures/index.ts'
import { createVerifier } from '../../receiver/verify.ts'
import { clock, events, NOW, outcomeOf, read, SECRET, signed, verify } from './support.ts'

describe('the frozen vectors', () => {
  it('are at least 40', () => {
    expect(vectors().length).toBeGreaterThanOrEqual(40)
  })

  for (const vector of vectors()) {
    test(vector.name, () => {
      const verifyVector = createVerifier({
        secrets: vector.secrets ?? vector.secret ?? [],
        toleranceSeconds: vector.tolerance_seconds,
        clock: () => vector.now * 1000,
      })
      const attempt = () => read(Buffer.from(vector.body_base64, 'base64'), vector.header, verifyVector)
      const { expect: expected } = vector
      if (expected.outcome === 'accepted') expect(outcomeOf(attempt)).toBe('accepted')
      else expect(attempt).toThrow(expect.objectContaining({ status: expected.status, code: expected.code }))
    })
  }
})

describe('the header', () => {
  const { body, header } = signed(events('header').event('completed'))
  const [t, v1] = header.split(',')
  const wrong = `v1=${'0'.repeat(64)}`

  it.each([
    ['undefined', undefined, 'header_missing'],
    ['empty', '', 'header_missing'],
    ['an empty list', [], 'header_missing'],
    ['one value in a list', [header], 'accepted'],
    ['two values, each valid', [header, header], 't_duplicated'],
    ['t and v1 in separate headers', [t, v1], 'accepted'],
    ['sixteen v1, the last valid', [t, ...Array(15).fill(wrong), v1].join(','), 'accepted'],
    ['seventeen v1, one valid', [t, ...Array(16).fill(wrong), v1].join(','), 'header_malformed'],
    ['an entry without a label', `=x,${header}`, 'accepted'],
    ['a t in an entry without a label', `=t=5,${header}`, 'accepted'],
    ['only an entry without a label', '=x', 'header_malformed'],
    ['a t= inside another value', `x=t=5,${header}`, 'accepted'],
    ['a valid v1 after an empty one', `v1=,${header}`, 'accepted'],
    ['a space before v1', `${t}, ${v1}`, 'v1_missing'],
    [
      'upper-case hexadecimal',
      header.toUpperCase().replace('T=', 't=').replace('V1=', 'v1='),
      'signature_mismatch',
    ],
  ])('%s', (_name, value, expected) => {
    expect(outcomeOf(() => verify(body, value as string | string[] | undefined))).toBe(expected)
  })
})

describe('construction', () => {
  it.each([[''], ['   '], [[]], [['whsec_a', '']], [undefined], [[undefined]], [null]])(
    'rejects the secrets %j',
    (secrets) => {
      expect(() => createVerifier({ secrets: secrets as string })).toThrow(/^secrets: .*Pass/)
    },
  )

  it.each([['s'], ['a secret with spaces'], ['two\nlines']])('accepts the secret %j', (secret) => {
    expect(() => createVerifier({ secrets: secret })).not.toThrow()
  })

  it.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY], [86_400.5], [1e9], ['300']])(
    'rejects the tolerance %j',
    (value) => {
      expect(() => createVerifier({ secrets: SECRET, toleranceSeconds: value as number })).toThrow(
        /^toleranceSeconds: /,
      )
    },
  )

  it('accepts a tolerance of one day', () => {
    const clock = () => (NOW + 86_400) * 1000
    const verify = createVerifier({ secrets: SECRET, toleranceSeconds: 86_400, clock })
    const { body, header } = signed(events('a day').event('completed'), NOW)
    expect(verify(body, header)).toBe(NOW)
  })

  it('throws TypeErrors that show no secret', () => {
    const secrets = [SECRET, ' ']
    expect(() => createVerifier({ secrets })).toThrow(TypeError)
    expect(() => createVerifier({ secrets })).not.toThrow(SECRET)
  })

  it('copies the list of secrets', () => {
    const secrets = [SECRET]
    const verifyOne = createVerifier({ secrets, clock })
    secrets.length = 0
    const { body, header } = signed(events('list').event('completed'))
    expect(outcomeOf(() => verifyOne(body, header))).toBe('accepted')
  })
})

describe('failing closed', () => {
  const { body, header } = signed(events('closed').event('completed'))

  it('refuses when the clock returns NaN', () => {
    const verifyLost = createVerifier({ secrets: SECRET, clock: () => Number.NaN })
    expect(outcomeOf(() => verifyLost(body, header))).toBe('timestamp_too_old')
  })

  it('rejects anything but bytes, which would no longer be the original bytes', () => {
    for (const value of [body.toString(), JSON.parse(body.toString()), undefined]) {
      expect(() => verify(value, header)).toThrow(TypeError)
    }
  })

  it('covers the bytes of a body that is not UTF-8', () => {
    const odd = Buffer.concat([
      Buffer.from('{"event":"a","id":"tx_1","x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ])
    const replaced = Buffer.from(odd.toString('utf8'))
    const signature = createHmac('sha256', SECRET).update(`${NOW}.`).update(odd).digest('hex')
    expect(outcomeOf(() => verify(replaced, `t=${NOW},v1=${signature}`))).toBe('signature_mismatch')
    expect(outcomeOf(() => read(odd, `t=${NOW},v1=${signature}`))).toBe('body_not_json')
  })
})

describe('the check of the signature alone', () => {
  it('returns the signing time without parsing the body', () => {
    const { body, header } = signed(Buffer.from('not JSON'))
    const check = createVerifier({ secrets: SECRET, clock })
    expect(check(body, header)).toBe(NOW)
    expect(outcomeOf(() => check(body, `t=${NOW},v1=${'0'.repeat(64)}`))).toBe('signature_mismatch')
  })

  it('compares every v1 with every secret, whatever its length', () => {
    const { body, header } = signed(Buffer.from('x'))
    const check = createVerifier({ secrets: ['another', SECRET], clock })
    const [t, v1] = header.split(',')
    for (const odd of ['v1=0', `${v1}0`, `v1=${'é'.repeat(32)}`, `v1=${'é'.repeat(64)}`, 'v1=']) {
      expect(outcomeOf(() => check(body, `${t},${odd}`))).not.toBe('accepted')
      expect(outcomeOf(() => check(body, `${t},${odd},${v1}`))).toBe('accepted')
      expect(outcomeOf(() => check(body, `${v1},${odd},${t}`))).toBe('accepted')
    }
  })
})
