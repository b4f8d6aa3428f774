// Grades the built receiver package on Bun, Deno and workerd, in the full profile, and what docs/frameworks.md prints for Next.js and
// Nuxt, and for Elysia on Bun, and README.md on Bun and Deno.
// npm run proof -- runtimes [--quick] [--only <runtime>] [--seed <text>] [--write]    a short run builds no framework
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { filled } from '../../../cli/shared/template.ts'
import { check } from '../../../conformance/index.ts'
import { openConnection, requestHead } from '../../../test/support/raw-connection.ts'
import { freePort } from '../../shared/free-port.ts'
import { type NodeLine, nodeBinary } from '../../shared/node-binary.ts'
import { type Program, startProgram } from '../../shared/program.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { type Part, proveParts } from '../shared/prove.ts'

/** The runtimes as npm packages that contain the program for Linux on x64, with the path of the program. */
const PACKAGES = {
  bun: { name: '@oven/bun-linux-x64', version: '1.4.5', program: 'bin/bun' },
  deno: { name: '@deno/linux-x64-glibc', version: '2.9.6', program: 'deno' },
  workerd: { name: '@cloudflare/workerd-linux-64', version: '1.20261117.1', program: 'bin/workerd' },
} as const

type RuntimeName = keyof typeof PACKAGES

/**
 * Installs a runtime into a folder, about 100 MB. No script of the package runs.
 * @returns the path of its program
 * @throws Error on other platforms than Linux on x64
 */
async function install(runtime: RuntimeName, folder: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `${runtime} is installed for Linux on x64 only, not for ${process.platform} on ${process.arch}`,
    )
  }
  const { name, version, program } = PACKAGES[runtime]
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...quiet, `${name}@${version}`])
  return join(folder, 'node_modules', name, program)
}

const PACKAGE = '@hookproof/receiver'

/**
 * Copies the modules of the worker into a folder and writes the configuration of workerd. Its Durable Object keeps its
 * SQLite database in the folder.
 * @param dist the built package
 * @returns the path of the configuration
 */
function configureWorkerd(folder: string, dist: string): string {
  mkdirSync(join(folder, 'storage'))
  cpSync(dist, join(folder, PACKAGE, 'dist'), { recursive: true })
  copyFileSync('docs/examples/cloudflare-worker.js', join(folder, 'cloudflare-worker.js'))
  copyFileSync('scripts/proofs/runtimes/apps/workerd.js', join(folder, 'worker.js'))
  const files = [
    'worker.js',
    'cloudflare-worker.js',
    ...readdirSync(join(folder, PACKAGE), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name))),
  ]
  const modules = [
    ...files.map((file) => `(name = "${file}", esModule = embed "${file}")`),
    // The exports of package.json, which workerd does not read.
    `(name = "${PACKAGE}", esModule = "export * from './receiver/dist/index.js'")`,
    `(name = "${PACKAGE}/fetch", esModule = "export * from './dist/limits/limited-fetch.js'")`,
  ]
  const config = join(folder, 'workerd.capnp')
  const template = new URL('workerd.capnp.eta', import.meta.url)
  writeFileSync(config, filled(template, { modules, storage: join(folder, 'storage') }))
  return config
}

/** The built package, and the folder for the files of the receiver. */
interface Place {
  readonly folder: string
  readonly dist: string
}

/** Starts the receiver in a runtime. Its program has the address that it prints. */
function startReceiver(runtime: RuntimeName, program: string, place: Place, secret: string): Program {
  const env = { PATH: process.env['PATH'], HOME: place.folder, WEBHOOK_SECRET: secret }
  if (runtime === 'workerd') {
    const args = ['serve', '--control-fd=1', configureWorkerd(place.folder, place.dist)]
    return startProgram(program, args, { env, addressIn: addressOfWorkerd })
  }
  const app = join(installApps(place), `${runtime}.js`)
  const allowed = ['--allow-net', '--allow-env', '--allow-read', '--allow-write']
  const flags = { bun: [], deno: ['run', '--node-modules-dir=manual', ...allowed] }
  return startProgram(program, [...flags[runtime], app], {
    env,
    cwd: place.folder,
    addressIn: (line) => /^listening: (http.*)$/.exec(line)?.[1],
  })
}

