import { access, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { httpUrl } from '../../../conformance/run/http-url.ts'
import { packageVersion } from '../../../conformance/version.ts'
import type { Config } from '../../../schemas/types.ts'
import { CONFIG_FILE } from '../../shared/config.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { given, reasonOf, SECRET_ENV } from '../../shared/options.ts'
import { githubWorkflow, WORKFLOW_FILE } from './workflow.ts'

/** The options of `hookproof init`. */
export interface InitCommandOptions {
  readonly url: string
  /** A URL, or a path at the host of `url`. */
  readonly observe?: string
  readonly start?: string
  readonly workflow: 'github' | 'none'
  readonly force?: true
}

/** `hookproof init`: writes a config file and a workflow, both or neither, and says what comes next. */
export async function init({ url, observe, start, workflow, force }: InitCommandOptions): Promise<ExitCode> {
  const endpoint = httpUrl(url)
  if (start !== undefined && workflow === 'none') {
    throw new UsageError('--start goes into the workflow, and --workflow none writes none: leave one out')
  }
  const files = new Map([
    [CONFIG_FILE, configText(url, observe === undefined ? undefined : observeUrl(observe, endpoint))],
  ])
  if (workflow === 'github') files.set(WORKFLOW_FILE, githubWorkflow(packageVersion(), start))

  const present = await prepare([...files.keys()])
  if (present.length > 0 && force !== true) {
    const are = present.length === 1 ? 'is' : 'are'
    throw new UsageError(
      `${present.join(' and ')} ${are} there already, so nothing was written: --force writes anew what is there`,
    )
  }
  for (const [file, text] of files) {
    try {
      await mkdir(dirname(file), { recursive: true })
      // Without --force, one that has come up since is not overwritten either.
      await writeFile(file, text, { flag: force === true ? 'w' : 'wx' })
    } catch (error) {
      throw unwritable(file, error)
    }
    process.stdout.write(`wrote ${file}\n`)
  }
  if (workflow === 'github' && start === undefined && (await hasNoStart())) {
    process.stdout.write(
      'package.json has no "start" script, by which the workflow starts the receiver: add one, or set `start` in the workflow\n',
    )
  }
  process.stdout.write(nextSteps(workflow === 'github'))
  return EXIT.ok
}

function configText(url: string, observe: string | undefined): string {
  const config: Config = {
    $schema: './node_modules/hookproof/dist/schemas/config.json',
    url,
    secretEnv: SECRET_ENV,
    ...given({ observe }),
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

function observeUrl(observe: string, endpoint: URL): string {
  const isPath = observe.startsWith('/') && URL.canParse(observe, endpoint.href)
  return httpUrl(isPath ? new URL(observe, endpoint).href : observe, 'observe').href
}

/** Whether `npm start` would fail here. What is no package.json, or not to be read, is no concern of this command. */
async function hasNoStart(): Promise<boolean> {
  try {
    const { scripts }: { scripts?: { start?: unknown } } = Object(
      JSON.parse(await readFile('package.json', 'utf8')),
    )
    // Without a script npm runs a file of this name.
    return scripts?.start === undefined && !(await isThere('server.js'))
  } catch {
    return false
  }
}

/** Makes sure, before the first is written, that all can be. @returns those that are there already */
async function prepare(files: readonly string[]): Promise<string[]> {
  const present: string[] = []
  for (const file of files) {
    try {
      if (await isThere(file)) present.push(file)
    } catch (error) {
      throw unwritable(file, error)
    }
  }
  return present
}

async function isThere(file: string): Promise<boolean> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (found?.isDirectory() === true) throw Object.assign(new Error(), { code: 'EISDIR' })
  await access(found === undefined ? await nearestFolder(dirname(file)) : file, constants.W_OK)
  return found !== undefined
}

/** The folder itself, or the nearest above it that is there. */
async function nearestFolder(path: string): Promise<string> {
  const isHere = path === '.' || (await stat(path).catch(() => undefined)) !== undefined
  return isHere ? path : nearestFolder(dirname(path))
}

function unwritable(file: string, error: unknown): UsageError {
  return new UsageError(`can not write ${file}: ${reasonOf(error)}; mend that, or work in another folder`)
}

function nextSteps(hasWorkflow: boolean): string {
  const workflow = `
In CI: give the repository the secret ${SECRET_ENV}, and set \`start\` in the workflow to what starts your receiver.
`
  return `
Next, with your receiver running:
  export ${SECRET_ENV}=whsec_...     # the signing secret that it uses
  npx hookproof check
${hasWorkflow ? workflow : ''}`
}
