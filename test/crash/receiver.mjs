// A small receiver with a journal in a file. BEHAVIOR names how it differs from a correct one; STORE is its folder.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendFileSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const { PORT, STORE = '.', BEHAVIOR = '' } = process.env
const is = (...names) => names.includes(BEHAVIOR)
const secret = process.env.HOOKPROOF_SECRET ?? ''
const secrets = readSecrets()
/** How long the work before an effect takes, in milliseconds. */
const WORK_MS = is('slow-work') ? 120 : 30

if (secret === '' && !is('starts-without-a-secret', 'refuses-without-a-secret')) {
  process.stderr.write('no signing secret: set HOOKPROOF_SECRET\n')
  process.exitCode = 2
} else {
  if (is('prints-the-secret')) process.stdout.write(`starting with ${JSON.stringify({ secret, PORT })}\n`)
  if (is('prints-the-secret-in-base64')) process.stdout.write(`${Buffer.from(secret).toString('base64')}\n`)
  if (is('slow-start')) await pause(1_500)
  start()
}

function start() {
  const journal = openJournal()
  const received = new Map()
  const done = new Set()
  const effects = []
  const early = new Set()
  const waiting = []
  let isWorking = false

  for (const entry of journal.read()) {
    if (entry.op === 'received') received.set(entry.key, entry.event)
    if (entry.op === 'done') done.add(entry.key)
    if (entry.op !== 'received' && !received.has(entry.key)) received.set(entry.key, undefined)
    if (entry.op === 'effect') {
      effects.push(entry.effect)
      if (!is('effect-before-mark')) done.add(entry.key)
    }
  }
  const undone = [...received].filter(([key]) => !done.has(key))
  // Not the refunds, which decide whether a completion has an effect.
  if (is('deduplication-forgotten'))
    for (const key of received.keys()) if (!key.endsWith(' payment.refunded')) received.delete(key)
  if (is('emptied-at-start')) for (const [key] of undone) received.delete(key)
  else if (!is('no-recovery')) {
    if (is('slow-start')) setTimeout(() => recover(), 1_000)
    else recover()
  }

  function recover() {
    for (const [key, event] of undone) enqueue(key, event)
  }
  function enqueue(key, event) {
    waiting.push([key, event])
    if (!isWorking) void work()
  }
  async function work() {
    isWorking = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [key, event] = next
      if (is('done-before-effect')) journal.write({ op: 'done', key })
      await pause(WORK_MS)
      handle(key, event)
      if (!is('effect-before-mark')) continue
      await pause(WORK_MS)
      journal.write({ op: 'done', key })
    }
    isWorking = false
  }
  function handle(key, event) {
    const own = effects.filter(({ id }) => id === event.payment_id)
    const left = own.reduce((sum, { effect }) => sum + (effect === 'fulfilled' ? 1 : -1), 0)
    const isRefund = event.event === 'payment.refunded'
    const isRefunded = is('early-refunds-in-memory')
      ? early.has(event.payment_id)
      : received.has(`${event.payment_id} payment.refunded`)
    const isDue = isRefund ? left > 0 : event.event === 'payment.completed' && !isRefunded
    if (!isDue) {
      if (isRefund) early.add(event.payment_id)
      journal.write({ op: 'done', key })
      return
    }
    const { payment_id: id, amount, currency } = event
    const effect = { id, event: event.event, effect: isRefund ? 'reversed' : 'fulfilled', amount, currency }
    // One line is the effect and the mark that it is done.
    journal.write({ op: 'effect', key, effect })
    effects.push(effect)
  }

  const server = createServer((request, response) => {
    const answer = (status, body = {}) => response.writeHead(status).end(JSON.stringify(body))
    const url = new URL(request.url, 'http://localhost')
    if (request.method === 'GET') {
      const id = url.searchParams.get('payment_id')
      const shown = effects.filter((effect) => effect.id === id).map(({ id: _id, ...effect }) => effect)
      answer(200, { effects: shown })
      return
    }
    const pieces = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      receive(Buffer.concat(pieces), String(request.headers['x-service-signature'])).then(answer, () =>
        answer(500),
      )
    })
  })

  async function receive(body, header) {
    if (is('prints-signatures')) process.stdout.write(`POST ${header}\n`)
    if (is('refuses-without-a-secret') && secret === '') return 500
    const event = JSON.parse(body.toString())
    const key = `${event.payment_id} ${event.event}`
    if (!isSigned(body, header)) {
      if (is('stores-what-it-refuses')) journal.write({ op: 'received', key, event })
      return 401
    }
    if (received.has(key)) {
      await journal.synced()
      return 200
    }
    if (is('handles-before-answering')) {
      received.set(key, event)
      handle(key, event)
      return 200
    }
    received.set(key, event)
    if (is('acknowledges-first')) {
      setTimeout(() => {
        journal.write({ op: 'received', key, event })
        enqueue(key, event)
      }, 40)
      return 200
    }
    if (is('buffers-refunds') && event.event === 'payment.refunded') {
      setTimeout(() => {
        journal.write({ op: 'received', key, event })
        enqueue(key, event)
      }, 500)
      return 200
    }
    journal.write({ op: 'received', key, event })
    await journal.synced()
    enqueue(key, event)
    return 200
  }
  server.listen(Number(PORT), '127.0.0.1')
  process.on('SIGTERM', () => {
    journal.flush()
    server.close()
    server.closeAllConnections()
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20)
  })
}

