import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPackages,
  attw,
  type Compiler,
  compile,
  filesOf,
  type Installed,
  packAndInstall,
  promisedWeight,
  REPOSITORY,
  run,
  runSource,
  weightOf,
} from './install.ts'

const NAME = '@hookproof/receiver'

/** Every export with code, and the packages that the user installs for it. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  [NAME]: [],
  [`${NAME}/express`]: [],
  [`${NAME}/fastify`]: ['fastify'],
  [`${NAME}/fetch`]: [],
  [`${NAME}/sqlite`]: [],
  [`${NAME}/postgres`]: ['pg', '@types/pg'],
}
const PATHS = Object.keys(ENTRIES)
const ALONE = PATHS.filter((path) => ENTRIES[path]?.length === 0)

let alone: Installed
/** With the optional peer dependencies. */
let withPeers: Installed

beforeAll(async () => {
  ;[alone, withPeers] = await Promise.all([packAndInstall(NAME), packAndInstall(NAME)])
  addPackages(withPeers.folder, ...Object.values(ENTRIES).flat(), '@types/node')
})

afterAll(() => {
  alone?.remove()
  withPeers?.remove()
})

const manifest = (): { exports: object; dependencies: object } =>
  JSON.parse(readFileSync(join(alone.root, 'package.json'), 'utf8'))

test('installs no more than README.md says', () => {
  const { packages, megabytes } = weightOf(alone)
  const promised = promisedWeight('@hookproof/receiver')
  expect(packages).toBeLessThanOrEqual(promised.packages)
  expect(megabytes).toBeLessThanOrEqual(promised.megabytes)
  // A much larger number would say little.
  expect([packages / promised.packages, megabytes / promised.megabytes].map((share) => share > 0.6)).toEqual([
    true,
    true,
  ])
})

describe('the exports', () => {
  test('package.json exports what is tested here, and nothing else', () => {
    const expected = [...PATHS, `${NAME}/package.json`].map((path) => path.replace(NAME, '.'))
    expect(Object.keys(manifest().exports).toSorted()).toEqual(expected.toSorted())
  })

  test.each(ALONE)('%s can be imported and required without any other package', async (path) => {
    const source = `
      import { createRequire } from 'node:module'
      const imported = await import('${path}')
      const required = createRequire(process.cwd() + '/')('${path}')
      console.log(Object.keys(imported).length > 0, Object.keys(imported).every((name) => imported[name] === required[name]))`
    const { code, stdout } = await runSource(alone.folder, source)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'true true\n' })
  })

  test.each(PATHS)('%s can be required by a CommonJS module', async (path) => {
    const file = join(withPeers.folder, 'required.cjs')
    writeFileSync(file, `console.log(Object.keys(require('${path}')).length > 0)`)
    const { code, stdout } = await run(withPeers.folder, process.execPath, file)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'true\n' })
  })

  test('the Postgres inbox names the missing package', async () => {
    const { code, stderr } = await runSource(alone.folder, `await import('${NAME}/postgres')`)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/Cannot find package 'pg(-boss)?'/)
  })

  test('an internal module cannot be imported', async () => {
    const { code, stderr } = await runSource(alone.folder, `await import('${NAME}/dist/verify.js')`)
    expect(code).toBe(1)
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  test('the only dependency is raw-body', () => {
    expect(Object.keys(manifest().dependencies)).toEqual(['raw-body'])
  })
})

const CONSUMER = `
  import { createReceiver, createVerifier, memoryInbox, startProcessing, type Answer } from '${NAME}'
  import { webhookHandler } from '${NAME}/express'
  import { fetchHandler } from '${NAME}/fetch'
  import { sqliteInbox } from '${NAME}/sqlite'
  import { createServer } from 'node:http'

  const verify = createVerifier({ secrets: ['whsec_new', 'whsec_old'], toleranceSeconds: 300 })
  export const signedAt: number = verify(new Uint8Array(), null)
  export const receive = createReceiver({ secrets: process.env['WEBHOOK_SECRET'], inbox: memoryInbox() })
  export const answer: Promise<Answer> = receive({ signature: [], body: new Uint8Array() })
  export const inbox = sqliteInbox({ path: 'inbox.sqlite' })
  export const handler = webhookHandler({ verify, inbox: memoryInbox(), onOutcome: ({ outcome }) => console.log(outcome) })
  createServer((request, response) => void handler(request, response))
  export const POST: (request: Request) => Promise<Response> = fetchHandler({ verify, inbox: memoryInbox() })
  startProcessing({ inbox: memoryInbox(), handle: async (event, { paymentId }) => console.log(event.event, paymentId) })

  // A type that cannot be resolved would be \`any\`, and compile everywhere.
  type Known<T> = 0 extends 1 & T ? never : true
  export const known: [Known<typeof receive>, Known<typeof handler>, Known<typeof POST>, Known<typeof inbox>] = [true, true, true, true]
`

