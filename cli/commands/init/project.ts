import { readdir, readFile } from 'node:fs/promises'
import { type Io, pathOf } from '../../shared/io.ts'
import { uses } from './actions.ts'

/** The project in the working directory, by the files there; without any known file, one that installs nothing. */
export async function projectIn(io: Io): Promise<Project> {
  const files = await filesIn(io)
  const manifest = parsed(await files.text('package.json'))
  const sign = files.first('package.json')
  // Projects in other languages often have a package.json for their frontend, which starts nothing.
  const starts = manifest.scripts?.start !== undefined || (sign !== undefined && files.has('server.js'))
  if (starts) return { ...nodeProject(files, manifest), sign }
  for (const { signs, project } of KINDS) {
    const found = files.first(...signs)
    if (found !== undefined) return { sign: found, ...(await project(files)) }
  }
  if (sign !== undefined) return { ...nodeProject(files, manifest), sign }
  const script = files.first('server.js', 'server.mjs', 'index.js', 'index.mjs', 'app.js')
  if (script !== undefined) return { steps: [], start: `node ${script}`, sign: script }
  return {
    steps: [],
    start: 'npm start',
    missing: `No file here shows how to install and start your receiver. Add the steps that it needs to the workflow, and set \`start\`.`,
  }
}

/** In this order: a manifest of a language is a better sign than a single source file. */
const KINDS: readonly {
  readonly signs: readonly string[]
  readonly project: (files: Files) => Project | Promise<Project>
}[] = [
  { signs: ['go.mod'], project: goProject },
  {
    signs: ['Cargo.toml'],
    project: () => ({ steps: [run('cargo build --release')], start: 'cargo run --release' }),
  },
  { signs: ['composer.json'], project: phpProject },
  { signs: ['Gemfile'], project: rubyProject },
  {
    signs: ['pom.xml'],
    project: (files) => {
      const maven = files.has('mvnw') ? './mvnw' : 'mvn'
      return javaProject('maven', `${maven} -q -DskipTests package`, `${maven} -q spring-boot:run`)
    },
  },
  {
    signs: ['build.gradle', 'build.gradle.kts'],
    project: (files) => {
      const gradle = files.has('gradlew') ? './gradlew' : 'gradle'
      return javaProject('gradle', `${gradle} -q assemble`, `${gradle} -q bootRun`)
    },
  },
  { signs: ['requirements.txt', 'pyproject.toml', 'Pipfile', 'manage.py'], project: pythonProject },
  { signs: ['app.py', 'main.py', 'wsgi.py', 'server.py'], project: pythonProject },
  { signs: ['main.go'], project: goProject },
  { signs: ['index.php'], project: phpProject },
  { signs: ['config.ru', 'app.rb'], project: rubyProject },
]

async function goProject({ has, names }: Files): Promise<Project> {
  // Into a folder of that name, Go would write a program with the name of the module.
  const program = has('receiver') ? 'hookproof-receiver' : 'receiver'
  const start = `./${program}`
  if (!has('go.mod')) {
    const setup = uses('actions/setup-go', 'go-version: stable')
    return { steps: [setup, run(`go build -o ${program} main.go`)], start }
  }
  const [first, ...others] = has('main.go') ? [] : await names('cmd')
  const main = first !== undefined && others.length === 0 ? `./cmd/${first}` : '.'
  const missing =
    others.length === 0
      ? undefined
      : `cmd/ has several programs: the workflow has to build the one that receives webhooks, such as ./cmd/${first}.`
  const setup = uses('actions/setup-go', 'go-version-file: go.mod')
  return { steps: [setup, run(`go build -o ${program} ${main}`)], start, missing }
}

