import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { onWindows } from '../support/prerequisites.ts'
import { freePort, hookproof, type RunOptions, recorder, SECRET, temporaryFolder } from './support.ts'

/** What the command lines refer to. */
interface Place {
  /** Answers 200 to POST, 404 to GET /nothing, and text that is not JSON to GET /text. */
  readonly url: string
  /** An address at which nothing listens. */
  readonly dead: string
  readonly port: string
  /** An empty folder, but for `garbage` and `secret`. */
  readonly folder: string
}

/** A command that cannot run: its message must name the problem and the fix. */
interface Row {
  readonly args: (place: Place) => readonly string[]
  readonly names: string
  readonly fix: string
  readonly options?: RunOptions
  /** Whether it needs a POSIX system. */
  readonly posix?: true
}

const check =
  (...more: string[]) =>
  ({ url }: Place) => ['check', `${url}/webhooks`, ...more]
const words =
  (...all: string[]) =>
  () =>
    all

const COMMAND_LINE: Readonly<Record<string, Row>> = {
  'an unknown option': { args: check('--bogus'), names: '--bogus', fix: 'hookproof check --help' },
  'a mistyped option': { args: check('--secrte', 'x'), names: '--secrte', fix: '--secret' },
  'an unknown command': { args: words('grade'), names: 'grade', fix: 'hookproof --help' },
  'a mistyped command': { args: words('chek'), names: 'chek', fix: 'check' },
  'an argument too many': { args: check('more'), names: 'too many', fix: 'Expected 1' },
  'an argument too few': { args: words('verify'), names: "'header'", fix: 'hookproof verify --help' },
  'an option without its value': { args: check('--start'), names: '--start', fix: 'hookproof check --help' },
  'an unknown profile': { args: check('--profile', 'all'), names: 'all', fix: 'core, full' },
  'an unknown mode': { args: check('--mode', 'both'), names: 'both', fix: 'test, live' },
  'a concurrency of 0': {
    args: check('--concurrency', '0'),
    names: '--concurrency',
    fix: 'at least 1',
  },
  'a fractional concurrency': { args: check('--concurrency', '1.5'), names: "'1.5'", fix: 'whole number' },
  'a timeout of 0': { args: check('--timeout', '0'), names: '--timeout', fix: 'more than 0' },
  'an infinite timeout': { args: check('--timeout', 'Infinity'), names: 'Infinity', fix: 'at most 3600' },
  'a timeout in words': { args: check('--ack-within', 'soon'), names: 'soon', fix: 'seconds' },
  'a blank wait': { args: check('--wait', ' '), names: '--wait', fix: 'seconds' },
  'a header without a colon': {
    args: check('--header', 'nonsense'),
    names: '--header',
    fix: '"Name: value"',
  },
  'a header with a line break': {
    args: check('--header', 'X-One: 1\r\nX-Two: 2'),
    names: '--header',
    fix: '"Name: value"',
  },
  'a header that is not Latin-1': {
    args: check('--header', 'X: €'),
    names: '--header',
    fix: 'Latin-1 characters',
  },
  'a signature header with a space': {
    args: check('--signature-header', 'X Signature'),
    names: 'X Signature',
    fix: 'a header name',
  },
  'a pattern that matches nothing': {
    args: check('--only', 'dup/*'),
    names: '"dup/*"',
    fix: 'hookproof cases',
  },
  'a mistyped case': {
    args: check('--only', 'refusals/empty-keys'),
    names: '"refusals/empty-keys"',
    fix: 'did you mean refusals/empty-key',
  },
  'a pattern to skip that matches nothing': {
    args: check('--skip', 'tarnsport'),
    names: '"tarnsport"',
    fix: 'did you mean transport?',
  },
  'patterns that exclude everything': {
    args: check('--skip', '*'),
    names: 'nothing to test',
    fix: '--skip (*)',
  },
}