const EXPRESS_CONSUMER = `
  import express from 'express'
  import { memoryInbox } from '${NAME}'
  import { webhookHandler } from '${NAME}/express'
  const app = express()
  app.post('/webhooks', webhookHandler({ secrets: 'whsec_x', inbox: memoryInbox() }))
  app.use('/also', express.Router().post('/', webhookHandler({ secrets: 'whsec_x', inbox: memoryInbox() })))
`

/** A module that imports every path, and does not compile if the types of one are missing. */
const importOf = (paths: readonly string[]): string =>
  paths
    .map(
      (path, index) =>
        `import * as n${index} from '${path}'\nexport const known${index}: 0 extends 1 & typeof n${index} ? never : true = true`,
    )
    .join('\n')

/** The example that both README files show, as a reader of TypeScript copies it. */
const README_EXAMPLE =
  /```js\n([\s\S]*?)```/.exec(readFileSync(join(REPOSITORY, 'README.md'), 'utf8'))?.[1] ?? 'none'

/** Four mistakes, in lines 5 to 8. */
const WRONG = `
  import { createReceiver, memoryInbox } from '${NAME}'
  import { webhookHandler } from '${NAME}/express'
  import { fetchHandler } from '${NAME}/fetch'
  createReceiver({ inbox: memoryInbox() })
  webhookHandler({ secrets: 'whsec_x' })
  fetchHandler({ secrets: 'whsec_x', inbox: memoryInbox(), limitByte: 1 })
  await memoryInbox().accept({ name: 'payment.completed', paymentId: 'tx_1' })
`

describe.each<Compiler>(['5.9', '7'])('the types, in TypeScript %s', (compiler) => {
  test('compile in a strict project with the types of Node.js alone, and reject mistakes', async () => {
    addPackages(alone.folder, '@types/node')
    const files = {
      'consumer.mts': CONSUMER,
      'consumer.cts': CONSUMER,
      'all.mts': importOf(ALONE),
      'wrong.mts': WRONG,
    }
    const { stdout } = await compile(alone.folder, files, { compiler })
    const places = [...stdout.matchAll(/^(\S.*?),\d+\): error/gm)].map(([, place]) => place)
    expect(places, stdout).toEqual([5, 6, 7, 8].map((line) => `wrong.mts(${line}`))
  })

  test.each([
    ['nodenext', ['--module', 'nodenext', '--target', 'es2022']],
    ['bundler', ['--module', 'preserve', '--moduleResolution', 'bundler', '--target', 'es2022']],
  ])('of every export resolve with %s, and fit those of Express', async (_, resolution) => {
    addPackages(withPeers.folder, '@types/express', 'express')
    // The declarations of other packages are not ours to check.
    const options = [...resolution, '--skipLibCheck', 'true']
    const files = { 'every.mts': importOf(PATHS), 'app.mts': EXPRESS_CONSUMER, 'readme.mts': README_EXAMPLE }
    const outcome = await compile(withPeers.folder, files, { compiler, options })
    expect(outcome).toMatchObject({ code: 0, stdout: '' })
  })
})

test.each([
  ['node20', []],
  ['nodenext', []],
  ['node16', ['TS1479']],
  ['node18', ['TS1479']],
])('a .cts file with the module setting %s has the errors that the page names', async (module, errors) => {
  const files = { 'module.cts': `import { memoryInbox } from '${NAME}'\nexport const inbox = memoryInbox()` }
  addPackages(alone.folder, '@types/node')
  const options = ['--module', module, '--skipLibCheck', 'true']
  const { stdout } = await compile(alone.folder, files, { compiler: '5.9', options })
  expect(stdout.match(/TS\d+/g) ?? []).toEqual(errors)
})