async function phpProject({ has, first, names }: Files): Promise<Project> {
  const setup = uses('shivammathur/setup-php', "php-version: '8.4'")
  const steps = has('composer.json') ? [setup, run('composer install --no-interaction')] : [setup]
  if (has('artisan')) return { steps, start: 'php artisan serve --port="$PORT"' }
  const server = 'php -S 127.0.0.1:"$PORT"'
  const folder = first('public', 'web')
  if (folder !== undefined && (await names(folder)).includes('index.php'))
    return { steps, start: `${server} -t ${folder}` }
  if (has('index.php')) return { steps, start: server }
  const missing = 'There is no index.php here or in public/: add -t and the folder that it is in to `start`.'
  return { steps, start: server, missing }
}

async function rubyProject({ has, names }: Files): Promise<Project> {
  // The Ruby version comes from .ruby-version or .tool-versions, if present.
  const version = has('.ruby-version', '.tool-versions') ? [] : ["ruby-version: '3.4'"]
  if (!has('Gemfile')) {
    const steps = [uses('ruby/setup-ruby', "ruby-version: '3.4'"), run('gem install rack rackup puma')]
    const missing = 'There is no Gemfile: the workflow installs only rack and puma. Add the other gems.'
    return { steps, start: has('config.ru') ? 'rackup -p "$PORT"' : 'ruby app.rb', missing }
  }
  // It installs the gems too.
  const steps = [uses('ruby/setup-ruby', ...version, 'bundler-cache: true')]
  if ((await names('bin')).includes('rails')) return { steps, start: 'bin/rails server -p "$PORT"' }
  if (has('app.rb') && !has('config.ru')) return { steps, start: 'bundle exec ruby app.rb' }
  const missing = has('config.ru') ? undefined : 'There is no config.ru, bin/rails or app.rb: set `start`.'
  return { steps, start: 'bundle exec rackup -p "$PORT"', missing }
}

function javaProject(cache: string, build: string, start: string): Project {
  const setup = uses('actions/setup-java', 'distribution: temurin', "java-version: '21'", `cache: ${cache}`)
  return { steps: [setup, run(build)], start: `SERVER_PORT="$PORT" ${start}` }
}

