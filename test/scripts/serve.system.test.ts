import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, listensOn } from '../support/free-port.ts'
import { missingProgram, requires } from '../support/prerequisites.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const EXAMPLES = resolve('examples')
/** What the scripts start. */
const missing =
  missingProgram('nginx', '-v') ??
  missingProgram('php-fpm8.2', '--version') ??
  missingProgram('puma', '--version')
const scripts = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'serve.sh')))

/** The processes whose group a script leads, but for those that have ended. */
const groupOf = (leader: number): string[] =>
  spawnSync('ps', ['-A', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([group, state = '', ...args]) =>
      Number(group) === leader && !state.startsWith('Z') ? [args.join(' ')] : [],
    )

test('there are such scripts', () => {
  expect(scripts.length).toBeGreaterThan(0)
})

async function endsAll(name: string): Promise<void> {
  const port = await freePort()
  const folder = temporaryFolder()
  const env = {
    ...process.env,
    PORT: String(port),
    WEBHOOK_SECRET: 'whsec_of_a_test_of_the_scripts',
    DATABASE: join(folder, 'webhooks.sqlite'),
    TMPDIR: folder,
  }
  // Its own group, as a shell, a service manager or CI starts it, so that what it leaves is found.
  const script = spawn('sh', ['serve.sh'], {
    cwd: join(EXAMPLES, name),
    env,
    detached: true,
    stdio: 'ignore',
  })
  const leader = script.pid ?? 0
  onTestFinished(() => {
    if (groupOf(leader).length > 0) process.kill(-leader, 'SIGKILL')
  })
  await until(() => script.exitCode !== null || listensOn(port))
  expect(groupOf(leader).length).toBeGreaterThan(2)
  const exited = once(script, 'exit')

  script.kill('SIGTERM')
  await exited

  expect(groupOf(leader)).toEqual([])
  expect(await listensOn(port)).toBe(false)
  expect(readdirSync(folder).filter((file) => file.startsWith('tmp.'))).toEqual([])
}

for (const name of scripts)
  requires(missing).test(
    `SIGTERM ends all that examples/${name}/serve.sh started`,
    () => endsAll(name),
    60_000,
  )
