import { readdir, readFile } from 'node:fs/promises'
import { type Io, pathOf } from '../../shared/io.ts'
import type { Files, Manifest, Project } from './model.ts'
import { nodeProject } from './node.ts'
import { pythonProject } from './python.ts'
import { run, uses } from './steps.ts'

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
  const start = './receiver'
  if (!has('go.mod')) {
    const setup = uses('actions/setup-go@v6', 'go-version: stable')
    return { steps: [setup, run('go build -o receiver main.go')], start }
  }
  const programs = has('main.go') ? [] : await names('cmd')
  const [program, ...others] = programs
  const main = program !== undefined && others.length === 0 ? `./cmd/${program}` : '.'
  const missing =
    others.length === 0
      ? undefined
      : `cmd/ has several programs: the workflow has to build the one that receives webhooks, such as ./cmd/${program}.`
  const setup = uses('actions/setup-go@v6', 'go-version-file: go.mod')
  return { steps: [setup, run(`go build -o receiver ${main}`)], start, missing }
}

async function phpProject({ has, first, names }: Files): Promise<Project> {
  const setup = uses('shivammathur/setup-php@v2', "php-version: '8.4'")
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
    const steps = [uses('ruby/setup-ruby@v1', "ruby-version: '3.4'"), run('gem install rack rackup puma')]
    const missing = 'There is no Gemfile: the workflow installs only rack and puma. Add the other gems.'
    return { steps, start: has('config.ru') ? 'rackup -p "$PORT"' : 'ruby app.rb', missing }
  }
  // It installs the gems too.
  const steps = [uses('ruby/setup-ruby@v1', ...version, 'bundler-cache: true')]
  if ((await names('bin')).includes('rails')) return { steps, start: 'bin/rails server -p "$PORT"' }
  if (has('app.rb') && !has('config.ru')) return { steps, start: 'bundle exec ruby app.rb' }
  const missing = has('config.ru') ? undefined : 'There is no config.ru, bin/rails or app.rb: set `start`.'
  return { steps, start: 'bundle exec rackup -p "$PORT"', missing }
}

function javaProject(cache: string, build: string, start: string): Project {
  const setup = uses(
    'actions/setup-java@v6',
    'distribution: temurin',
    "java-version: '21'",
    `cache: ${cache}`,
  )
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
