import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { githubWorkflow } from '../../cli/commands/init/workflow.ts'
import { packageVersion } from '../../conformance/report/package.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { INPUTS, MAIN, runStep } from './support.ts'

const EXAMPLE = 'docs/examples/github-workflow.yml'

interface Workflow {
  readonly jobs: {
    readonly receiver: {
      readonly steps: readonly { readonly uses?: string; readonly with?: Readonly<Record<string, unknown>> }[]
    }
  }
}

/** What a workflow passes to the action of this version. */
function inputsOf(workflow: string): Map<string, string> {
  const { steps } = (parse(workflow) as Workflow).jobs.receiver
  const step = steps.find(({ uses }) => uses === `hookproof/hookproof@v${packageVersion()}`)
  return new Map(Object.entries(step?.with ?? {}).map(([name, value]) => [name, String(value)]))
}

describe('the workflow', () => {
  const text = githubWorkflow(packageVersion())

  test(`is the same in ${EXAMPLE} and from \`hookproof init\``, () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toBe(text)
  })

  test('is valid YAML without stray whitespace', () => {
    expect(text).not.toMatch(/\t| \n|\n\n\n/)
    expect(Object.keys(parse(text, { strict: true, uniqueKeys: true }) as object)).toEqual([
      'name',
      'on',
      'permissions',
      'jobs',
    ])
  })

  test('passes only inputs that the action has, all that it requires, and the secret from the store', () => {
    const given = inputsOf(text)
    expect([...INPUTS.keys()]).toEqual(expect.arrayContaining([...given.keys()]))
    for (const [name, fallback] of INPUTS) {
      if (fallback === undefined) expect(given.has(name), name).toBe(true)
    }
    expect(given.get('secret')).toBe('${{ secrets.HOOKPROOF_SECRET }}')
    expect(text.match(/secrets\./g)).toHaveLength(1)
  })

  test('pins the commits of the actions that the workflows of this repository pin', () => {
    const pins = (workflow: string) =>
      [...workflow.matchAll(/uses: (?!hookproof\/)(\S+ # v\S+)$/gm)].map(([, pin]) => pin)
    const ours = readdirSync('.github/workflows').flatMap((file) =>
      pins(readFileSync(join('.github/workflows', file), 'utf8')),
    )
    expect(pins(text)).toHaveLength(2)
    expect(ours).toEqual(expect.arrayContaining(pins(text)))
  })

  test('keeps the characters of a start command that mean something in YAML', () => {
    const start = `node "my server.js" # 'quoted': {{ \\ }}`
    expect(inputsOf(githubWorkflow(packageVersion(), { start })).get('start')).toBe(start)
  })

  test('starts the receiver and grades it, with the config that init writes', async () => {
    const cwd = temporaryFolder()
    const port = await freePort()
    const start = `"${process.execPath}" "${MAIN}" receive --port ${port} --inbox memory`
    const url = `http://127.0.0.1:${port}/webhooks`
    const init = spawnSync(process.execPath, [MAIN, 'init', '--url', url, '--start', start], { cwd })
    expect(init.status).toBe(0)
    const given = inputsOf(readFileSync(join(cwd, '.github/workflows/hookproof.yml'), 'utf8'))
    expect(given.get('start')).toBe(start)

    const inputs = new Map([...given, ['secret', 'whsec_of_the_store'] as const])
    const { status, stdout, stderr } = runStep('Grade the receiver', inputs, {
      cwd,
      folder: temporaryFolder(),
    })
    expect(stderr).not.toMatch(/\[\w+\]$/m)
    expect(stdout).toMatch(/^Conformant in the core profile/m)
    expect(status).toBe(0)
    for (const name of ['hookproof.json', 'hookproof.xml', 'hookproof.html', 'hookproof.md']) {
      expect(existsSync(join(cwd, 'hookproof-reports', name)), name).toBe(true)
    }
  })
})
