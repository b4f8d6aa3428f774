import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort, hookproof, type RunOptions, recorder, SECRET, temporaryFolder } from './support.ts'

/** What a bad command line may name. */
interface Place {
  /** Something that answers 200 to POST, 404 to GET /nothing, and text that is no JSON to GET /text. */
  readonly url: string
  /** An address at which nothing listens. */
  readonly dead: string
  readonly port: string
  /** An empty folder, but for `garbage` and `secret`. */
  readonly folder: string
}

/** A command that can not be carried out: what it says must name the thing and the mend. */
interface Row {
  readonly args: (place: Place) => readonly string[]
  readonly names: string
  readonly mend: string
  readonly options?: RunOptions
}

const check =
  (...more: string[]) =>
  ({ url }: Place) => ['check', `${url}/webhooks`, ...more]
const words =
  (...all: string[]) =>
  () =>
    all

const COMMAND_LINE: Readonly<Record<string, Row>> = {
  'an unknown option': { args: check('--bogus'), names: '--bogus', mend: 'hookproof check --help' },
  'an option with a letter wrong': { args: check('--secrte', 'x'), names: '--secrte', mend: '--secret' },
  'an unknown command': { args: words('grade'), names: 'grade', mend: 'hookproof --help' },
  'a command with a letter wrong': { args: words('chek'), names: 'chek', mend: 'check' },
  'an argument too many': { args: check('more'), names: 'too many', mend: 'Expected 1' },
  'an argument too few': { args: words('verify'), names: "'header'", mend: 'hookproof verify --help' },
  'an option without its value': { args: check('--start'), names: '--start', mend: 'hookproof check --help' },
  'an unknown profile': { args: check('--profile', 'all'), names: 'all', mend: 'core, full' },
  'an unknown mode': { args: check('--mode', 'both'), names: 'both', mend: 'test, live' },
  'a concurrency of nothing': {
    args: check('--concurrency', '0'),
    names: '--concurrency',
    mend: 'from 1 on',
  },
  'a broken concurrency': { args: check('--concurrency', '1.5'), names: "'1.5'", mend: 'whole number' },
  'a time-out of nothing': { args: check('--timeout', '0'), names: '--timeout', mend: 'more than 0' },
  'a time-out without end': { args: check('--timeout', 'Infinity'), names: 'Infinity', mend: 'at most 3600' },
  'a time-out in words': { args: check('--ack-within', 'soon'), names: 'soon', mend: 'seconds' },
  'a wait that is blank': { args: check('--wait', ' '), names: '--wait', mend: 'seconds' },
  'a header without a colon': {
    args: check('--header', 'nonsense'),
    names: '--header',
    mend: '"Name: value"',
  },
  'a header with a line break': {
    args: check('--header', 'X-One: 1\r\nX-Two: 2'),
    names: '--header',
    mend: '"Name: value"',
  },
  'a header that is not Latin-1': {
    args: check('--header', 'X: €'),
    names: '--header',
    mend: 'plain letters',
  },
  'a signature header with a space': {
    args: check('--signature-header', 'X Signature'),
    names: 'X Signature',
    mend: 'name of a header',
  },
  'a pattern that matches nothing': {
    args: check('--only', 'dup/*'),
    names: '"dup/*"',
    mend: 'hookproof cases',
  },
  'a pattern to skip that matches nothing': {
    args: check('--skip', 'tarnsport'),
    names: '"tarnsport"',
    mend: 'hookproof cases',
  },
  'patterns that leave nothing': { args: check('--skip', '*'), names: 'nothing to test', mend: 'patterns' },
}

