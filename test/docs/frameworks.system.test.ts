// What docs/frameworks.md, README.md and receiver/README.md print for each framework, run as printed with the packed package on
// the oldest and the newest version of Node.js. `npm run proof -- runtimes` has Next.js and Nuxt, and Elysia, which runs on Bun.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../conformance/index.ts'
import { type NodeLine, nodeBinary } from '../../scripts/shared/node-binary.ts'
import { addPackages, type Installed, install, packAndInstall, runWith } from '../package/install.ts'
import { freePort, listensOn } from '../support/free-port.ts'
import { inBackground } from '../support/in-background.ts'
import { LONG_CASES } from '../support/long-cases.ts'
import { until } from '../support/until.ts'

/** What is printed, as a reader has it, and how it is built and started. */
interface App {
  /** By name. The first one has what is printed; the others are the reader's own. */
  readonly files: Readonly<Record<string, string>>
  /** The arguments of Node.js, once, without a secret. */
  readonly build?: readonly string[]
  readonly start: readonly string[]
  /** The versions of Node.js that the framework does not support. */
  readonly without?: readonly NodeLine[]
  /** The cases in which the framework answers by itself, as the page says. */
  readonly known?: readonly string[]
}

const PACKAGES = [
  '@nestjs/common@12.5.1',
  '@nestjs/core@12.5.1',
  '@nestjs/platform-express@12.5.1',
  '@react-router/dev@8.4.0',
  '@react-router/node@8.4.0',
  '@react-router/serve@8.4.0',
  '@sveltejs/adapter-node@5.5.7',
  '@sveltejs/kit@2.70.4',
  '@sveltejs/vite-plugin-svelte@7.3.1',
  'h3@2.0.8',
  'isbot@5',
  'koa@3.3.0',
  'react@19',
  'react-dom@19',
  'react-router@8.4.0',
  'reflect-metadata@0.2.2',
  'rxjs@7.8.2',
  'svelte@5.57.3',
  'vite@8.3.8',
]
/** Those that this repository has; the last one is what Node.js 20 needs for SQLite. */
const OWN_PACKAGES = ['@hono/node-server', 'express', 'fastify', 'hono', '@photostructure/sqlite']

const SECRET = 'whsec_of_the_frameworks'
/** The tests of the receiver itself run on the versions between them too: .ci/on-node. */
const LINES: readonly NodeLine[] = [20, 26]

/** The blocks of JavaScript below a heading of a page. */
function printed(page: string, heading: string): string[] {
  const section = readFileSync(page, 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/```js\n([^]*?)```/g)].map(([, code = '']) => code)
  if (blocks.length === 0) throw new Error(`${page} has no JavaScript below "${heading}"`)
  return blocks
}

const [options = ''] = /(?<=```js\n)import \{ protect[^]*?(?=```)/.exec(
  readFileSync('docs/frameworks.md', 'utf8'),
) ?? ['']

/** The block of a framework, which continues the lines with the options. */
const continued = (heading: string): string => [options, ...printed('docs/frameworks.md', heading)].join('\n')

/** What the page has in a sentence. */
const [forH3 = 'no handler'] =
  /(?<=`)defineHandler\([^`]+/.exec(readFileSync('docs/frameworks.md', 'utf8')) ?? []

/** A program of its own. */
const alone = (code: string): App => ({ files: { 'receiver.js': code }, start: ['receiver.js'] })

/** The lines below the table of receiver/README.md, each with what it takes for granted. */
const [forFastify = '', forHono = '', forNext = ''] = (
  printed('receiver/README.md', 'Exports')[0] ?? ''
).split('\n')

const BEFORE_A_LINE = `import { sqliteInbox } from '@hookproof/receiver/sqlite'
const path = './webhooks.sqlite'
const secrets = process.env.WEBHOOK_SECRET\n`

const HONO = `import { serve } from '@hono/node-server'
import { fetchHandler } from '@hookproof/receiver/fetch'
import { Hono } from 'hono'
const app = new Hono()\n`
const SERVED = `\nserve({ fetch: app.fetch, port: 3000 })\n`

/** AWS calls the handler with payload format 2.0, in which a body that is text is no base64. */
const LAMBDA = `import { createServer } from 'node:http'
import { handler } from './handler.js'
createServer(async (request, response) => {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const pieces = []
  try {
    for await (const piece of request) pieces.push(piece)
  } catch {
    return
  }
  const bytes = Buffer.concat(pieces)
  const isBase64Encoded = !Buffer.from(bytes.toString()).equals(bytes)
  const body = bytes.length === 0 ? undefined : bytes.toString(isBase64Encoded ? 'base64' : 'utf8')
  const requestContext = { http: { method: request.method } }
  const answer = await handler({ headers, body, isBase64Encoded, requestContext })
  response.writeHead(answer.statusCode, answer.headers).end(answer.body)
}).listen(3000)\n`