/** The old secret follows the new one after a space, or is in a variable of its own. */
function readSecrets() {
  const { SECRET_PREVIOUS } = process.env
  if (is('concatenates-secrets', 'one-secret')) return [secret]
  const [first, ...others] = secret.split(' ')
  if (is('ignores-the-second-secret')) return [first]
  const all = [first, ...others, ...(SECRET_PREVIOUS === undefined ? [] : [SECRET_PREVIOUS])]
  if (!is('keeps-old-secrets') || secret === '') return all
  const file = join(STORE, 'secrets')
  appendFileSync(file, `${all.join('\n')}\n`)
  return readFileSync(file, 'utf8').trim().split('\n')
}

function isSigned(body, header) {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (v1 === '') return false
  return secrets.some((key) => {
    const expected = createHmac('sha256', key).update(`${t}.`).update(body).digest()
    return timingSafeEqual(Buffer.from(v1, 'hex'), expected)
  })
}

/** The journal: a line for each entry, with the durability that the behavior gives it. */
function openJournal() {
  const path = join(STORE, 'journal.ndjson')
  if (!existsSync(path)) appendFileSync(path, '')
  const file = openSync(path, 'a')
  let pending = []
  let syncing
  const isDelayed = is('write-behind', 'stored-on-sigterm')
  const flush = () => {
    if (pending.length > 0) writeSync(file, `${pending.join('\n')}\n`)
    pending = []
  }
  if (is('write-behind')) setInterval(flush, 1_000)
  async function sync() {
    await pause(8)
    syncing = undefined
    fsyncSync(file)
  }
  return {
    read() {
      if (is('memory')) return []
      const lines = readFileSync(path, 'utf8').split('\n')
      const longest = is('reads-lines-of-64-kib') ? 64 * 1024 : Number.POSITIVE_INFINITY
      return lines
        .slice(0, -1)
        .filter((line) => line.length <= longest)
        .map((line) => JSON.parse(line))
    },
    write(entry) {
      if (is('memory')) return
      if (isDelayed) pending.push(JSON.stringify(entry))
      else writeSync(file, `${JSON.stringify(entry)}\n`)
      if (is('sync-each')) fsyncSync(file)
    },
    /** Resolves when everything written so far is synced: several deliveries share one sync. */
    async synced() {
      if (!is('group-commit')) return
      syncing ??= sync()
      await syncing
    },
    flush,
  }
}