const URLS: Readonly<Record<string, Row>> = {
  'a URL that is none': { args: words('check', 'localhost'), names: '"localhost"', mend: 'such as http://' },
  'a URL of another kind': {
    args: words('check', 'ftp://host/x'),
    names: 'ftp://host/x',
    mend: 'http or https',
  },
  'a port beyond the last': {
    args: words('check', 'http://h:65536/'),
    names: ':65536',
    mend: 'such as http://',
  },
  'a URL with a password': {
    args: words('check', 'http://me:hunter2@127.0.0.1/'),
    names: 'password',
    mend: '--header "Authorization',
  },
  'a URL to send to that is none': {
    args: words('send', 'payment.completed', 'nowhere'),
    names: '"nowhere"',
    mend: 'such as http://',
  },
  'a URL of effects that is none': { args: check('--observe', 'effects'), names: '"effects"', mend: 'http' },
  'a URL of effects that answers 404': {
    args: ({ url }) => ['check', url, '--observe', `${url}/nothing`],
    names: '/nothing',
    mend: 'answered 404 where 200 is expected',
  },
  'a URL of effects that is not JSON': {
    args: ({ url }) => ['check', url, '--observe', `${url}/text`],
    names: '/text',
    mend: 'not JSON',
  },
  'a URL of effects where nothing listens': {
    args: ({ url, dead }) => ['check', url, '--observe', dead],
    names: 'observe effects by http://127.0.0.1',
    mend: 'REFUSED',
  },
  'a command of effects that fails': {
    args: check('--observe-command', 'exit 7 #'),
    names: 'exit 7',
    mend: 'status 7',
  },
  'two ways to see effects': {
    args: ({ url }) => ['check', url, '--observe', url, '--observe-command', 'effects'],
    names: 'by a URL or by a command',
    mend: 'give one of the two',
  },
}

const SECRETS: Readonly<Record<string, Row>> = {
  'a blank secret': { args: check('--secret', ' '), names: '--secret', mend: 'give the one' },
  'a blank variable': {
    args: check(),
    names: 'HOOKPROOF_SECRET',
    mend: 'give the one',
    options: { env: { HOOKPROOF_SECRET: '' } },
  },
  'a blank file': {
    args: ({ url }) => ['check', url, '--secret-file', '/dev/null'],
    names: '/dev/null',
    mend: 'give the one',
  },
  'a secret file that is not there': {
    args: ({ url, folder }) => ['check', url, '--secret-file', join(folder, 'absent')],
    names: 'absent: there is no such file',
    mend: 'another path',
  },
  'a secret file that is a folder': {
    args: ({ url, folder }) => ['check', url, '--secret-file', folder],
    names: 'it is a folder',
    mend: 'another path',
  },
  'a secret and a secret file': {
    args: ({ url, folder }) => ['check', url, '--secret', 'x', '--secret-file', join(folder, 'secret')],
    names: '--secret and --secret-file',
    mend: 'leave one out',
  },
  'no secret to receive with': {
    args: words('receive', '--inbox', 'memory', '--port', '0'),
    names: 'no signing secret: set WEBHOOK_SECRET',
    mend: '--secret-file',
    options: { env: { HOOKPROOF_SECRET: undefined } },
  },
}

const REPORTS: Readonly<Record<string, Row>> = {
  'an unknown format': { args: check('--report', 'pdf'), names: '"pdf"', mend: 'terminal, json, junit' },
  'a report without its file': { args: check('--report', 'json='), names: 'json=', mend: 'json=path' },
  'two reports on standard output': {
    args: check('--report', 'json', '--report', 'junit'),
    names: 'two reports',
    mend: '--report json=report.json',
  },
  'two reports in one file': {
    args: ({ url, folder }) => [
      'check',
      url,
      '--report',
      `json=${folder}/r`,
      '--report',
      `junit=${folder}/./r`,
    ],
    names: 'two reports',
    mend: 'a file of its own',
  },
  'a report below a file': {
    args: ({ url, folder }) => ['check', url, '--report', `json=${folder}/garbage/report.json`],
    names: 'garbage/report.json: a part of the path is not a folder',
    mend: 'another path',
  },
  'a report in place of a folder': {
    args: ({ url, folder }) => ['check', url, '--report', `junit=${folder}`],
    names: 'it is a folder',
    mend: 'another path',
  },
}

const STARTS: Readonly<Record<string, Row>> = {
  'a receiver to start, but no URL': {
    args: words('check', '--start', 'true'),
    names: '--start',
    mend: 'the URL',
  },
  'a receiver that ends at once': {
    args: ({ dead }) => ['check', dead, '--start', 'echo no database >&2; exit 3'],
    names: 'ended with status 3',
    mend: 'its last words: no database',
  },
  'a receiver that ends without a word': {
    args: ({ dead }) => ['check', dead, '--start', 'kill -9 $$'],
    names: 'ended with status SIGKILL',
    mend: 'run the command by itself',
  },
  'a receiver where another listens': {
    args: check('--start', 'sleep 9'),
    names: 'already listens at 127.0.0.1:',
    mend: 'leave --start out',
  },
  'a port that is taken': {
    args: ({ port }) => ['receive', '--inbox', 'memory', '--port', port],
    names: 'the port is in use',
    mend: 'PORT',
  },
  'a port that is none': { args: words('receive', '--port', 'http'), names: '"http"', mend: '0 to 65535' },
  'an inbox that is another file': {
    args: ({ folder }) => ['receive', '--port', '0', '--inbox', join(folder, 'garbage')],
    names: 'garbage: the file is not a SQLite database',
    mend: 'Choose another file',
  },
  'an inbox in a folder that is not there': {
    args: ({ folder }) => ['receive', '--port', '0', '--inbox', join(folder, 'absent/inbox.sqlite')],
    names: 'absent/inbox.sqlite',
    mend: 'folder must exist',
  },
}