/** A package.json; an empty one when it is absent or invalid. */
function parsed(text: string): Manifest {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

async function filesIn(io: Io): Promise<Files> {
  const names = (folder: string) => readdir(pathOf(io, folder)).catch((): string[] => [])
  const here = new Set(await names('.'))
  const first = (...wanted: string[]) => wanted.find((name) => here.has(name))
  return {
    first,
    has: (...wanted) => first(...wanted) !== undefined,
    names,
    text: async (name) => (here.has(name) ? await readFile(pathOf(io, name), 'utf8').catch(() => '') : ''),
  }
}

/** A project of Node.js, with the package manager whose lock file is there. */
function nodeProject({ has }: Files, { packageManager }: Manifest): Project {
  const named = typeof packageManager === 'string' ? packageManager : ''
  if (has('pnpm-lock.yaml')) {
    // The action refuses a version beside the one in package.json.
    const pnpm = named === '' ? uses('pnpm/action-setup', 'version: 10') : uses('pnpm/action-setup')
    return { steps: [pnpm, run('pnpm install --frozen-lockfile')], start: 'pnpm start' }
  }
  if (has('yarn.lock')) {
    // The runner has Yarn 1, which refuses a project of a later one.
    const steps = /^yarn@(?!1\.)/.test(named)
      ? [run('corepack enable'), run('yarn install --immutable')]
      : [run('yarn install --frozen-lockfile')]
    return { steps, start: 'yarn start' }
  }
  if (has('bun.lock', 'bun.lockb')) {
    const steps = [uses('oven-sh/setup-bun'), run('bun install --frozen-lockfile')]
    return { steps, start: 'bun run start' }
  }
  // Without a lock file, `npm ci` fails.
  const isLocked = has('package-lock.json', 'npm-shrinkwrap.json')
  return { steps: [run(isLocked ? 'npm ci' : 'npm install')], start: 'npm start' }
}

/** A project of Python: with a lock file or a list of packages, or a single script. */
async function pythonProject(files: Files): Promise<Project> {
  const { has } = files
  const setup = uses('actions/setup-python', "python-version: '3.13'")
  const { start, packages, missing } = has('manage.py')
    ? { start: 'python manage.py runserver "$PORT"', packages: ['django'], missing: undefined }
    : await scriptOf(files)
  const [install, prefix = ''] = has('uv.lock')
    ? ['pip install uv && uv sync', 'uv run ']
    : has('poetry.lock')
      ? ['pip install poetry && poetry install', 'poetry run ']
      : has('Pipfile')
        ? ['pip install pipenv && pipenv install', 'pipenv run ']
        : has('requirements.txt')
          ? ['pip install -r requirements.txt']
          : has('pyproject.toml')
            ? ['pip install .']
            : []
  if (install !== undefined) return { steps: [setup, run(install)], start: `${prefix}${start}`, missing }
  const only = packages.length === 0 ? 'nothing' : `only ${packages.join(' and ')}`
  return {
    steps: packages.length === 0 ? [setup] : [setup, run(`pip install ${packages.join(' ')}`)],
    start,
    missing: `There is no requirements.txt or pyproject.toml: the workflow installs ${only}. Add the packages that your receiver needs.`,
  }
}

/** How the script is started, and the packages that this takes. */
async function scriptOf({ first, text }: Files): Promise<{
  readonly start: string
  readonly packages: readonly string[]
  readonly missing: string | undefined
}> {
  const script = first('app.py', 'main.py', 'server.py', 'wsgi.py')
  if (script === undefined) {
    const missing = 'There is no app.py, main.py, server.py or wsgi.py: set `start`.'
    return { start: 'python app.py', packages: [], missing }
  }
  const source = await text(script)
  const imports = (name: string) => new RegExp(`^(?:from|import) ${name}\\b`, 'm').test(source)
  const name = script.slice(0, -'.py'.length)
  const isRunByItself = /__main__|\.run\(|serve_forever\(/.test(source)
  const found = { missing: undefined }
  if (imports('fastapi')) {
    const start = isRunByItself ? `python ${script}` : `uvicorn ${name}:app --port "$PORT"`
    return { ...found, start, packages: ['fastapi', 'uvicorn'] }
  }
  if (imports('flask') && script !== 'wsgi.py') {
    const start = isRunByItself ? `python ${script}` : `flask --app ${name} run --port "$PORT"`
    return { ...found, start, packages: ['flask'] }
  }
  if (script === 'wsgi.py') {
    const application = /^(?:from .* import .*\bapp\b|app\b)/m.test(source) ? 'app' : 'application'
    const start = `gunicorn --bind 127.0.0.1:"$PORT" wsgi:${application}`
    return { ...found, start, packages: imports('flask') ? ['flask', 'gunicorn'] : ['gunicorn'] }
  }
  return { ...found, start: `python ${script}`, packages: [] }
}

/** A step that runs a command. */
function run(command: string): string {
  return `- run: ${command}`
}

/** How a workflow prepares and starts the receiver of a project. */
export interface Project {
  /** Steps of the workflow, as lines of YAML; one item may have several lines. */
  readonly steps: readonly string[]
  /** The command that starts the receiver. The environment has its PORT. */
  readonly start: string
  /** The file that shows the kind of project; undefined when there is none. */
  readonly sign?: string | undefined
  /** What the files do not show and the workflow needs, in one sentence, if anything. */
  readonly missing?: string | undefined
}

/** The files of the working directory. */
interface Files {
  /** The first of these names that exists. */
  readonly first: (...names: string[]) => string | undefined
  readonly has: (...names: string[]) => boolean
  /** The text of a file; empty when it cannot be read. */
  readonly text: (name: string) => Promise<string>
  /** The names in a folder; none when it cannot be read. */
  readonly names: (folder: string) => Promise<readonly string[]>
}

/** What package.json says about the project. */
interface Manifest {
  readonly scripts?: { readonly start?: unknown }
  /** Such as `pnpm@10.33.0`. */
  readonly packageManager?: unknown
}
