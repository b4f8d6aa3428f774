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

function folderWith(files: Readonly<Record<string, string>>): string {
  const cwd = temporaryFolder()
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), text)
  }
  return cwd
}

/** The steps of the workflow that init writes for a project with these files. */
async function stepsFor(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Step[]> {
  const cwd = folderWith(files)
  expect(await hookproof(['init', ...args], { cwd })).toMatchObject({ code: 0, stderr: '' })
  const text = readFileSync(join(cwd, '.github/workflows/hookproof.yml'), 'utf8')
  return (parse(text) as { jobs: { receiver: { steps: Step[] } } }).jobs.receiver.steps
}

/** The action of a step. Its commit is pinned, because the owner of an action can move its tags. */
function actionOf(step: Step | undefined): string | undefined {
  const { uses } = step ?? {}
  if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
  return uses?.split('@')[0]
}

const LISTED = '{"devDependencies":{"hookproof":"1"}}'
test.each<[string, Record<string, string>, command: string]>([
  ['npm', { 'package.json': LISTED, 'package-lock.json': '' }, 'npx hookproof'],
  ['pnpm', { 'package.json': LISTED, 'pnpm-lock.yaml': '' }, 'pnpm exec hookproof'],
  ['Yarn', { 'package.json': LISTED, 'yarn.lock': '' }, 'yarn hookproof'],
  ['Bun', { 'package.json': LISTED, 'bun.lock': '' }, 'bunx hookproof'],
  [
    'the manager that package.json names',
    { 'package.json': `{"packageManager":"yarn@4.9.2",${LISTED.slice(1)}`, 'package-lock.json': '' },
    'yarn hookproof',
  ],
  ['a project that does not list it', { 'package.json': '{}', 'yarn.lock': '' }, 'npx hookproof'],
  ['no project', {}, 'npx hookproof'],
])('prints the commands that follow as a project runs them: %s', async (_, files, command) => {
  const cwd = folderWith(files)
  const { stdout } = await hookproof(['init'], { cwd })
  expect(new Set(stdout.match(/(?:pnpm )?\w+ hookproof(?= check| crash| init)/g))).toEqual(new Set([command]))
  const refused = await hookproof(['trigger', 'payment.completed', '--sandbox', 'http://127.0.0.1:1'], {
    cwd,
  })
  expect(refused.stderr).toContain(`\`${command} sandbox\``)
})

test('a folder of a workspace runs hookproof by the lock file above it', async () => {
  const cwd = folderWith({ 'yarn.lock': '', 'packages/api/package.json': LISTED })
  const { stdout } = await hookproof(['init'], { cwd: join(cwd, 'packages/api') })
  expect(stdout).toContain('  yarn hookproof check\n')
})

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
    'pnpm/action-setup',
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
  ['Bun', { ...NODE, 'bun.lock': '' }, 'oven-sh/setup-bun', 'bun install --frozen-lockfile', 'bun run start'],
  [
    'Python',
    { 'requirements.txt': '', 'main.py': '' },
    'actions/setup-python',
    'pip install -r requirements.txt',
    'python main.py',
  ],
  [
    'Django with uv and a frontend',
    { ...FRONTEND, 'pyproject.toml': '', 'uv.lock': '', 'manage.py': '' },
    'actions/setup-python',
    'pip install uv && uv sync',
    'uv run python manage.py runserver "$PORT"',
  ],
  [
    'Poetry',
    { 'pyproject.toml': '', 'poetry.lock': '' },
    'actions/setup-python',
    'pip install poetry && poetry install',
    'poetry run python app.py',
  ],
  ['Go', { 'go.mod': '' }, 'actions/setup-go', 'go build -o receiver .', './receiver'],
  [
    'Go with a folder receiver',
    { 'go.mod': '', 'receiver/receiver.go': '' },
    'actions/setup-go',
    'go build -o hookproof-receiver .',
    './hookproof-receiver',
  ],
  [
    'PHP',
    { 'composer.json': '', 'public/index.php': '' },
    'shivammathur/setup-php',
    'composer install --no-interaction',
    'php -S 127.0.0.1:"$PORT" -t public',
  ],
  [
    'PHP without public/',
    { 'composer.json': '', 'index.php': '' },
    'shivammathur/setup-php',
    'composer install --no-interaction',
    'php -S 127.0.0.1:"$PORT"',
  ],
  ['PHP in one file', { 'index.php': '' }, 'shivammathur/setup-php', undefined, 'php -S 127.0.0.1:"$PORT"'],
  ['Python in one file', { 'app.py': 'import hmac\n' }, 'actions/setup-python', undefined, 'python app.py'],
  [
    'Flask in one file',
    { 'app.py': 'from flask import Flask\napp = Flask(__name__)\n' },
    'actions/setup-python',
    'pip install flask',
    'flask --app app run --port "$PORT"',
  ],
  [
    'Flask in one file that runs itself',
    {
      'app.py':
        'import os\nfrom flask import Flask\napp = Flask(__name__)\napp.run(port=os.environ["PORT"])\n',
    },
    'actions/setup-python',
    'pip install flask',
    'python app.py',
  ],
  [
    'FastAPI',
    { 'requirements.txt': '', 'main.py': 'from fastapi import FastAPI\napp = FastAPI()\n' },
    'actions/setup-python',
    'pip install -r requirements.txt',
    'uvicorn main:app --port "$PORT"',
  ],
  [
    'WSGI',
    { 'wsgi.py': 'from shop import app\n' },
    'actions/setup-python',
    'pip install gunicorn',
    'gunicorn --bind 127.0.0.1:"$PORT" wsgi:app',
  ],
  ['Go in one file', { 'main.go': '' }, 'actions/setup-go', 'go build -o receiver main.go', './receiver'],
  [
    'Go with cmd/',
    { 'go.mod': '', 'cmd/shop/main.go': '' },
    'actions/setup-go',
    'go build -o receiver ./cmd/shop',
    './receiver',
  ],
  [
    'Rack without a Gemfile',
    { 'config.ru': '' },
    'ruby/setup-ruby',
    'gem install rack rackup puma',
    'rackup -p "$PORT"',
  ],
  ['Sinatra', { Gemfile: '', 'app.rb': '' }, 'ruby/setup-ruby', undefined, 'bundle exec ruby app.rb'],
  ['a script of Node.js', { 'server.js': '' }, undefined, undefined, 'node server.js'],
  ['no known kind', { 'README.md': '' }, undefined, undefined, 'npm start'],
  [
    'Laravel',
    { ...FRONTEND, 'composer.json': '', artisan: '' },
    'shivammathur/setup-php',
    'composer install --no-interaction',
    'php artisan serve --port="$PORT"',
  ],
  ['Rails', { Gemfile: '', 'bin/rails': '' }, 'ruby/setup-ruby', undefined, 'bin/rails server -p "$PORT"'],
  ['Rack', { Gemfile: '', 'config.ru': '' }, 'ruby/setup-ruby', undefined, 'bundle exec rackup -p "$PORT"'],
  [
    'Maven',
    { 'pom.xml': '', mvnw: '' },
    'actions/setup-java',
    './mvnw -q -DskipTests package',
    'SERVER_PORT="$PORT" ./mvnw -q spring-boot:run',
  ],
  [
    'Gradle',
    { 'build.gradle.kts': '', gradlew: '' },
    'actions/setup-java',
    './gradlew -q assemble',
    'SERVER_PORT="$PORT" ./gradlew -q bootRun',
  ],
  ['Rust', { 'Cargo.toml': '' }, undefined, 'cargo build --release', 'cargo run --release'],
])('writes a workflow for a project of %s', async (_, files, uses, install, start) => {
  const steps = await stepsFor(files, '--url', 'http://localhost:4321/hooks')
  const [checkout, node, ...rest] = steps
  const grading = rest.pop()
  expect([checkout, node].map(actionOf)).toEqual(['actions/checkout', 'actions/setup-node'])
  expect(rest.map(actionOf).find((action) => action !== undefined)).toBe(uses)
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

test.each([
  [{ 'app.py': '' }, /\(app\.py\).* `python app\.py`.*PORT=3000/, /no requirements\.txt.*installs nothing/],
  [{ 'composer.json': '' }, /\(composer\.json\).* `php -S 127/, /no index\.php here or in public\//],
  [{}, undefined, /No file here shows how to install and start your receiver/],
])('prints what it guessed from %o, and what is missing', async (files, guess, missing) => {
  const cwd = folderWith(files)
  const { stdout } = await hookproof(['init'], { cwd })
  if (guess !== undefined) expect(stdout).toMatch(guess)
  expect(stdout).toMatch(missing)
  expect(stdout).not.toContain('npm ci')
})

test('prints neither a guess nor a gap when --start is given', async () => {
  const cwd = folderWith({ 'composer.json': '' })
  const { stdout } = await hookproof(['init', '--start', 'php -S 127.0.0.1:3000 -t web'], { cwd })
  expect(stdout).not.toMatch(/index\.php|set `start`|guess/)
  expect(stdout).toContain('--start "php -S 127.0.0.1:3000 -t web"')
})
