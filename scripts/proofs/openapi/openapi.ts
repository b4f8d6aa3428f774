// Schemathesis, which others wrote, derives requests from the OpenAPI document that a running sandbox serves, and compares
// each response with it.
// npm run proof -- openapi [examples per operation] [--quick] [--seed <number>] [--write]
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { seededOrganizations } from '../../../sandbox/service/keys.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { type ProofOptions, type ProofResult, prove } from '../shared/prove.ts'
import { startSandbox } from '../shared/sandbox.ts'

const VERSION = '4.32.5'

/**
 * Whether every request that the document allows is accepted is not checked. The API has rules that JSON Schema cannot
 * express: a payment with the id must exist, an idempotency key belongs to one request, a webhook's target must be public.
 */
const NOT_CHECKED = 'positive_data_acceptance'

/** Sends generated requests, valid and invalid ones: each response must match the document. */
async function run({ dist, seed, quick, amount }: ProofOptions, folder: string): Promise<ProofResult> {
  const examples = amount ?? (quick ? 30 : 200)
  const schemathesis = installed(folder)
  const violations: string[] = []
  const figures: [string, string][] = [['Schemathesis', VERSION]]
  const sandbox = await startSandbox(dist, ['--port', '0', '--memory', '--seed', seed])
  const [{ testKey, liveKey } = { testKey: '', liveKey: '' }] = seededOrganizations(seed)
  for (const [name, key] of Object.entries({ 'a test key': testKey, 'a live key': liveKey })) {
    const { status, stdout, stderr } = spawnSync(
      schemathesis,
      [
        'run',
        `${sandbox.url}/v1/openapi.json`,
        '-H',
        `X-API-Key: ${key}`,
        '--max-examples',
        String(examples),
        '--exclude-checks',
        NOT_CHECKED,
        '--seed',
        String(numberOf(seed + name)),
        '--no-color',
      ],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
    )
    const [, counted] = /Test cases:\n +(.*)\n/.exec(stdout) ?? []
    figures.push([`test cases with ${name}`, counted ?? 'none'])
    if (status !== 0 || counted === undefined) {
      const [, failures = stdout + stderr] = stdout.split(/=+ FAILURES =+/)
      violations.push(`with ${name}: ${failures.trim().slice(0, 5_000)}`)
    }
  }
  const code = await sandbox.stop()
  if (code !== 0) violations.push(`the sandbox exited with code ${code}: ${sandbox.stderr()}`)
  return { figures, violations }
}

/** Installs Schemathesis into a virtual environment. @returns the path of its command */
function installed(folder: string): string {
  const environment = join(folder, 'venv')
  for (const [program, ...words] of [
    ['python3', '-m', 'venv', environment],
    [join(environment, 'bin/pip'), 'install', '--quiet', `schemathesis==${VERSION}`],
  ] as const) {
    const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' })
    if (status !== 0)
      throw new Error(`${[program, ...words].join(' ')} failed: ${error?.message ?? stderr.trim()}`)
  }
  return join(environment, 'bin/schemathesis')
}

function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE()
}

await prove('openapi', (options) => withTemporaryFolder((folder) => run(options, folder)))
