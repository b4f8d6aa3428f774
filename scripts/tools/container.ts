// Does without a container engine what container/Dockerfile does: installs the build, makes it read-only, and runs the receiver
// and the sandbox with the image's environment as a user who may write nowhere but in the data folder. Needs a build, and root.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../shared/free-port.ts'
import { type Program, startProgram } from '../shared/program.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'

const SECRET = 'whsec_only_for_this_container'
const dockerfile = readFileSync('container/Dockerfile', 'utf8')
const user = Number(/^USER (\d+):\1$/m.exec(dockerfile)?.[1])
const variables = Object.fromEntries(
  (/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').split(' ').map((one) => one.split('=') as [string, string]),
)
const [, health = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile) ?? []
const [, entry = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile) ?? []

if (process.getuid?.() !== 0) throw new Error('run this as root, which alone can become another user')

await withTemporaryFolder(async (folder) => {
  const [app, data] = [join(folder, 'app'), join(folder, 'data')]
  execFileSync('sh', ['container/install.sh', app], { stdio: 'inherit' })
  mkdirSync(data)
  chownSync(data, user, user)
  chmodSync(folder, 0o755)
  execFileSync('chmod', ['-R', 'a-w,a+rX', app])
  accessSync(join(app, 'node_modules/pg/package.json'))

  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    ...variables,
    INBOX: (variables['INBOX'] ?? '').replace('/data', data),
    PORT: String(port),
    WEBHOOK_SECRET: SECRET,
  }
  const inImage = (text: string) =>
    (JSON.parse(text) as string[]).map((one) => one.replace('/app', app)) as [string, ...string[]]
  const [node, ...main] = inImage(entry)
  const [healthNode, ...healthArgs] = inImage(health)
  const asUser = ['--reuid', String(user), '--regid', String(user), '--clear-groups', '--no-new-privs']
  const start = (...args: readonly string[]): Program =>
    startProgram('setpriv', [...asUser, node, ...main, ...args], {
      env,
      cwd: data,
      addressIn: (line) => /https?:\/\/[\w.]+:\d+/.exec(line)?.[0],
    })
  const healthy = () => spawnSync(healthNode, healthArgs, { env }).status === 0

  expect(!healthy(), 'the container is healthy before the receiver listens')
  const receiver = start('receive')
  expect((await receiver.listening) !== undefined, `the receiver does not start: ${receiver.stderr()}`)
  expect(healthy(), 'the receiver is not healthy')
  const url = `http://127.0.0.1:${port}/webhooks`
  const check = spawn(node, [...main, 'check', url], {
    env: { PATH: env.PATH, HOOKPROOF_SECRET: SECRET },
    stdio: 'inherit',
  })
  const [code] = (await once(check, 'close')) as [number]
  expect(code === 0, `the receiver is not conformant: exit code ${code}`)
  expect((await receiver.end('SIGTERM')) === 0, 'the receiver does not stop cleanly')

  const sandbox = start('sandbox', '--port', '0', `--file=${data}/sandbox.sqlite`)
  const address = await sandbox.listening
  expect(address !== undefined, `the sandbox does not start: ${sandbox.stderr()}`)
  expect((await fetch(address ?? '')).ok, 'the sandbox does not answer')
  expect((await sandbox.end('SIGTERM')) === 0, 'the sandbox does not stop cleanly')
  const written = execFileSync('find', [folder, '-user', String(user), '-not', '-path', `${data}*`])
  expect(written.length === 0, `files outside the data folder were written: ${written.toString()}`)
  console.log(`\nThe container's steps work for user ${user}, who can write in the data folder alone.`)
})

function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}
