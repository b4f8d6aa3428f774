import { readdir, readFile } from 'node:fs/promises'
import { type Io, pathOf } from '../../shared/io.ts'

/** How a workflow prepares and starts the receiver of a project. */
export interface Project {
  /** Steps of the workflow, as lines of YAML; one item may have several lines. */
  readonly steps: readonly string[]
  /** The command that starts the receiver; the environment has its PORT. */
  readonly start: string
}

/** The project in the working directory, by the files there; without any known file, one of npm. */
export async function projectIn(io: Io): Promise<Project> {
  const files = new Set(await readdir(io.cwd).catch((): string[] => []))
  const has = (...names: string[]): boolean => names.some((name) => files.has(name))
  // Projects in other languages often have a package.json for their frontend, which starts nothing.
  const manifest = has('package.json') ? await readManifest(io) : {}
  if (manifest.scripts?.start !== undefined) return nodeProject(has, manifest)
  return KINDS.find(({ files: names }) => has(...names))?.project(has) ?? nodeProject(has, manifest)
}

type Has = (...names: string[]) => boolean

/** In this order: a file of a language is a better sign than one that many projects have. */
const KINDS: readonly { readonly files: readonly string[]; readonly project: (has: Has) => Project }[] = [
  {
    files: ['go.mod'],
    project: () => ({
      steps: [uses('actions/setup-go@v6', 'go-version-file: go.mod'), run('go build -o receiver .')],
      start: './receiver',
    }),
  },
  {
    files: ['Cargo.toml'],
    project: () => ({ steps: [run('cargo build --release')], start: 'cargo run --release' }),
  },
  {
    files: ['composer.json'],
    project: (has) => ({
      steps: [
        uses('shivammathur/setup-php@v2', "php-version: '8.4'"),
        run('composer install --no-interaction'),
      ],
      start: has('artisan') ? 'php artisan serve --port="$PORT"' : 'php -S 127.0.0.1:"$PORT" -t public',
    }),
  },
  {
    files: ['Gemfile'],
    project: (has) => ({
      // Installs the gems too. The Ruby version comes from .ruby-version or .tool-versions, if present.
      steps: [
        has('.ruby-version', '.tool-versions')
          ? uses('ruby/setup-ruby@v1', 'bundler-cache: true')
          : uses('ruby/setup-ruby@v1', "ruby-version: '3.4'", 'bundler-cache: true'),
      ],
      start:
        has('config.ru') && !has('bin') ? 'bundle exec rackup -p "$PORT"' : 'bin/rails server -p "$PORT"',
    }),
  },
  {
    files: ['pom.xml'],
    project: (has) => {
      const maven = has('mvnw') ? './mvnw' : 'mvn'
      return java('maven', `${maven} -q -DskipTests package`, `${maven} -q spring-boot:run`)
    },
  },
  {
    files: ['build.gradle', 'build.gradle.kts'],
    project: (has) => {
      const gradle = has('gradlew') ? './gradlew' : 'gradle'
      return java('gradle', `${gradle} -q assemble`, `${gradle} -q bootRun`)
    },
  },
  { files: ['requirements.txt', 'pyproject.toml', 'Pipfile', 'manage.py'], project: pythonProject },
]

function java(cache: string, build: string, start: string): Project {
  const setup = uses(
    'actions/setup-java@v6',
    'distribution: temurin',
    "java-version: '21'",
    `cache: ${cache}`,
  )
  return { steps: [setup, run(build)], start: `SERVER_PORT="$PORT" ${start}` }
}

function pythonProject(has: Has): Project {
  const setup = uses('actions/setup-python@v6', "python-version: '3.13'")
  const [install, prefix] = has('uv.lock')
    ? ['pip install uv && uv sync', 'uv run ']
    : has('poetry.lock')
      ? ['pip install poetry && poetry install', 'poetry run ']
      : has('Pipfile')
        ? ['pip install pipenv && pipenv install', 'pipenv run ']
        : [has('requirements.txt') ? 'pip install -r requirements.txt' : 'pip install .', '']
  const script = ['app.py', 'main.py', 'server.py'].find((name) => has(name)) ?? 'app.py'
  const start = has('manage.py') ? 'python manage.py runserver "$PORT"' : `python ${script}`
  return { steps: [setup, run(install)], start: `${prefix}${start}` }
}

function nodeProject(has: Has, { packageManager }: Manifest): Project {
  const named = typeof packageManager === 'string' ? packageManager : ''
  if (has('pnpm-lock.yaml')) {
    // The action refuses a version beside the one in package.json.
    const pnpm = named === '' ? uses('pnpm/action-setup@v5', 'version: 10') : uses('pnpm/action-setup@v5')
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
    const steps = [uses('oven-sh/setup-bun@v2'), run('bun install --frozen-lockfile')]
    return { steps, start: 'bun run start' }
  }
  // Without a lock file, `npm ci` fails; an empty folder will have one once it is a project.
  const isUnlocked = has('package.json') && !has('package-lock.json', 'npm-shrinkwrap.json')
  return { steps: [run(isUnlocked ? 'npm install' : 'npm ci')], start: 'npm start' }
}

/** What package.json says about the project. */
interface Manifest {
  readonly scripts?: { readonly start?: unknown }
  /** Such as `pnpm@10.33.0`. */
  readonly packageManager?: unknown
}

/** The package.json here; an empty one when it cannot be read. */
async function readManifest(io: Io): Promise<Manifest> {
  try {
    return Object(JSON.parse(await readFile(pathOf(io, 'package.json'), 'utf8')))
  } catch {
    return {}
  }
}

/** A step that uses an action, with its inputs, if any. */
function uses(action: string, ...inputs: string[]): string {
  const step = `- uses: ${action}`
  return inputs.length === 0 ? step : [step, '  with:', ...inputs.map((input) => `    ${input}`)].join('\n')
}

function run(command: string): string {
  return `- run: ${command}`
}