const URLS: Readonly<Record<string, Row>> = {
  'an invalid URL': { args: words('check', 'localhost'), names: '"localhost"', fix: 'such as http://' },
  'a URL of another protocol': {
    args: words('check', 'ftp://host/x'),
    names: 'ftp://host/x',
    fix: 'http or https',
  },
  'a port that is too high': {
    args: words('check', 'http://h:65536/'),
    names: ':65536',
    fix: 'such as http://',
  },
  'a URL with a password': {
    args: words('check', 'http://me:hunter2@127.0.0.1/'),
    names: 'password',
    fix: 'use --header with an Authorization header',
  },
  'a malformed URL with a password': {
    args: words('check', 'http://me:hunter2@127.0.0.1:port/'),
    names: '"***@127.0.0.1:port/"',
    fix: 'such as http://',
  },
  'a malformed URL of a sandbox with a password': {
    args: words('events', 'list', '--sandbox', 'http//me:hunter2@127.0.0.1/'),
    names: '--sandbox ***@127.0.0.1/',
    fix: 'use one like http://',
  },
  'a malformed URL of an inbox': {
    args: words('inbox', 'list', '--inbox', 'postgres:/me:hunter2@host/db'),
    names: 'it looks like a URL, but is not valid',
    fix: 'Use postgres://',
  },
  'a malformed URL of an inbox to receive with': {
    args: words('receive', '--port', '0', '--inbox', 'postgres:/me:hunter2@host/db'),
    names: 'it looks like a URL, but is not valid',
    fix: 'Use postgres://',
  },
  'an invalid URL to send to': {
    args: words('send', 'payment.completed', 'nowhere'),
    names: '"nowhere"',
    fix: 'such as http://',
  },
  'an invalid URL of effects': { args: check('--observe', 'effects'), names: '"effects"', fix: 'http' },
  'a URL of effects that answers 404': {
    args: ({ url }) => ['check', url, '--observe', `${url}/nothing`],
    names: '/nothing',
    fix: '404',
  },
  'a URL of effects that is not JSON': {
    args: ({ url }) => ['check', url, '--observe', `${url}/text`],
    names: '/text',
    fix: 'not JSON',
  },
  'a URL of effects where nothing listens': {
    args: ({ url, dead }) => ['check', url, '--observe', dead],
    names: 'could not reach the observe URL http://127.0.0.1',
    fix: 'REFUSED',
  },
  'a command of effects that fails': {
    args: check('--observe-command', 'exit 7 #'),
    names: 'exit 7',
    fix: 'status 7',
    posix: true,
  },
  'two ways to observe effects': {
    args: ({ url }) => ['check', url, '--observe', url, '--observe-command', 'effects'],
    names: '--observe-command',
    fix: 'use either',
  },
}

const SECRETS: Readonly<Record<string, Row>> = {
  'a blank secret': { args: check('--secret', ' '), names: '--secret', fix: 'set it to the secret' },
  'a blank variable': {
    args: check(),
    names: 'HOOKPROOF_SECRET',
    fix: 'set it to the secret',
    options: { env: { HOOKPROOF_SECRET: '' } },
  },
  'a file without an end': {
    args: ({ url }) => ['check', url, '--secret-file', '/dev/zero'],
    names: '/dev/zero: it is larger than 65536 bytes',
    fix: 'pass another path as --secret-file',
    posix: true,
  },
  'a blank file': {
    args: ({ url }) => ['check', url, '--secret-file', '/dev/null'],
    names: '/dev/null',
    fix: 'set it to the secret',
    posix: true,
  },
  'a file with two secrets': {
    args: ({ url, folder }) => ['check', url, '--secret-file', join(folder, 'two-secrets')],
    names: 'two-secrets contains a line break',
    fix: 'pass exactly one secret',
  },
  'a secret file that is not there': {
    args: ({ url, folder }) => ['check', url, '--secret-file', join(folder, 'absent')],
    names: 'absent: no such file',
    fix: 'another path',
  },
  'a secret file that is a folder': {
    args: ({ url, folder }) => ['check', url, '--secret-file', folder],
    names: 'it is a directory',
    fix: 'another path',
  },
  'an env file that is not there': {
    args: ({ url, folder }) => ['check', url, '--env-file', join(folder, 'absent')],
    names: 'absent: no such file',
    fix: 'another path as --env-file',
  },
  'a secret and a secret file': {
    args: ({ url, folder }) => ['check', url, '--secret', 'x', '--secret-file', join(folder, 'secret')],
    names: '--secret and --secret-file',
    fix: 'leave one out',
  },
  'no secret to receive with': {
    args: words('receive', '--inbox', 'memory', '--port', '0'),
    names: 'no signing secret: set WEBHOOK_SECRET, WEBHOOK_SECRET_FILE or HOOKPROOF_SECRET',
    fix: '--secret-file',
    options: { env: { HOOKPROOF_SECRET: undefined } },
  },
}

