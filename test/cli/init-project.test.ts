import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { hookproof, temporaryFolder } from './support.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, unknown>>
  readonly with?: Readonly<Record<string, unknown>>
}

/** The steps of the workflow that init writes for a project with these files. */
async function stepsFor(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Step[]> {
  const cwd = temporaryFolder()
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), text)
  }
  expect(await hookproof(['init', ...args], { cwd })).toMatchObject({ code: 0, stderr: '' })
  const text = readFileSync(join(cwd, '.github/workflows/hookproof.yml'), 'utf8')
  return (parse(text) as { jobs: { receiver: { steps: Step[] } } }).jobs.receiver.steps
}

const NODE = { 'package.json': '{"scripts":{"start":"node ."}}' }
const FRONTEND = { 'package.json': '{"scripts":{"build":"vite build"}}' }

test.each<
  [string, Record<string, string>, uses: string | undefined, install: string | undefined, start: string]
>([
  ['npm', { ...NODE, 'package-lock.json': '' }, undefined, 'npm ci', 'npm start'],
  ['npm without a lock file', NODE, undefined, 'npm install', 'npm start'],
  [
    'pnpm',
    { ...NODE, 'pnpm-lock.yaml': '' },
    'pnpm/action-setup@v5',
    'pnpm install --frozen-lockfile',
    'pnpm start',
  ],
  [
    'Yarn 4',
    {
      'package.json': '{"scripts":{"start":"node ."},"packageManager":"yarn@4.9.2"}',
      'yarn.lock': '',
    },
    undefined,
    'corepack enable',
    'yarn start',
  ],
  ['Yarn', { ...NODE, 'yarn.lock': '' }, undefined, 'yarn install --frozen-lockfile', 'yarn start'],
  [
    'Bun',
    { ...NODE, 'bun.lock': '' },
    'oven-sh/setup-bun@v2',
    'bun install --frozen-lockfile',
    'bun run start',
  ],
  [
    'Python',
    { 'requirements.txt': '', 'main.py': '' },
    'actions/setup-python@v6',
    'pip install -r requirements.txt',
    'python main.py',
  ],
  [
    'Django with uv and a frontend',
    { ...FRONTEND, 'pyproject.toml': '', 'uv.lock': '', 'manage.py': '' },
    'actions/setup-python@v6',
    'pip install uv && uv sync',
    'uv run python manage.py runserver "$PORT"',
  ],
  [
    'Poetry',
    { 'pyproject.toml': '', 'poetry.lock': '' },
    'actions/setup-python@v6',
    'pip install poetry && poetry install',
    'poetry run python app.py',
  ],
  ['Go', { 'go.mod': '' }, 'actions/setup-go@v6', 'go build -o receiver .', './receiver'],
  [
    'PHP',
    { 'composer.json': '' },
    'shivammathur/setup-php@v2',
    'composer install --no-interaction',
    'php -S 127.0.0.1:"$PORT" -t public',
  ],
  [
    'Laravel',
    { ...FRONTEND, 'composer.json': '', artisan: '' },
    'shivammathur/setup-php@v2',
    'composer install --no-interaction',
    'php artisan serve --port="$PORT"',
  ],
  ['Rails', { Gemfile: '', 'bin/rails': '' }, 'ruby/setup-ruby@v1', undefined, 'bin/rails server -p "$PORT"'],
  [
    'Rack',
    { Gemfile: '', 'config.ru': '' },
    'ruby/setup-ruby@v1',
    undefined,
    'bundle exec rackup -p "$PORT"',
  ],
  [
    'Maven',
    { 'pom.xml': '', mvnw: '' },
    'actions/setup-java@v6',
    './mvnw -q -DskipTests package',
    'SERVER_PORT="$PORT" ./mvnw -q spring-boot:run',
  ],
  [
    'Gradle',
    { 'build.gradle.kts': '', gradlew: '' },
    'actions/setup-java@v6',
    './gradlew -q assemble',
    'SERVER_PORT="$PORT" ./gradlew -q bootRun',
  ],
  ['Rust', { 'Cargo.toml': '' }, undefined, 'cargo build --release', 'cargo run --release'],
])('writes a workflow for a project of %s', async (_, files, uses, install, start) => {
  const steps = await stepsFor(files, '--url', 'http://localhost:4321/hooks')
  const [checkout, node, ...rest] = steps
  const grading = rest.pop()
  expect([checkout?.uses, node?.uses]).toEqual(['actions/checkout@v6', 'actions/setup-node@v6'])
  expect(rest.find((step) => step.uses !== undefined)?.uses).toBe(uses)
  expect(rest.find((step) => step.run !== undefined)?.run).toBe(install)
  expect(grading?.uses).toMatch(/^hookproof\/hookproof@v/)
  expect(grading?.env).toEqual({ PORT: 4321 })
  expect(grading?.with?.['start']).toBe(start)
})

test('--start overrides the command of the project', async () => {
  const steps = await stepsFor({ 'go.mod': '' }, '--start', 'go run ./cmd/server')
  expect(steps.at(-1)?.with?.['start']).toBe('go run ./cmd/server')
})

test.each([
  ['{"scripts":{"start":"node ."}}', { version: 10 }],
  ['{"scripts":{"start":"node ."},"packageManager":"pnpm@10.33.0"}', undefined],
])('leaves the version of pnpm to package.json, if it names one: %s', async (text, inputs) => {
  const steps = await stepsFor({ 'package.json': text, 'pnpm-lock.yaml': '' })
  expect(steps.find(({ uses }) => uses?.startsWith('pnpm/'))?.with).toEqual(inputs)
})