const APPS: Readonly<Record<string, App>> = {
  'README.md': alone(printed('README.md', 'Receive webhooks')[0] ?? ''),
  'Fastify, one line': alone(`${BEFORE_A_LINE}import fastify from 'fastify'
import { webhookPlugin } from '@hookproof/receiver/fastify'
const inbox = await sqliteInbox({ path })
const app = fastify()
${forFastify}
await app.listen({ port: 3000 })`),
  'Hono, one line': alone(`${BEFORE_A_LINE}${HONO}
const inbox = await sqliteInbox({ path })
const handle = fetchHandler({ secrets, inbox })
${forHono}${SERVED}`),
  'Next.js, one line': alone(`${BEFORE_A_LINE}${HONO}
${forNext}
app.post('/webhooks', (context) => POST(context.req.raw))${SERVED}`),
  Express: alone(continued('Express')),
  Fastify: alone(continued('Fastify')),
  Hono: alone(continued('Hono')),
  Koa: alone(continued('Koa')),
  NestJS: {
    files: {
      'receiver.js': continued('NestJS'),
      'app.module.js': `import { Module } from '@nestjs/common'
export class AppModule {}
Module({})(AppModule)\n`,
    },
    start: ['receiver.js'],
  },
  'AWS Lambda': {
    files: { 'handler.js': continued('AWS Lambda'), 'server.js': LAMBDA },
    start: ['server.js'],
  },
  'h3 version 2': alone(`import { H3, defineHandler, serve } from 'h3'
import { fetchHandler } from '@hookproof/receiver/fetch'
${options}
const webhooks = fetchHandler(options)
const app = new H3().post('/webhooks', ${forH3})
serve(app, { port: 3000 })`),
  SvelteKit: {
    files: {
      'src/routes/webhooks/+server.js': printed('docs/frameworks.md', 'SvelteKit')[0] ?? '',
      'src/app.html':
        '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'svelte.config.js': `import adapter from '@sveltejs/adapter-node'
export default { kit: { adapter: adapter() } }\n`,
      'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite'
export default { plugins: [sveltekit()] }\n`,
    },
    build: ['../node_modules/vite/bin/vite.js', 'build'],
    start: ['build/index.js'],
    known: ['transport/content-type-missing', 'transport/content-type-text', 'transport/content-type-form'],
  },
  'React Router': {
    files: {
      'app/routes/webhooks.js': continued('React Router'),
      'app/routes.js': `import { route } from '@react-router/dev/routes'
export default [route('webhooks', './routes/webhooks.js')]\n`,
      'app/root.jsx': `import { Outlet, Scripts } from 'react-router'
export default () => <html lang="en"><body><Outlet /><Scripts /></body></html>\n`,
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite'
export default { plugins: [reactRouter()] }\n`,
    },
    build: ['../node_modules/@react-router/dev/bin.cjs', 'build'],
    start: ['../node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'],
    // React Router 8 needs Node.js 22.22.
    without: [20],
  },
}

let installed: Installed
let graded: (name: string) => Promise<Record<string, readonly string[]>>

beforeAll(async () => {
  installed = await packAndInstall('@hookproof/receiver')
  await install(installed.folder, ...PACKAGES)
  addPackages(installed.folder, ...OWN_PACKAGES)
  // Before anything is graded, since installing one blocks this process for seconds, in the middle of a delivery.
  for (const line of LINES) nodeBinary(line)
  graded = inBackground(APPS, 2, grade)
})

afterAll(() => installed?.remove())

/** Builds an app and grades it on both versions of Node.js. @returns what did not pass, by version */
async function grade(app: App, name: string): Promise<Record<string, readonly string[]>> {
  const folder = join(installed.folder, name.replaceAll(/\W+/g, '-').toLowerCase())
  const port = await freePort()
  const { dependencies } = JSON.parse(readFileSync(join(installed.folder, 'package.json'), 'utf8'))
  const files = { 'package.json': JSON.stringify({ type: 'module', dependencies }), ...app.files }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text.replaceAll('3000', String(port)))
  }
  const lines = LINES.filter((line) => !app.without?.includes(line))
  if (app.build !== undefined) {
    const [line = 20] = lines
    const built = await runWith({ NODE_ENV: 'production' }, folder, nodeBinary(line), ...app.build)
    if (built.code !== 0) throw new Error(`${built.stdout}${built.stderr}`)
  }
  const results: Record<string, readonly string[]> = {}
  for (const [at, line] of lines.entries())
    results[line] = await faultsOf(app, { folder, port, line, only: at === 0 ? undefined : DIFFERING })
  return results
}

/** What depends on the version of Node.js: its HTTP server and its SQLite. */
const DIFFERING = ['transport', 'duplicates']

/** A line on standard error that is not the framework's own. */
const OURS = /^hookproof|Warning: /

async function faultsOf(
  { start, known = [] }: App,
  { folder, port, line, only }: { folder: string; port: number; line: NodeLine; only: string[] | undefined },
): Promise<string[]> {
  const env = {
    PATH: process.env['PATH'],
    WEBHOOK_SECRET: SECRET,
    PORT: String(port),
    NODE_ENV: 'production',
  }
  const child = spawn(nodeBinary(line), start, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (piece: Buffer) => {
    errors += piece
  })
  try {
    await until(() => child.exitCode !== null || listensOn(port))
    if (child.exitCode !== null) return [`it exited with ${child.exitCode}: ${errors}`]
    const { verdicts } = await check({
      url: `http://localhost:${port}/webhooks`,
      secret: SECRET,
      skip: [...LONG_CASES, ...known],
      ...(only !== undefined && { only }),
    })
    return [
      ...verdicts.flatMap((verdict) =>
        verdict.outcome === 'passed'
          ? []
          : [`${verdict.outcome}: ${verdict.case}: ${verdict.problems[0]?.received ?? verdict.reason}`],
      ),
      ...errors.split('\n').filter((text) => OURS.test(text)),
    ]
  } finally {
    await ended(child)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

test.each(Object.keys(APPS))(
  '%s: conformant as printed, on the oldest and the newest version of Node.js',
  async (name) => {
    const results = await graded(name)
    expect(results).toEqual(Object.fromEntries(Object.keys(results).map((line) => [line, []])))
  },
)
