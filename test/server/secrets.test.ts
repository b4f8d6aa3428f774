import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sign } from '../../fixtures/index.ts'
import { createVerifier } from '../../receiver/verify.ts'
import { ConfigError } from '../../server/config.ts'
import { type ReloadOutcome, reloadingVerifier } from '../../server/secrets.ts'
import { clock, NOW } from '../receiver/support.ts'
import { temporaryFile } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const body = Buffer.from('{"event":"payment.completed","payment_id":"tx_1"}')

/** A verifier on a file with these bytes; whether it takes a secret, and what it told. */
function on(text: string | Buffer, everyMs = 5) {
  const file = temporaryFile('secrets.txt')
  writeFileSync(file, text)
  const told: ReloadOutcome[] = []
  const verifier = reloadingVerifier({
    file,
    everyMs,
    verifierFor: (secrets) => createVerifier({ secrets, clock }),
    onReload: (outcome) => void told.push(outcome),
  })
  onTestFinished(() => verifier.close())
  const takes = (secret: string): boolean => {
    try {
      verifier.verify(body, sign({ secret, t: NOW, body }).header)
      return true
    } catch {
      return false
    }
  }
  /** As one should: whole, in one step. */
  const replace = (next: string | Buffer): void => {
    writeFileSync(`${file}.new`, next)
    renameSync(`${file}.new`, file)
  }
  return { file, verifier, told, takes, replace }
}

describe('a file of secrets', () => {
  it('holds one in each line; blank lines and white space at the ends do not count', () => {
    const { takes } = on('\uFEFFwhsec_one\r\n\n  whsec_two \n')
    expect(['whsec_one', 'whsec_two', '', 'whsec_one\r', 'whsec_three'].map(takes)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('holds up to 16', () => {
    const secrets = Array.from({ length: 16 }, (_, n) => `whsec_${n}`)
    expect(secrets.map(on(secrets.join('\n')).takes)).toEqual(secrets.map(() => true))
  })

  it.each([
    ['nothing', '', /holds no secret\. Give one signing secret in each line/],
    ['only white space', ' \n\t\n', /holds no secret/],
    ['17 secrets', 'whsec_x\n'.repeat(17), /more than 16 secrets\. Leave out/],
    ['text in UTF-16', Buffer.from('whsec_secret', 'utf16le'), /control characters.*plain text/],
    ['bytes that are no text', Buffer.from([0x77, 0xff, 0xfe]), /not text in UTF-8/],
    ['a remark', 'whsec_x\n# the old one\nwhsec_y', /a remark, or a secret with a space.*nothing else/],
    ['a secret and a remark', 'whsec_x # the old one', /a remark, or a secret with a space/],
    ['far too much', 'x'.repeat(70_000), /too large/],
  ])('with %s is refused at the start, in one line that shows nothing of it', (_name, text, problem) => {
    const start = () => on(text)
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(problem)
    expect(start).toThrow(/^WEBHOOK_SECRET_FILE .*secrets\.txt: [^\n]*$/)
    expect(start).not.toThrow(/whsec/)
  })

  it('that is not there is refused at the start', () => {
    const options = { file: temporaryFile('none.txt'), verifierFor: () => createVerifier({ secrets: 'x' }) }
    expect(() => reloadingVerifier(options)).toThrow(/none\.txt: can not be read \(ENOENT\)\. Give a file/)
  })
})

describe('a change of the file', () => {
  it('is seen by itself, and from then on only what the file holds is taken', async () => {
    const { verifier, told, takes, replace } = on('whsec_old\n')
    verifier.watch()
    replace('whsec_new\nwhsec_old\n')
    await until(() => takes('whsec_new'))
    expect(takes('whsec_old')).toBe(true)
    replace('whsec_new\n')
    await until(() => !takes('whsec_old'))
    expect(takes('whsec_new')).toBe(true)
    expect(told).toEqual([
      { outcome: 'replaced', count: 2 },
      { outcome: 'replaced', count: 1 },
    ])
  })

  it('is seen though it came before the watch began', async () => {
    const { verifier, takes, replace } = on('whsec_old\n')
    replace('whsec_new\n')
    verifier.watch()
    await until(() => takes('whsec_new'))
  })

  it('is seen at once when told to look', () => {
    const { verifier, takes, replace, told } = on('whsec_old\n')
    replace('whsec_new\n')
    expect(takes('whsec_new')).toBe(false)
    verifier.reload()
    expect([takes('whsec_new'), takes('whsec_old')]).toEqual([true, false])
    verifier.reload()
    expect(told).toHaveLength(1)
  })

  it('to what can not be used keeps the secrets in use, and is told once, without a secret', async () => {
    const { file, verifier, told, takes, replace } = on('whsec_old\n')
    verifier.watch()
    const settled = () => new Promise((resolve) => setTimeout(resolve, 40))
    replace('')
    await until(() => told.length === 1)
    replace('whsec_new\u0000\n')
    await until(() => told.length === 2)
    rmSync(file)
    await until(() => told.length === 3)
    await settled()
    expect(told.map(({ outcome }) => outcome)).toEqual(['kept', 'kept', 'kept'])
    expect(takes('whsec_old')).toBe(true)
    for (const outcome of told) expect(String('error' in outcome && outcome.error)).not.toContain('whsec')

    replace('whsec_new\n')
    await until(() => takes('whsec_new'))
    expect(told.at(-1)).toEqual({ outcome: 'replaced', count: 1 })
  })

  it('is not seen any more once closed', async () => {
    const { verifier, takes, replace } = on('whsec_old\n')
    verifier.watch()
    verifier.close()
    replace('whsec_new\n')
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(takes('whsec_old')).toBe(true)
  })
})
