import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { githubWorkflow } from '../../cli/commands/init/workflow.ts'
import { packageVersion } from '../../conformance/report/package.ts'
import { freePort, listensOn } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'
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

/** A receiver in production with the commonest mistake: it verifies the body that it has parsed and serialized again. */
const LEGACY = `import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
const WINDOW_SECONDS = 300
createServer(async (request, response) => {
  const answer = (status) => response.writeHead(status).end()
  try {
    let text = ''
    for await (const piece of request) text += piece
    const body = JSON.stringify(JSON.parse(text))
    const header = request.headers['x-service-signature'] ?? ''
    const { t, v1 } = Object.fromEntries(header.split(',').map((entry) => entry.split('=')))
    if (!(Math.abs(Date.now() / 1000 - t) <= WINDOW_SECONDS)) return answer(400)
    const expected = createHmac('sha256', process.env.WEBHOOK_SECRET).update(t + '.' + body).digest('hex')
    answer(v1 === expected ? 200 : 401)
  } catch {
    answer(400)
  }
}).listen(process.env.PORT)
`

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

  test('is green for a receiver with the commonest mistake after the two commands of docs/check.md, and red after a new one', async () => {
    const cwd = temporaryFolder()
    const port = await freePort()
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(cwd, 'server.js'), LEGACY)
    const [, commands = ''] =
      /```sh\n(npx hookproof init .*--baseline[^]*?)```/.exec(readFileSync('docs/check.md', 'utf8')) ?? []
    const env = {
      ...process.env,
      HOOKPROOF_SECRET: 'whsec_of_the_store',
      WEBHOOK_SECRET: 'whsec_of_the_store',
      PORT: String(port),
    }
    const receiver = spawn(process.execPath, ['server.js'], { cwd, env, stdio: 'ignore' })
    await until(() => listensOn(port))
    for (const line of commands.trimEnd().split('\n')) {
      const printed = line
        .replace('npx hookproof', `"${process.execPath}" "${MAIN}"`)
        .replace('3000', String(port))
      const { status, stdout, stderr } = spawnSync('bash', ['-c', printed], { cwd, env, encoding: 'utf8' })
      expect(status, `${stdout}${stderr}`).toBe(0)
    }
    receiver.kill()
    await once(receiver, 'exit')

    const given = inputsOf(readFileSync(join(cwd, '.github/workflows/hookproof.yml'), 'utf8'))
    const inputs = new Map([...given, ['secret', 'whsec_of_the_store'] as const])
    const push = () =>
      runStep('Grade the receiver', inputs, { cwd, folder: temporaryFolder(), env: { PORT: String(port) } })
    const green = push()
    expect(green.stdout).toMatch(/^Not conformant[^]*^No new failures: \d+ known ones.*\(exit code 0\)\.$/m)
    expect(green.status).toBe(0)

    writeFileSync(join(cwd, 'server.js'), LEGACY.replace('= 300', '= Infinity'))
    const red = push()
    expect(red.stderr).toMatch(/new failures, not in known\.json: .*time-window\//)
    expect(red.status).toBe(1)
  })
})
