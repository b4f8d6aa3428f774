import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/**
 * What a server of a built module answers if the classes of node:http are real classes, which cannot be called as functions.
 * Node.js deprecates such calls (DEP0195).
 * @param module the path of a built module
 * @param server the expression that creates the server of the Express application `app`; it may use the imports of `module`
 * and `createServer` of node:http
 */
function answerWithRealClasses(module: string, server: string): { stdout: string; stderr: string } {
  const script = `
    import http from 'node:http'
    import { syncBuiltinESMExports } from 'node:module'
    for (const name of ['IncomingMessage', 'ServerResponse']) http[name] = class extends http[name] {}
    syncBuiltinESMExports()
    const { createServer } = http
    const { default: express } = await import('express')
    const { expressClasses, serverFor } = await import('./${module}')
    const app = express()
    app.get('/', (request, response) => response.json(request instanceof http.IncomingMessage))
    const server = ${server}
    server.listen(0, '127.0.0.1', async () => {
      const response = await fetch('http://127.0.0.1:' + server.address().port)
      console.log(response.status, await response.text())
      server.close().closeAllConnections()
    })`
  const args = ['--throw-deprecation', '--pending-deprecation', '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: 'utf8' })
  return { stdout, stderr }
}

test.each([
  ['the receiver', 'receiver/dist/express-classes.js', 'createServer(expressClasses(app), app)'],
  ['the sandbox', 'dist/sandbox/http/server.js', 'serverFor(app)'],
])('%s does not call the classes of Node.js as functions', (_, module, server) => {
  expect(answerWithRealClasses(module, server)).toEqual({ stdout: '200 true\n', stderr: '' })
})
