import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { WITHOUT_SQLITE } from '../support/without-sqlite.ts'
import { runBuilt, temporaryFolder } from './support.ts'

const missing = (more = '') =>
  `Node.js ${process.versions.node} does not include SQLite. Run npm install @photostructure/sqlite@1${more}, or use Node.js 22.13 or later`
const WITH_NPX =
  ' beside hookproof (with npx: npx -p hookproof -p @photostructure/sqlite@1 hookproof sandbox)'

describe.concurrent('without SQLite', () => {
  it.for([
    [['receive', '--port', '0'], 'receiver.sqlite', `hookproof receiver: inbox: ${missing()}.\n`],
    [['inbox', 'list'], 'inbox.sqlite', `hookproof: inbox: ${missing()}. [usage]\n`],
    [
      ['sandbox', '--reset', '--port', '0'],
      'sandbox.sqlite',
      `hookproof: the sandbox: ${missing(WITH_NPX)} [usage]\n`,
    ],
  ] as const)('%s names the fix in one line, and changes no file', async ([args, file, message], context) => {
    const cwd = temporaryFolder(context.onTestFinished)
    writeFileSync(join(cwd, file), 'unchanged')
    const { code, stdout, stderr } = await runBuilt(
      args,
      { cwd, env: WITHOUT_SQLITE },
      context.onTestFinished,
    )
    context.expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: message })
    context.expect(readdirSync(cwd)).toEqual([file])
    context.expect(readFileSync(join(cwd, file), 'utf8')).toBe('unchanged')
  })

  it('check grades the bundled receiver', async ({ expect, onTestFinished }) => {
    const cwd = temporaryFolder(onTestFinished)
    const args = ['check', '--bundled', '--only', 'duplicates/delivered-twice-at-once']
    const { code, stdout, stderr } = await runBuilt(args, { cwd, env: WITHOUT_SQLITE }, onTestFinished)
    expect(stdout, stderr).toMatch(/: 1 passed of 1 cases?/)
    expect(code).toBe(0)
  })
})
