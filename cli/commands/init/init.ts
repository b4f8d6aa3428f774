import { access, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ServiceId } from '../../../conformance/contracts/service-names.ts'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import { httpUrl, withScheme } from '../../../conformance/http-url.ts'
import { contractOf } from '../../../conformance/options.ts'
import { packageVersion } from '../../../conformance/report/package.ts'
import type { Config } from '../../../schemas/types.ts'
import { CONFIG_FILE } from '../../shared/config.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, pathOf } from '../../shared/io.ts'
import { inProject } from '../../shared/runner.ts'
import { SECRET_ENV } from '../../shared/secret.ts'
import { type ServiceOptions, unusedOption } from '../../shared/service.ts'
import { defined, reasonOf } from '../../shared/text.ts'
import { type Project, projectIn } from './project.ts'
import { githubWorkflow, guessText, nextSteps, WORKFLOW_FILE } from './workflow.ts'

/** The options of `hookproof init`. */
export interface InitCommandOptions extends ServiceOptions {
  readonly url: string
  /** A URL, or a path on the host of `url`. */
  readonly observe?: string
  readonly start?: string
  readonly baseline?: string
  readonly workflow: 'github' | 'none'
  readonly force?: true
}

/** `hookproof init`: writes a config file and a workflow, both or neither, and prints the next steps. */
export async function init(options: InitCommandOptions, io: Io): Promise<ExitCode> {
  const { url, observe, start, baseline, workflow, force, service } = options
  const endpoint = httpUrl(url)
  const contract = await contractOf(service)
  if (observe !== undefined && contract.observation === undefined) {
    throw unusedOption('observe', `has no use for ${contract.title}, whose effects are not graded`)
  }
  if (start !== undefined && workflow === 'none') {
    throw new UsageError('--start is written to the workflow, and --workflow none writes none: leave one out')
  }
  if (baseline === '') throw new UsageError('--baseline needs a file, such as known-failures.json')
  const project = await projectIn(io)
  const observed = observe === undefined ? undefined : observeUrl(observe, endpoint)
  const schema = await schemaPath(io)
  const files = new Map([
    [
      CONFIG_FILE,
      configText({ schema, url: withScheme(url), observe: observed, baseline, service, contract }),
    ],
  ])
  if (workflow === 'github') {
    const own = start === undefined ? {} : { start }
    files.set(WORKFLOW_FILE, githubWorkflow(packageVersion(), { ...project, ...own, port: portOf(endpoint) }))
  }

  const existing = await existingOf([...files.keys()], io)
  if (existing.length > 0 && force !== true) {
    const exist = existing.length === 1 ? 'exists' : 'exist'
    throw new UsageError(
      `${existing.join(' and ')} already ${exist}, so nothing was written: use --force to overwrite`,
    )
  }
  for (const [file, text] of files) {
    try {
      await mkdir(dirname(pathOf(io, file)), { recursive: true })
      // Without --force, a file created in the meantime is not overwritten either.
      await writeFile(pathOf(io, file), text, { flag: force === true ? 'w' : 'wx' })
    } catch (error) {
      throw unwritable(file, error)
    }
    io.stdout.write(`wrote ${file}\n`)
  }
  const port = portOf(endpoint)
  if (workflow === 'github' && start === undefined) {
    const missing = (await lacksStartScript(project, io)) ? NO_START_SCRIPT : project.missing
    io.stdout.write(inProject(guessText({ ...project, missing }, port), io))
  }
  const steps = nextSteps({
    start: start ?? (project.sign === undefined ? undefined : project.start),
    observe: observed,
    baseline,
    observeExample: new URL('/observe', endpoint).href,
    hasWorkflow: workflow === 'github',
    isObservable: contract.observation !== undefined,
    isPayment: contract.id === 'payment-service',
  })
  io.stdout.write(inProject(steps, io))
  return EXIT.ok
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** The schema of the config in node_modules; undefined where hookproof is not installed there. */
async function schemaPath(io: Io): Promise<string | undefined> {
  const path = './node_modules/hookproof/dist/schemas/config.json'
  const isThere = await stat(pathOf(io, path)).catch(() => undefined)
  return isThere === undefined ? undefined : path
}

function configText({
  schema,
  url,
  observe,
  baseline,
  service,
  contract,
}: {
  readonly schema: string | undefined
  readonly url: string
  readonly observe: string | undefined
  readonly baseline: string | undefined
  readonly service: ServiceId | undefined
  readonly contract: WebhookContract
}): string {
  const config: Config = {
    ...defined({ $schema: schema }),
    url,
    ...defined({ service }),
    secretEnv: SECRET_ENV,
    // An update of hookproof then adds no case to a build that passes.
    contract: contract.requireVersion(),
    ...defined({ observe, baseline }),
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

function observeUrl(observe: string, endpoint: URL): string {
  const isPath = observe.startsWith('/') && URL.canParse(observe, endpoint.href)
  return httpUrl(isPath ? new URL(observe, endpoint).href : observe, 'observe').href
}

const NO_START_SCRIPT = 'package.json has no "start" script: add one, or set `start`.'

/** Whether `npm start` would fail here. A missing or invalid package.json does not count. */
async function lacksStartScript(project: Project, io: Io): Promise<boolean> {
  if (project.sign !== 'package.json') return false
  try {
    const { scripts }: { scripts?: { start?: unknown } } = Object(
      JSON.parse(await readFile(pathOf(io, 'package.json'), 'utf8')),
    )
    // Without a script, npm runs server.js.
    return scripts?.start === undefined && !(await exists(pathOf(io, 'server.js')))
  } catch {
    return false
  }
}

/** Makes sure before the first file is written that all can be. @returns those that exist */
async function existingOf(files: readonly string[], io: Io): Promise<string[]> {
  const existing: string[] = []
  for (const file of files) {
    try {
      if (await exists(pathOf(io, file))) existing.push(file)
    } catch (error) {
      throw unwritable(file, error)
    }
  }
  return existing
}

/** Whether a file exists. @throws when it could not be written */
async function exists(path: string): Promise<boolean> {
  const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (status?.isDirectory() === true) throw Object.assign(new Error(), { code: 'EISDIR' })
  await access(status === undefined ? await nearestDirectory(dirname(path)) : path, constants.W_OK)
  return status !== undefined
}

/** The directory itself, or its nearest existing parent. */
async function nearestDirectory(path: string): Promise<string> {
  const isHere = (await stat(path).catch(() => undefined)) !== undefined
  return isHere ? path : nearestDirectory(dirname(path))
}

function unwritable(file: string, error: unknown): UsageError {
  return new UsageError(`cannot write ${file}: ${reasonOf(error)}; fix that, or run in another directory`)
}
