import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createTarget } from '../../../conformance/contracts/webhook/target.ts'
import { hiddenValues, shownUrl } from '../../../conformance/report/redact.ts'
import { type Reproducible, reproduce } from '../../../conformance/report/reproduce.ts'
import { onWindows } from '../../support/prerequisites.ts'
import { SECRET } from '../support.ts'

const ID = 'refusals/another-secret'
const URL_OF_ALL = 'http://127.0.0.1:3000/hooks'

interface About extends Partial<Omit<Reproducible, 'target'>> {
  readonly url?: string
  readonly signatureHeader?: string
  readonly headers?: Reproducible['target']['headers']
  readonly secret?: string
}

const commandOf = (about: About = {}, observed = false, shownBy?: string) => {
  const {
    url = URL_OF_ALL,
    signatureHeader = 'X-Service-Signature',
    headers = [],
    secret = SECRET,
    ...run
  } = about
  const target = createTarget({
    url: new URL(url),
    secret,
    signatureHeader,
    isHeaderRenamed: signatureHeader !== 'X-Service-Signature',
    headers,
    timeoutMs: 1_000,
  })
  const all: Reproducible = {
    target,
    seed: 's1',
    mode: 'test',
    started: false,
    reproduceWith: {},
    ...run,
  }
  return reproduce(ID, observed, all, shownBy)
}

/** The words of a command, as a shell splits them with these variables set. */
const wordsOf = (command: string, env: Readonly<Record<string, string>> = {}): string[] => {
  expect(command).toMatch(/^npx hookproof /)
  const script = `printf '%s\\n' ${command.replace('npx hookproof ', '')}`
  return execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).trimEnd().split('\n')
}

describe.skipIf(onWindows)('the command that reproduces a failure', () => {
  it.each<[string, About, string[]]>([
    ['the case, the URL and the seed', {}, ['send', ID, URL_OF_ALL, '--seed', 's1']],
    [
      'a non-default signature header and live mode',
      { signatureHeader: 'X-Own', mode: 'live' },
      ['send', ID, URL_OF_ALL, '--seed', 's1', '--signature-header', 'X-Own', '--mode', 'live'],
    ],
    [
      'no URL when the run had started the bundled receiver',
      { started: true },
      ['check', '--bundled', '--only', ID, '--seed', 's1'],
    ],
    [
      'a query and a seed, quoted for the shell',
      { seed: `it's $HOME & "more"`, url: `${URL_OF_ALL}?shop=1&lang=en` },
      ['send', ID, `${URL_OF_ALL}?shop=1&lang=en`, '--seed', `it's $HOME & "more"`],
    ],
    [
      'what the run has for it',
      { reproduceWith: { send: ['--timeout', '2'], check: ['--wait', '1'] } },
      ['send', ID, URL_OF_ALL, '--seed', 's1', '--timeout', '2'],
    ],
    [
      'the command that starts the receiver again',
      { reproduceWith: { start: true, check: ['--start', 'node app.js "a b"'] } },
      ['check', URL_OF_ALL, '--only', ID, '--seed', 's1', '--start', 'node app.js "a b"'],
    ],
  ])('has %s', (_, about, words) => {
    expect(wordsOf(commandOf(about))).toEqual(words)
  })

  it('sends the case whose deliveries show what a case over the entire run has found, or checks both', () => {
    const other = 'robustness/good-after-odd-targets'
    expect(wordsOf(commandOf({}, false, other))).toEqual(['send', other, URL_OF_ALL, '--seed', 's1'])
    const started = { started: true }
    expect(wordsOf(commandOf(started, false, other))).toEqual([
      'check',
      '--bundled',
      '--only',
      ID,
      '--only',
      other,
      '--seed',
      's1',
    ])
    expect(commandOf({}, true, other)).toContain(` --only ${ID} --only ${other} `)
  })

  it('checks a case that is judged by its effects, since only a check observes them', () => {
    const observe = ['--observe', 'http://127.0.0.1:3000/observe?key=abc&shop=1']
    const command = commandOf({ reproduceWith: { check: observe } }, true)
    expect(command).not.toContain('abc')
    expect(wordsOf(command, { QUERY_KEY: 'abc' })).toEqual([
      'check',
      URL_OF_ALL,
      '--only',
      ID,
      '--seed',
      's1',
      ...observe,
    ])
  })

  it.each<[string, About, Record<string, string>, string]>([
    [
      'a header of the user',
      { headers: [['X-Gate', 'open sesame']] },
      { HEADER_X_GATE: 'open sesame' },
      'X-Gate: open sesame',
    ],
    [
      'a query parameter that may be a secret',
      { url: `${URL_OF_ALL}?shop=1&access-token=f00ba4f00ba4` },
      { QUERY_ACCESS_TOKEN: 'f00ba4f00ba4' },
      `${URL_OF_ALL}?shop=1&access-token=f00ba4f00ba4`,
    ],
    [
      'the signing secret in a URL',
      { url: `${URL_OF_ALL}/${SECRET}/in` },
      { HOOKPROOF_SECRET: SECRET },
      `${URL_OF_ALL}/${SECRET}/in`,
    ],
    [
      'the signing secret in a command',
      { reproduceWith: { start: true, check: ['--start', `S='${SECRET}' node app.js`] } },
      { HOOKPROOF_SECRET: SECRET },
      `S='${SECRET}' node app.js`,
    ],
  ])('takes %s from the environment, and names a variable that is not set', (_, about, env, word) => {
    const [[name, value] = ['', '']] = Object.entries(env)
    const command = commandOf(about)
    expect(command).not.toContain(value)
    expect(wordsOf(command, env)).toContain(word)
    const { status, stderr } = spawnSync('/bin/sh', ['-c', command.replace('npx hookproof', 'true')], {
      env: {},
      encoding: 'utf8',
    })
    expect(status).not.toBe(0)
    expect(stderr).toContain(name)
  })

  it('has no variable in what the suite itself wrote, however short the secret is', () => {
    expect(commandOf({ secret: 'secret' })).toBe(`npx hookproof send ${ID} ${URL_OF_ALL} --seed s1`)
  })
})

describe('the query of a URL in a report', () => {
  it.each<[string, string]>([
    ['?shop=1&lang=en&env=staging-eu', '?shop=1&lang=en&env=staging-eu'],
    ['?flag&empty=', '?flag&empty='],
    ['?token=abc', '?token=[not shown]'],
    ['?x=f00ba4f00ba4', '?x=[not shown]'],
    ['?x=correct-horse-battery-staple-again', '?x=[not shown]'],
    ['?x=a%20b&shop=a', '?x=[not shown]&shop=a'],
    ['?next=http://127.0.0.1/', '?next=[not shown]'],
  ])('%s is shown as %s', (query, shown) => {
    expect(shownUrl(new URL(`${URL_OF_ALL}${query}`))).toBe(`${URL_OF_ALL}${shown}`)
  })

  it('names the hidden values as sent and decoded, since an answer may repeat either', () => {
    expect(hiddenValues(new URL(`${URL_OF_ALL}?a=1&sig=1%2B1`))).toEqual(['1%2B1', '1+1'])
  })
})