/** Copies the built package, as `npm install` would. */
function installPackage({ folder, dist }: Place): void {
  const target = join(folder, 'node_modules', PACKAGE)
  mkdirSync(target, { recursive: true })
  cpSync(dist, join(target, 'dist'), { recursive: true })
  cpSync('receiver/package.json', join(target, 'package.json'))
}

/** Copies the apps and the built package. @returns the folder of the apps */
function installApps(place: Place): string {
  const { folder } = place
  installPackage(place)
  cpSync('scripts/proofs/runtimes/apps', folder, { recursive: true })
  const dependencies = { [PACKAGE]: '*' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  return folder
}

/** workerd reports the port of each socket as JSON. */
function addressOfWorkerd(line: string): string | undefined {
  const port = /"event":"listen".*"port":(\d+)/.exec(line)?.[1]
  return port === undefined ? undefined : `http://127.0.0.1:${port}`
}

/** What is sent, and the code of the answer that must arrive while the rest of the body is still missing. */
const BODIES = [
  ['slow body', 'body_too_slow', requestHead('Content-Length: 100'), '{'],
  ['announced size', 'body_too_large', requestHead('Content-Length: 100000000'), ''],
  ['endless body', 'body_too_large', requestHead('Transfer-Encoding: chunked'), chunksOf(64 * 1024, 32)],
  ['tiny chunks', 'body_too_fragmented', requestHead('Transfer-Encoding: chunked'), chunksOf(1, 6000)],
] as const

/** The body timeout of the receiver is 10 seconds. */
const TIMEOUT_MS = 20_000

/**
 * Sends bodies outside the limits. @returns the names of those whose refusal did not arrive, with what arrived instead
 * @param mayJoin whether the runtime joins tiny chunks when it is busy; then the time limit ends the body
 */
async function findMissingRefusals(url: string, mayJoin: boolean): Promise<string[]> {
  const answers = BODIES.map(async ([name, code, head, start]) => {
    const { socket, received } = await openConnection(url)
    const codes = mayJoin && code === 'body_too_fragmented' ? [code, 'body_too_slow'] : [code]
    const isRefused = () => codes.some((one) => received().includes(`"${one}"`))
    socket.write(head + start)
    const deadline = performance.now() + TIMEOUT_MS
    while (!isRefused() && performance.now() < deadline) await pause(20)
    socket.destroy()
    return isRefused() ? [] : [`${name}: no ${codes.join(' or ')}, but ${firstLineOf(received())}`]
  })
  return (await Promise.all(answers)).flat()
}

function chunksOf(size: number, count: number): string {
  return `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count)
}

const firstLineOf = (response: string): string => response.split('\r\n', 1)[0] || 'no answer'

const SECRET = 'whsec_of_the_runtimes_1f6c6703'

/**
 * What a runtime does that the receiver cannot change: docs/frameworks.md says so. Bun closes a connection on which a second
 * request arrives before the first is answered.
 */
const KNOWN: Partial<Record<RuntimeName, readonly string[]>> = { bun: ['transport/pipelined'] }

/** Grades the package in a runtime. Everything that did not pass is a violation, also what could not be tested. */
const grade =
  (runtime: RuntimeName): Part =>
  ({ dist, seed }) =>
    withTemporaryFolder(async (folder) => {
      const executable = await install(runtime, folder)
      const place = placeIn(folder, dist)
      const program = startReceiver(runtime, executable, place, SECRET)
      const url = await program.listening
      if (url === undefined) throw new Error(`${runtime} does not start: ${program.stderr()}`)
      const refusals = findMissingRefusals(url, runtime === 'workerd')
      const report = await check({ url: `${url}/webhooks`, observe: `${url}/observe`, secret: SECRET, seed })
      const missing = await refusals
      // The apps close their inbox, and with it its thread. workerd has neither.
      const code = await program.end(runtime === 'workerd' ? 'SIGKILL' : 'SIGTERM')
      if (code !== 0 && runtime !== 'workerd') missing.push(`exit code ${code} after SIGTERM`)
      const { figure, violations } = judged(report, 'full', KNOWN[runtime])
      return {
        figures: [[`${runtime} ${PACKAGES[runtime].version}`, figure]],
        violations: [...violations, ...missing, ...linesOf(program.stderr())],
      }
    })

/** The built package is beside the built program. */
function placeIn(folder: string, dist: string): Place {
  const place = { folder: join(folder, 'app'), dist: join(dirname(dist), 'receiver/dist') }
  mkdirSync(place.folder)
  return place
}

type Report = Awaited<ReturnType<typeof check>>

function judged({ verdicts, conclusion, profile }: Report, expected: string, known: readonly string[] = []) {
  const others = verdicts.filter(({ outcome }) => outcome !== 'passed')
  const violations = others
    .filter((verdict) => !known.includes(verdict.case))
    .map((verdict) => `${verdict.outcome}: ${verdict.case}`)
  if (conclusion !== 'conformant' || profile !== expected) violations.push(`${conclusion} in ${profile}`)
  const passed = `${verdicts.length - others.length} of ${verdicts.length} cases of the ${profile} profile passed`
  return { figure: `${passed}; ${conclusion}`, violations }
}

/**
 * What Next.js and workerd log about requests whose address is not a URL, which the receiver never gets, and workerd about an
 * alarm that it runs late.
 */
const NOT_OURS =
  /Invalid URL|ignore-listed frames|ERR_INVALID_URL|^ {2}input: '|^\}$|Fetch API cannot load|SQLite alarm overdue/

const linesOf = (stderr: string): string[] =>
  stderr.split('\n').filter((line) => line.trim() !== '' && !NOT_OURS.test(line))

/** The blocks of code in the sections of docs/frameworks.md: before the first heading, or below one. */
function printedBlocks(heading?: string): string[] {
  const sections = readFileSync('docs/frameworks.md', 'utf8').split('\n## ')
  const section = sections.find((text, at) =>
    heading === undefined ? at === 0 : text.startsWith(`${heading}\n`),
  )
  const blocks = [...(section ?? '').matchAll(/```js\n([^]*?)```/g)].map(([, text = '']) => text)
  if (blocks.length === 0) throw new Error(`docs/frameworks.md prints nothing for ${heading}`)
  return blocks
}

/** Installs packages from npm into the folder of an app, and the built package. */
async function installBeside(place: Place, ...packages: readonly string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  await promisify(execFile)('npm', ['install', ...quiet, ...packages], { cwd: place.folder })
  installPackage(place)
}

/** What the pages print, as one program. */
interface Printed {
  readonly title: string
  readonly runtime: 'bun' | 'deno'
  readonly code: () => string
  /** The packages that it needs. */
  readonly packages: readonly string[]
}

const readme = (): string => /```js\n([^]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''

const PRINTED: Readonly<Record<string, Printed>> = {
  elysia: {
    title: 'Elysia 1.4.30',
    runtime: 'bun',
    code: () => [...printedBlocks(), ...printedBlocks('Elysia')].join('\n'),
    packages: ['elysia@1.4.30'],
  },
  'readme-bun': { title: 'README.md', runtime: 'bun', code: readme, packages: ['express@5.3.0'] },
  'readme-deno': { title: 'README.md', runtime: 'deno', code: readme, packages: ['express@5.3.0'] },
}

/** Grades a printed program. */
const gradePrinted =
  ({ title, runtime, code, packages }: Printed): Part =>
  ({ dist, seed }) =>
    withTemporaryFolder(async (folder) => {
      const place = placeIn(folder, dist)
      writeFileSync(join(place.folder, 'package.json'), '{ "type": "module" }')
      await installBeside(place, ...packages)
      const url = `http://127.0.0.1:${await freePort()}`
      // By then it listens.
      const program = `${code()}\nsetTimeout(() => console.log('${url}'), 500)\n`
      writeFileSync(join(place.folder, 'receiver.js'), program.replaceAll('3000', new URL(url).port))
      const flags = runtime === 'deno' ? ['run', '--node-modules-dir=manual', '--allow-all'] : []
      const running = startProgram(await install(runtime, folder), [...flags, 'receiver.js'], {
        env: { PATH: process.env['PATH'], HOME: folder, WEBHOOK_SECRET: SECRET },
        cwd: place.folder,
        addressIn: (line) => (line === url ? url : undefined),
      })
      if ((await running.listening) === undefined)
        throw new Error(`${title} does not start: ${running.stderr()}`)
      const report = await check({ url: `${url}/webhooks`, secret: SECRET, seed })
      await running.end('SIGTERM')
      const { figure, violations } = judged(report, 'core', KNOWN[runtime])
      return {
        figures: [[`${title}, ${runtime} ${PACKAGES[runtime].version}`, figure]],
        violations: [...violations, ...linesOf(running.stderr())],
      }
    })

/** What the page prints for a framework that builds it. */
interface Built {
  readonly title: string
  /** Without SQLite, for which the page adds a package, or with it. */
  readonly node: NodeLine
  readonly packages: readonly string[]
  /** The files of the app by name. */
  readonly files: () => Readonly<Record<string, string>>
  /** The arguments of Node.js. */
  readonly build: readonly string[]
  readonly start: (port: number) => readonly string[]
  /** What it prints when it listens. */
  readonly listening: string
  /** The cases in which the framework answers by itself, as the page says. */
  readonly known?: readonly string[]
  /** Whether a line on standard error counts. */
  readonly isOurs?: RegExp
}

const NEXT = 'node_modules/next/dist/bin/next'

/** @param more a package that this version of Node.js needs */
const nextOf = (version: string, node: NodeLine, ...more: readonly string[]): Built => ({
  title: `Next.js ${version}`,
  node,
  packages: [`next@${version}`, 'react@19', 'react-dom@19', ...more],
  files: () => ({
    // Each block begins with the name of its file.
    ...Object.fromEntries(
      printedBlocks('Next.js, App Router').map((text) => [/(?<=^\/\/ )\S+/.exec(text)?.[0] ?? '', text]),
    ),
    'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n',
  }),
  build: [NEXT, 'build'],
  start: (port) => [NEXT, 'start', '-H', '127.0.0.1', '-p', String(port)],
  listening: 'Ready in',
})

const BUILT: Readonly<Record<string, Built>> = {
  next15: nextOf('15.5.29', 20, '@photostructure/sqlite@1'),
  next16: nextOf('16.4.6', 24),
  nuxt: {
    title: 'Nuxt 4.5.2',
    node: 24,
    packages: ['nuxt@4.5.2'],
    files: () => ({ 'server/routes/webhooks.js': printedBlocks('Nuxt and h3').join('\n') }),
    build: ['node_modules/nuxt/bin/nuxt.mjs', 'build'],
    start: () => ['.output/server/index.mjs'],
    listening: 'Listening on',
    known: ['transport/pipelined'],
    // It logs the stack of each error of its own, about addresses that are no URL.
    isOurs: /^hookproof|Warning: /,
  },
}

/** Builds the page without a secret, which must not open the inbox, starts it and grades it. A short run leaves it out. */
const gradeBuilt =
  ({ title, node, packages, files, build, start, listening, known, isOurs }: Built): Part =>
  async ({ dist, seed, quick }) => {
    if (quick) return { figures: [], violations: [] }
    return withTemporaryFolder(async (folder) => {
      const place = placeIn(folder, dist)
      const app = place.folder
      const all = { 'package.json': '{ "type": "module" }', ...files() }
      for (const [file, text] of Object.entries(all)) {
        mkdirSync(dirname(join(app, file)), { recursive: true })
        writeFileSync(join(app, file), text)
      }
      await installBeside(place, ...packages)
      const quiet = { NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
      const env = { PATH: process.env['PATH'], HOME: folder, ...quiet }
      await promisify(execFile)(nodeBinary(node), build, { cwd: app, env })
      const opened = existsSync(join(app, 'webhooks.sqlite')) ? ['the build opened the inbox'] : []
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const program = startProgram(nodeBinary(node), start(port), {
        env: { ...env, WEBHOOK_SECRET: SECRET, HOST: '127.0.0.1', PORT: String(port) },
        cwd: app,
        addressIn: (line) => (line.includes(listening) ? url : undefined),
      })
      if ((await program.listening) === undefined)
        throw new Error(`${title} does not start: ${program.stderr()}`)
      const report = await check({ url: `${url}/webhooks`, secret: SECRET, seed })
      await program.end('SIGTERM')
      const { figure, violations } = judged(report, 'core', known)
      const lines = linesOf(program.stderr()).filter((line) => isOurs?.test(line) !== false)
      return {
        figures: [[`${title}, Node.js ${node}`, figure]],
        violations: [...opened, ...violations, ...lines],
      }
    })
  }

await proveParts('runtimes', {
  bun: grade('bun'),
  deno: grade('deno'),
  workerd: grade('workerd'),
  ...Object.fromEntries(Object.entries(PRINTED).map(([name, printed]) => [name, gradePrinted(printed)])),
  ...Object.fromEntries(Object.entries(BUILT).map(([name, built]) => [name, gradeBuilt(built)])),
})