const REPORTS: Readonly<Record<string, Row>> = {
  'an unknown format': { args: check('--report', 'pdf'), names: '"pdf"', fix: 'terminal, json, junit' },
  'a report without its file': { args: check('--report', 'json='), names: 'json=', fix: 'json=path' },
  'two reports on standard output': {
    args: check('--report', 'json', '--report', 'junit'),
    names: 'only one report',
    fix: '--report json=report.json',
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
    fix: 'a separate file',
  },
  'a report below a file': {
    args: ({ url, folder }) => ['check', url, '--report', `json=${folder}/garbage/report.json`],
    names: 'garbage/report.json: part of the path is not a directory',
    fix: 'another path',
  },
  'a report instead of a directory': {
    args: ({ url, folder }) => ['check', url, '--report', `junit=${folder}`],
    names: 'it is a directory',
    fix: 'another path',
  },
}

const STARTS: Readonly<Record<string, Row>> = {
  'the full profile without a way to observe effects': {
    args: check('--profile', 'full'),
    names: '--profile full',
    fix: 'add --observe',
  },
  'a URL and the bundled receiver': { args: check('--bundled'), names: '--bundled', fix: 'leave one out' },
  'a config file and the bundled receiver': {
    args: words('check', '--bundled', '--config', 'x.json'),
    names: '--config',
    fix: 'leave one out',
  },
  'a command to start and the bundled receiver': {
    args: words('check', '--bundled', '--start', 'true'),
    names: '--start',
    fix: 'leave one out',
  },
  'a receiver to start, but no URL': {
    args: words('check', '--start', 'true'),
    names: '--start',
    fix: 'the URL',
  },
  'a receiver that ends at once': {
    args: ({ dead }) => ['check', dead, '--start', 'echo no database >&2; exit 3'],
    names: 'exited with status 3',
    fix: 'last output: no database',
    posix: true,
  },
  'a receiver that ends without output': {
    args: ({ dead }) => ['check', dead, '--start', 'kill -9 $$'],
    names: 'exited with status SIGKILL',
    fix: 'run the command on its own',
    posix: true,
  },
  'a receiver where another one listens': {
    args: check('--start', 'sleep 9'),
    names: 'already listens at 127.0.0.1:',
    fix: 'omit --start',
  },
  'a port that is taken': {
    args: ({ port }) => ['receive', '--inbox', 'memory', '--port', port],
    names: 'the port is in use',
    fix: 'set --port to another port',
  },
  'an invalid port': {
    args: words('receive', '--port', 'http'),
    names: "--port <n>' argument 'http'",
    fix: '0 to 65535',
  },
  'an inbox that is another file': {
    args: ({ folder }) => ['receive', '--port', '0', '--inbox', join(folder, 'garbage')],
    names: 'garbage: the file is not a SQLite database',
    fix: 'Choose another file',
  },
  'an inbox in a missing folder': {
    args: ({ folder }) => ['receive', '--port', '0', '--inbox', join(folder, 'absent/inbox.sqlite')],
    names: join('absent', 'inbox.sqlite'),
    fix: 'folder must exist',
  },
}

