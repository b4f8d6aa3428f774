import { chmodSync, existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { readConfig } from '../../../../server/config.ts'
import { start } from '../../../../server/server.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { completed, NOW, SECRET } from '../../support.ts'

const SUFFIXES = ['', '-wal', '-shm', '-lock']

/** The permissions of the files of an inbox, in octal. */
const modesOf = (path: string): string[] =>
  SUFFIXES.map((suffix) => (statSync(path + suffix).mode & 0o777).toString(8))

/** Without any restriction by the process, until the test ends. */
function withoutUmask(): void {
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
}

/** Opens an inbox at a path or URL, and uses each of its files. */
async function used(path: string) {
  const inbox = await sqliteInbox({ path })
  onTestFinished(() => inbox.close())
  await inbox.accept(completed('tx_1'))
  await inbox.claim(1, NOW)
  return inbox
}

describe('a new file', () => {
  it.each([
    ['a path', (path: string) => path],
    ['a URL', (path: string) => `file:${path}`],
    ['a URL with a host and parameters', (path: string) => `file://localhost${path}?mode=rwc#inbox`],
    ['a URL with an escaped name', (path: string) => `file:${path.replace('.', '%2e')}`],
    [
      'a symbolic link to a missing file',
      (path: string) => {
        const links = [join(dirname(path), 'link'), join(dirname(path), 'other-link')] as const
        symlinkSync('inbox.sqlite', links[0])
        symlinkSync(links[0], links[1])
        return links[1]
      },
    ],
  ])('can be read by its owner only, whatever the umask is: %s', async (_name, given) => {
    withoutUmask()
    const path = temporaryFile('inbox.sqlite')
    const { exposedFiles } = await used(given(path))
    expect(modesOf(path)).toEqual(['600', '600', '600', '600'])
    expect(exposedFiles).toEqual([])
  })

  it.each([':memory:', 'file::memory:', 'file:x?mode=memory'])('is not created for %s', async (path) => {
    await expect(sqliteInbox({ path })).rejects.toThrow(/WAL mode is not available/)
    for (const name of [path, ':memory:', 'x']) expect(existsSync(name)).toBe(false)
  })
})

describe('a file that others can read', () => {
  it('keeps its permissions, and is reported with the other files of the inbox', async () => {
    const path = temporaryFile('inbox.sqlite')
    for (const suffix of ['', '-lock']) writeFileSync(path + suffix, '')
    chmodSync(path, 0o664)
    chmodSync(`${path}-lock`, 0o604)
    const { exposedFiles } = await used(path)
    expect(modesOf(path)).toEqual(['664', '664', '664', '604'])
    expect(exposedFiles).toEqual([
      { path, mode: 0o664 },
      { path: `${path}-wal`, mode: 0o664 },
      { path: `${path}-shm`, mode: 0o664 },
      { path: `${path}-lock`, mode: 0o604 },
    ])
  })

  it('is in the log of the receiver when it starts, with the fix', async () => {
    const path = temporaryFile('inbox.sqlite')
    writeFileSync(path, '')
    chmodSync(path, 0o640)
    const lines: { file?: string; mode?: string; fix?: string }[] = []
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
    const config = readConfig({ WEBHOOK_SECRET: SECRET, INBOX: path, PORT: '0' })
    await (await start(config, { log })).stop()
    const files = ['', '-wal', '-shm'].map((suffix) => path + suffix)
    expect(lines.filter(({ file }) => file !== undefined)).toMatchObject(
      files.map((file) => ({ level: 40, file, mode: '640', fix: `Run chmod 600 ${file}` })),
    )
  })
})