describe('a CommonJS project with moduleResolution node10', () => {
  // TypeScript 5.9 is the last version for which it is the default of `module: commonjs`.
  const compiler = '5.9'
  const node10 = [
    '--module',
    'commonjs',
    '--moduleResolution',
    'node10',
    '--esModuleInterop',
    '--target',
    'es2022',
  ]

  test('resolves every export to its declarations', async () => {
    const options = [...node10, '--skipLibCheck', 'true', '--listFiles']
    const files = { 'node10.ts': importOf(PATHS) }
    const { code, stdout } = await compile(withPeers.folder, files, { compiler, options })
    const [errors, listed] = [/error TS/, /^\//].map((form) =>
      stdout.split('\n').filter((line) => form.test(line)),
    )
    expect({ code, errors }).toEqual({ code: 0, errors: [] })
    const own = listed?.filter((file) => file.startsWith(`${withPeers.root.replaceAll('\\', '/')}/`)) ?? []
    expect(own.length).toBeGreaterThan(PATHS.length)
    expect(own.filter((file) => !file.endsWith('.d.ts'))).toEqual([])
  })

  test('compiles in strict mode with the declarations checked, and runs', async () => {
    addPackages(alone.folder, '@types/node')
    const source = `
      import { createReceiver, memoryInbox } from '${NAME}'
      import { webhookHandler } from '${NAME}/express'
      console.log(typeof webhookHandler)
      const receive = createReceiver({ secrets: 'whsec_x', inbox: memoryInbox() })
      void receive({ signature: [], body: new Uint8Array() }).then(({ body }) => console.log(body))`
    const files = { 'commonjs.ts': CONSUMER, 'run.ts': source }
    const options = [...node10, '--noEmit', 'false', '--outDir', 'compiled']
    expect(await compile(alone.folder, files, { compiler, options })).toMatchObject({ code: 0, stdout: '' })
    const { code, stdout } = await run(alone.folder, process.execPath, 'compiled/run.js')
    const [type, answer = ''] = stdout.split('\n')
    expect({ code, type }).toEqual({ code: 0, type: 'function' })
    expect(JSON.parse(answer)).toMatchObject({ code: 'header_missing' })
  })
})

describe('the contents', () => {
  test('publint finds no problem', async () => {
    const bytes = readFileSync(alone.tarball)
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('attw finds no problem in any module resolution; require() needs a Node.js that requires ES modules', async () => {
    // The one rule that is ignored: `engines` allows only versions in which require() loads ES modules.
    const rules = ['--profile', 'strict', '--ignore-rules', 'cjs-resolves-to-esm']
    const { code, stdout } = await attw(alone.tarball, ...rules)
    for (const path of PATHS) expect(stdout).toContain(`"${path}"`)
    expect(code, stdout).toBe(0)
  })

  test('are the build, a page for the registry and the license, without TypeScript sources', () => {
    const outside = filesOf(alone).filter((file) => !file.startsWith('dist/'))
    expect(outside).toEqual(['LICENSE', 'README.md', 'package.json'])
    expect(
      filesOf(alone).filter(
        (file) => !/(\.js|\.d\.ts|LICENSE|README\.md|package\.json|sync-thread\.mjs)$/.test(file),
      ),
    ).toEqual([])
  })

  test('no file names a source map or the folder of the build', () => {
    for (const file of filesOf(alone)) {
      const text = readFileSync(join(alone.root, file), 'utf8')
      expect(text, file).not.toContain('sourceMappingURL')
      expect(text, file).not.toContain(REPOSITORY)
    }
  })

  test('declarations and modules import only files that the package contains', () => {
    const files = new Set(filesOf(alone))
    for (const file of [...files].filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const text = readFileSync(join(alone.root, file), 'utf8')
      for (const [, path = ''] of text.matchAll(/from '(\.[^']+)'/g)) {
        const target = join(dirname(file), path)
        const types = target.replace(/\.[jt]s$/, '.d.ts')
        expect(file.endsWith('.js') ? files.has(target) : files.has(types), `${file}: ${path}`).toBe(true)
      }
    }
  })
})
