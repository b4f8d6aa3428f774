import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sign } from '../../../fixtures/index.ts'
import { createVerifier } from '../../../receiver/verify.ts'
import { ConfigError } from '../../../server/config.ts'
import { isReadableByAll } from '../../../server/secrets/secret-file.ts'
import { type ReloadOutcome, reloadingVerifier } from '../../../server/secrets/secrets.ts'
import { clock, NOW } from '../../receiver/support.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const body = Buffer.from('{"event":"payment.completed","payment_id":"tx_1"}')

/** A verifier for a secret file with this content. */
function verifierFor(text: string | Buffer, everyMs = 5) {
  const file = temporaryFile('secrets.txt')
  writeFileSync(file, text)
  const reported: ReloadOutcome[] = []
  const verifier = reloadingVerifier({
    file,
    everyMs,
    verifierFor: (secrets) => createVerifier({ secrets, clock }),
    onReload: (outcome) => void reported.push(outcome),
  })
  onTestFinished(() => verifier.close())
  const accepts = (secret: string): boolean => {
    try {
      verifier.verify(body, sign({ secret, t: NOW, body }).header)
      return true
    } catch {
      return false
    }
  }
  /** Replaces the file atomically. */
  const replace = (next: string | Buffer): void => {
    writeFileSync(`${file}.new`, next)
    renameSync(`${file}.new`, file)
  }
  return { file, verifier, reported, accepts, replace }
}

describe('a secret file', () => {
  it('has one secret per line; blank lines and surrounding whitespace are ignored', () => {
    const { accepts } = verifierFor('\uFEFFwhsec_one\r\n\n  whsec_two \n')
    expect(['whsec_one', 'whsec_two', '', 'whsec_one\r', 'whsec_three'].map(accepts)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('has up to 16 secrets', () => {
    const secrets = Array.from({ length: 16 }, (_, n) => `whsec_${n}`)
    expect(secrets.map(verifierFor(secrets.join('\n')).accepts)).toEqual(secrets.map(() => true))
  })

  it.each([
    ['nothing', '', /contains no secret\. Write one signing secret per line/],
    ['only whitespace', ' \n\t\n', /contains no secret/],
    ['17 secrets', 'whsec_x\n'.repeat(17), /more than 16 secrets\. Remove/],
    ['text in UTF-16', Buffer.from('whsec_secret', 'utf16le'), /control characters.*plain text/],
    ['bytes that are not text', Buffer.from([0x77, 0xff, 0xfe]), /not text in UTF-8/],
    ['a comment', 'whsec_x\n# the old one\nwhsec_y', /a comment, or a secret with a space.*nothing else/],
    ['a secret and a comment', 'whsec_x # the old one', /a comment, or a secret with a space/],
    ['too much data', 'x'.repeat(70_000), /too large/],
  ])('with %s is rejected at the start, in one line that shows nothing of it', (_name, text, problem) => {
    const start = () => verifierFor(text)
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(problem)
    expect(start).toThrow(/^WEBHOOK_SECRET_FILE .*secrets\.txt: [^\n]*$/)
    expect(start).not.toThrow(/whsec/)
  })

  it('that does not exist is rejected at the start', () => {
    const options = { file: temporaryFile('none.txt'), verifierFor: () => createVerifier({ secrets: 'x' }) }
    expect(() => reloadingVerifier(options)).toThrow(/none\.txt: cannot be read \(ENOENT\)\. Use a file/)
  })
})

describe('a path that is not a regular file', () => {
  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['an endless device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('is rejected immediately: %s', (_name, create) => {
    const file = temporaryFile('secrets.txt')
    create(file)
    const start = () => reloadingVerifier({ file, verifierFor: () => createVerifier({ secrets: 'x' }) })
    expect(start).toThrow(
      /^WEBHOOK_SECRET_FILE .*secrets\.txt: is not a regular file\. Use a text file [^\n]*$/,
    )
  })
})

it.each([
  [0o600, false],
  [0o640, false],
  [0o644, true],
])('a secret file of mode %o shows whether every user can read it', (mode, isPublic) => {
  const file = temporaryFile('secrets.txt')
  writeFileSync(file, 'whsec_x')
  chmodSync(file, mode)
  const options = { file, verifierFor: () => createVerifier({ secrets: 'x' }) }
  expect(reloadingVerifier(options).isPublic).toBe(isPublic)
})

it('does not warn of permissions on Windows, where Node.js makes them up', () => {
  expect(isReadableByAll({ mode: 0o666 }, 'win32')).toBe(false)
  expect(isReadableByAll({ mode: 0o666 }, 'darwin')).toBe(true)
})

describe('a change of the file', () => {
  it('is detected automatically, and then only the secrets of the file are accepted', async () => {
    const { verifier, reported, accepts, replace } = verifierFor('whsec_old\n')
    verifier.watch()
    replace('whsec_new\nwhsec_old\n')
    await until(() => accepts('whsec_new'))
    expect(accepts('whsec_old')).toBe(true)
    replace('whsec_new\n')
    await until(() => !accepts('whsec_old'))
    expect(accepts('whsec_new')).toBe(true)
    expect(reported).toEqual([
      { outcome: 'replaced', count: 2 },
      { outcome: 'replaced', count: 1 },
    ])
  })

  it('is detected if it happened before the watch started', async () => {
    const { verifier, accepts, replace } = verifierFor('whsec_old\n')
    replace('whsec_new\n')
    verifier.watch()
    await until(() => accepts('whsec_new'))
  })

  it('is detected immediately by reload', () => {
    const { verifier, accepts, replace, reported } = verifierFor('whsec_old\n')
    replace('whsec_new\n')
    expect(accepts('whsec_new')).toBe(false)
    verifier.reload()
    expect([accepts('whsec_new'), accepts('whsec_old')]).toEqual([true, false])
    verifier.reload()
    expect(reported).toHaveLength(1)
  })

  it('to an invalid file keeps the previous secrets, and is reported once, without a secret', async () => {
    const { file, verifier, reported, accepts, replace } = verifierFor('whsec_old\n')
    verifier.watch()
    const settled = () => new Promise((resolve) => setTimeout(resolve, 40))
    replace('')
    await until(() => reported.length === 1)
    replace('whsec_new\u0000\n')
    await until(() => reported.length === 2)
    rmSync(file)
    await until(() => reported.length === 3)
    await settled()
    expect(reported.map(({ outcome }) => outcome)).toEqual(['kept', 'kept', 'kept'])
    expect(accepts('whsec_old')).toBe(true)
    for (const outcome of reported) expect(String('error' in outcome && outcome.error)).not.toContain('whsec')

    replace('whsec_new\n')
    await until(() => accepts('whsec_new'))
    expect(reported.at(-1)).toEqual({ outcome: 'replaced', count: 1 })
  })

  it('is not detected once closed', async () => {
    const { verifier, accepts, replace } = verifierFor('whsec_old\n')
    verifier.watch()
    verifier.close()
    replace('whsec_new\n')
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(accepts('whsec_old')).toBe(true)
  })
})
