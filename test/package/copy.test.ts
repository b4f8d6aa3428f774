import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { check } from '../../conformance/index.ts'
import type * as Adapter from '../../receiver/express.ts'
import { loadDriver } from '../../receiver/inbox/sqlite/driver.ts'
import type * as Core from '../../receiver/receive.ts'
import { type Compiler, type Installed, install, packAndInstall, REPOSITORY, tsc } from './install.ts'

/** The newest types, because they are what `npm install --save-dev @types/node` installs. */
const NODE_TYPES = '@types/node@26.6.6'

/** What each file may import. A reader copies verify.ts, receive.ts and one of the others. */
const IMPORTS = {
  verify: ['node:crypto'],
  receive: ['./verify.js'],
  express: ['./receive.js', 'node:http', 'raw-body'],
  fastify: ['./receive.js', 'fastify'],
  fetch: ['./receive.js'],
} as const

const SECRET = 'whsec_copied'

const ADAPTERS = ['express', 'fastify', 'fetch'] as const

type Name = keyof typeof IMPORTS
const ALL = Object.keys(IMPORTS) as readonly Name[]

const source = (name: Name): string => readFileSync(join(REPOSITORY, `receiver/${name}.ts`), 'utf8')

/** A folder with the packages that an adapter may import; its subfolders are projects. */
let parent: string
let installed: Installed

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'hookproof-copy-'))
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const receiver = JSON.parse(readFileSync('receiver/package.json', 'utf8'))
  // The version that the page installs, which has to be that of the package.
  const [rawBody = 'none'] = /raw-body@\d+/.exec(readme) ?? []
  expect(receiver.dependencies['raw-body']).toMatch(new RegExp(`^${rawBody.split('@')[1]}\\.`))
  const fastify = `fastify@${{ ...dependencies, ...devDependencies }.fastify}`
  const both = [packAndInstall('@hookproof/receiver'), install(parent, rawBody, fastify, NODE_TYPES)] as const
  ;[installed] = await Promise.all(both)
})

afterAll(() => {
  rmSync(parent, { recursive: true, force: true })
  installed?.remove()
})

describe.each(ADAPTERS)('verify.ts, receive.ts and %s.ts', (adapter) => {
  const names = ['verify', 'receive', adapter] as const

  test('have no more lines together than README.md says', () => {
    const lines = names.flatMap((name) => source(name).trimEnd().split('\n')).length
    const [, most] = /at most (\d+) lines/.exec(readme) ?? []
    expect(lines).toBeLessThanOrEqual(Number(most))
  })

  test('import only each other, what the adapter is for, and node:crypto', () => {
    for (const name of names) {
      const imports = [...source(name).matchAll(/(?:from |import |import\(|require\()'([^']+)'/g)]
      expect(imports.map(([, path = '']) => path).toSorted(), name).toEqual(IMPORTS[name])
    }
  })
})

const readme = readFileSync(join(REPOSITORY, 'receiver/README.md'), 'utf8')
const snippet =
  /```ts\n([\s\S]*?)```/.exec(readme.split('## Copy instead of install')[1] ?? '')?.[1] ?? 'none'

/** The table that the snippet writes to, as its first line says. */
const [, table = 'none'] = /A table: (.*)/.exec(snippet) ?? []

/** The snippet of receiver/README.md as printed, after what it takes for granted. */
const appOf = (printed: string): string => `
import { nodeHandler } from './express.js'
import { createReceiver, type DeliveryStore } from './receive.js'
declare const database: { prepare(sql: string): { run(...values: unknown[]): { changes: number | bigint } } }
declare const app: { post(path: string, handler: ReturnType<typeof nodeHandler>): void }
${printed}`

/** Copies the files into an empty project and compiles them. The only setting beyond the defaults is the one for Node.js. */
async function compileCopies(compiler: Compiler) {
  const project = join(parent, compiler)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  await tsc(compiler, project, '--init')
  const tsconfig = join(project, 'tsconfig.json')
  const settings = readFileSync(tsconfig, 'utf8')
  // The file that tsc writes says so: For nodejs: "types": ["node"].
  const forNode = settings.replace('"types": []', '"types": ["node"]')
  expect(forNode).not.toBe(settings)
  writeFileSync(tsconfig, forNode)
  for (const name of ALL) writeFileSync(join(project, `${name}.ts`), source(name))
  writeFileSync(join(project, 'app.ts'), appOf(snippet))
  return { project, ...(await tsc(compiler, project, '--outDir', 'compiled')) }
}

describe('the copied files', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  // Together: the imports of each are compared above, so that none needs what a reader does not copy.
  test.each<Compiler>(['5.9', '7'])(
    'compile with the settings of tsc --init, TypeScript %s, and are conformant',
    async (compiler) => {
      const { project, code, stdout } = await compileCopies(compiler)
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
      const { DatabaseSync } = await loadDriver()
      const database = new DatabaseSync(':memory:')
      database.exec(`CREATE TABLE ${table}`)
      const app = express()
      vi.stubEnv('WEBHOOK_SECRET', SECRET)
      vi.stubGlobal('database', database)
      vi.stubGlobal('app', app)
      await import(join(project, 'compiled/app.js'))
      await expectConformant(app)
    },
  )

  test('are conformant in plain JavaScript, and keep their comments', async () => {
    const project = join(parent, 'javascript')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    for (const name of ['verify', 'receive', 'express'] as const) {
      cpSync(join(installed.root, `dist/${name}.js`), join(project, `${name}.js`))
      const comments = [...source(name).matchAll(/^ *(\/\/ .*)$/gm)].map(([, comment = '']) => comment)
      const built = readFileSync(join(project, `${name}.js`), 'utf8')
      expect(comments.length).toBeGreaterThan(0)
      expect(
        comments.filter((comment) => !built.includes(comment)),
        name,
      ).toEqual([])
      expect(built).toMatch(/^\/\*\* .* SPEC\.md .*\*\/$/m)
    }
    const { createReceiver } = (await import(join(project, 'receive.js'))) as typeof Core
    const { nodeHandler } = (await import(join(project, 'express.js'))) as typeof Adapter
    const stored = new Set<string>()
    const inbox: Core.DeliveryStore = {
      accept: async ({ paymentId, name }) => {
        const key = `${paymentId} ${name}`
        const outcome = stored.has(key) ? 'duplicate' : 'stored'
        stored.add(key)
        return outcome
      },
    }
    const app = express()
    app.post('/webhooks', nodeHandler(createReceiver({ secrets: SECRET, inbox })))
    await expectConformant(app)
  })
})

async function expectConformant(app: express.Express): Promise<void> {
  const server = createServer(app)
  const report = await check({ url: `${await listen(server)}/webhooks`, secret: SECRET })
  server.close()
  server.closeAllConnections()
  expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(report).toMatchObject({ conclusion: 'conformant', profile: 'core' })
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}