const BODIES: Readonly<Record<string, Row>> = {
  'a body to sign that is not there': {
    args: words('sign', '/absent'),
    names: '/absent',
    mend: 'no such file',
  },
  'a body to verify that is a folder': {
    args: ({ folder }) => ['verify', 't=1,v1=00', folder],
    names: 'it is a folder',
    mend: 'give the file',
  },
  'a time that is none': { args: words('sign', '--at', 'noon'), names: '--at noon', mend: 'whole seconds' },
  'a tolerance without end': {
    args: words('verify', 't=1,v1=00', '--tolerance', 'NaN'),
    names: '--tolerance NaN',
    mend: 'such as 300',
  },
  'a case with a letter wrong': {
    args: words('explain', 'refusals/emptykey'),
    names: '"refusals/emptykey"',
    mend: 'did you mean refusals/empty-key',
  },
  'a case like no other': { args: words('explain', 'zzz'), names: '"zzz"', mend: 'hookproof cases' },
  'an unknown event': {
    args: ({ url }) => ['send', 'payment.complete', url],
    names: '"payment.complete"',
    mend: 'did you mean payment.completed',
  },
  'a list in an unknown format': {
    args: words('cases', '--format', 'xml'),
    names: 'xml',
    mend: 'text, json',
  },
}

const TABLES = {
  'the command line': COMMAND_LINE,
  URLs: URLS,
  secrets: SECRETS,
  reports: REPORTS,
  'starting and receiving': STARTS,
  'bodies and names': BODIES,
}

async function prepare(): Promise<Place & { posts: () => number }> {
  const { url, seen } = await recorder(({ url }, response) => {
    if (url.startsWith('/nothing')) response.statusCode = 404
    response.end('text')
  }, createServer())
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'garbage'), 'not what was looked for\n'.repeat(40))
  writeFileSync(join(folder, 'secret'), `${SECRET}\n`)
  const dead = `http://127.0.0.1:${await freePort()}/webhooks`
  const posts = () => seen.filter(({ method }) => method !== 'GET').length
  return { url, dead, port: new URL(url).port, folder, posts }
}

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  test.each(Object.entries(rows))('%s', async (_, { args, names, mend, options }) => {
    const place = await prepare()
    const { code, signal, stdout, stderr } = await hookproof(args(place), options)
    expect(stderr).toMatch(/^hookproof( receiver)?: [^\n]+\n$/)
    expect(stderr).toContain(names)
    expect(stderr).toContain(mend)
    expect(stderr).not.toMatch(/internal error|[jt]s:\d+|file:\/\/|hunter2|nonsense/)
    expect(stderr).not.toContain(SECRET)
    expect({ code, signal, stdout, posts: place.posts() }).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      posts: 0,
    })
  })
})

describe('nothing is lost', () => {
  test('a file that is not an inbox stays as it was', async () => {
    const { folder } = await prepare()
    const path = join(folder, 'garbage')
    const before = readFileSync(path)
    expect((await hookproof(['receive', '--port', '0', '--inbox', path])).code).toBe(2)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('the report of an earlier run stays when the next can not take place', async () => {
    const { folder, dead } = await prepare()
    const path = join(folder, 'report.json')
    writeFileSync(path, 'the report of yesterday')
    expect((await hookproof(['check', dead, '--report', `json=${path}`])).code).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('the report of yesterday')
  })
})

test('the line break that an editor leaves at the end of a secret file is no part of the secret', async () => {
  const { folder } = await prepare()
  const [body, file] = [join(folder, 'garbage'), join(folder, 'secret')]
  const args = ['sign', body, '--at', '1750000000']
  const env = { HOOKPROOF_SECRET: undefined }
  const fromFile = await hookproof([...args, '--secret-file', file], { env })
  expect(fromFile.stdout).toMatch(/^t=1750000000,v1=[0-9a-f]{64}\n$/)
  expect(await hookproof([...args, '--secret', SECRET], { env })).toEqual(fromFile)
})
