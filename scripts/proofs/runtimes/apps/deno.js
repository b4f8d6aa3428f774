import { handle } from './fetch.js'

const onListen = ({ hostname, port }) => process.stdout.write(`listening: http://${hostname}:${port}\n`)
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, handle)