const BODIES: Readonly<Record<string, Row>> = {
  'a missing body to sign': {
    args: words('sign', '/absent'),
    names: '/absent',
    fix: 'no such file',
  },
  'a body to verify that is a folder': {
    args: ({ folder }) => ['verify', 't=1,v1=00', folder],
    names: 'it is a directory',
    fix: 'pass the file',
  },
  'an invalid time': { args: words('sign', '--at', 'noon'), names: '--at noon', fix: 'whole seconds' },
  'a tolerance of more than a day': {
    args: words('verify', 't=1,v1=00', '--tolerance', '86401'),
    names: '--tolerance 86401',
    fix: 'to verify an old delivery, pass --at',
  },
  'a tolerance that is not a number': {
    args: words('verify', 't=1,v1=00', '--tolerance', 'NaN'),
    names: '--tolerance NaN',
    fix: 'for example 300',
  },
  'a mistyped case': {
    args: words('explain', 'refusals/emptykey'),
    names: '"refusals/emptykey"',
    fix: 'did you mean refusals/empty-key',
  },
  'an unknown case': { args: words('explain', 'zzz'), names: '"zzz"', fix: 'hookproof cases' },
  'an unknown event': {
    args: ({ url }) => ['send', 'payment.complete', url],
    names: '"payment.complete"',
    fix: 'did you mean payment.completed',
  },
  'a list in an unknown format': {
    args: words('cases', '--format', 'xml'),
    names: 'xml',
    fix: 'text, json',
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
  writeFileSync(join(folder, 'garbage'), 'not an inbox\n'.repeat(40))
  writeFileSync(join(folder, 'secret'), `${SECRET}\n`)
  writeFileSync(join(folder, 'two-secrets'), `${SECRET}\n${SECRET}2\n`)
  const dead = `http://127.0.0.1:${await freePort()}/webhooks`
  const posts = () => seen.filter(({ method }) => method !== 'GET').length
  return { url, dead, port: new URL(url).port, folder, posts }
}

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  const possible = Object.entries(rows).filter(([, { posix }]) => !(posix && onWindows))
  test.each(possible)('%s', async (_, { args, names, fix, options }) => {
    const place = await prepare()
    const { code, signal, stdout, stderr } = await hookproof(args(place), options)
    expect(stderr).toMatch(/^hookproof( receiver)?: [^\n]+\n$/)
    expect(stderr).toContain(names)
    expect(stderr).toContain(fix)
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

describe('existing files', () => {
  test('a file that is not an inbox is not changed', async () => {
    const { folder } = await prepare()
    const path = join(folder, 'garbage')
    const before = readFileSync(path)
    expect((await hookproof(['receive', '--port', '0', '--inbox', path])).code).toBe(2)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('the report of an earlier run stays when the next run cannot take place', async () => {
    const { folder, dead } = await prepare()
    const path = join(folder, 'report.json')
    writeFileSync(path, 'an earlier report')
    expect((await hookproof(['check', dead, '--report', `json=${path}`])).code).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('an earlier report')
  })
})

test('the line break at the end of a secret file does not belong to the secret', async () => {
  const { folder } = await prepare()
  const [body, file] = [join(folder, 'garbage'), join(folder, 'secret')]
  const args = ['sign', body, '--at', '1750000000']
  const env = { HOOKPROOF_SECRET: undefined }
  const fromFile = await hookproof([...args, '--secret-file', file], { env })
  expect(fromFile.stdout).toMatch(/^t=1750000000,v1=[0-9a-f]{64}\n$/)
  expect(await hookproof([...args, '--secret', SECRET], { env })).toEqual(fromFile)
})

test('an env file has the signing secret, and a variable that is set takes precedence', async () => {
  const { folder } = await prepare()
  const [body, file] = [join(folder, 'garbage'), join(folder, '.env')]
  writeFileSync(file, `# of the shop\nHOOKPROOF_SECRET="${SECRET}"\n`)
  const args = ['sign', body, '--at', '1750000000', '--env-file', file]
  const expected = await hookproof(['sign', body, '--at', '1750000000', '--secret', SECRET])
  expect(await hookproof(args, { env: { HOOKPROOF_SECRET: undefined } })).toEqual(expected)
  expect((await hookproof(args, { env: { HOOKPROOF_SECRET: 'another' } })).stdout).not.toBe(expected.stdout)
})
