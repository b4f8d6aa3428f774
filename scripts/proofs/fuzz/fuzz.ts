// Sends mutated headers and bodies to a running receiver, and holds each answer against the contract written anew.
// npm run proof:fuzz -- [inputs] [--quick] [--seed <text>] [--write]
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { inFolder } from '../shared/folder.ts'
import { inThousands, prove } from '../shared/program.ts'
import { choose, randomFrom } from '../shared/random.ts'
import { start } from '../shared/receiver.ts'
import { bodiesIn, damageIn } from '../shared/sqlite.ts'
import { openWire, postOf } from '../shared/wire.ts'
import { inputsFrom, type Made } from './inputs.ts'
import { rule, type Terms } from './oracle.ts'
import { exclusionOf, stripeAccepts } from './stripe.ts'

/** The secret and the clock of most of the frozen vectors, so that they can be sent as they are. */
const TERMS: Terms = { secret: 'whsec_4b1e9d7a20c35f86', now: 1_767_225_600 }
const CONNECTIONS = 32
/** How much the process may grow after a tenth of the inputs. */
const BOUND_MIB = 64

/** Labels that must not matter: the signature covers the bytes. */
const LABELS: readonly (readonly (readonly [string, string])[])[] = [
  [['Content-Type', 'application/json']],
  [['Content-Type', 'application/json; charset=utf-16']],
  [['Content-Type', 'multipart/form-data; boundary=x']],
  [['Content-Encoding', 'gzip']],
  [],
]

await prove('fuzz', ({ dist, seed, quick, amount }) =>
  inFolder(async (folder) => {
    const inputs = amount ?? (quick ? 10_000 : 100_000)
    const random = randomFrom(seed)
    const make = inputsFrom({ seed, random, ...TERMS })
    const path = join(folder, 'inbox.sqlite')
    const receiver = await start({
      dist,
      inside: true,
      env: { INBOX: path, WEBHOOK_SECRET: TERMS.secret, PROOF_CLOCK_AT: String(TERMS.now * 1000) },
    })

    const broken: string[] = []
    const counts = new Map<string, number>()
    const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
    const counted = (what: string): string => inThousands(counts.get(what) ?? 0)
    const accepted = new Set<string>()
    let sent = 0
    let warm = 0
    let highest = 0

    function judge(input: Made, status: number | undefined): void {
      const { statuses, because } = rule(input, TERMS)
      const tell = (what: string): void => {
        count(what)
        broken.push(
          `${what}: ${status ?? 'no answer'} where SPEC.md ${because} asks for ${statuses.join(' or ')}: ${shown(input)}`,
        )
      }
      count(`answer ${status}`)
      if (status === undefined) tell('unanswered')
      else if (status >= 500) tell('5xx')
      else if (status === 200 && !statuses.includes(200)) tell('false acceptance')
      else if (status !== 200 && statuses.every((wanted) => wanted === 200)) tell('false refusal')
      else if (!statuses.includes(status)) tell('other status')
      if (status === 200) accepted.add(digestOf(input.body))
      compareWithStripe(input, status)
    }

    function compareWithStripe(input: Made, status: number | undefined): void {
      // Which JSON is an event is ours alone: there both would have to be asked for the signature only.
      const excluded = exclusionOf(input, TERMS)
      const theirs = excluded === undefined && stripeAccepts(input, TERMS)
      if (excluded !== undefined) count('stripe excluded')
      else if (theirs && status === 400) count('stripe excluded, no event')
      else {
        count('stripe compared')
        if (theirs !== (status === 200)) {
          count('stripe differs')
          broken.push(
            `stripe ${theirs ? 'accepts' : 'refuses'}, the receiver answers ${status}: ${shown(input)}`,
          )
        }
      }
    }

    async function sender(): Promise<void> {
      const wire = openWire(() => receiver.port)
      while (sent < inputs) {
        sent += 1
        if (sent % 1000 === 0 && sent >= inputs / 10) {
          const resident = receiver.residentMiB()
          warm ||= resident
          highest = Math.max(highest, resident)
        }
        const input = make()
        count(input.kind)
        const signatures = input.headers.map((value) => ['X-Service-Signature', value] as const)
        const { status } = await wire.send(postOf(input.body, [...choose(random, LABELS), ...signatures]))
        judge(input, status)
      }
      wire.close()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, sender))

    const grown = highest - warm
    if (grown > BOUND_MIB)
      broken.push(`the process grew by ${grown.toFixed(0)} MiB; the bound is ${BOUND_MIB} MiB`)
    const code = await receiver.stop()
    if (code !== 0) broken.push(`the receiver ended with exit code ${code}: ${receiver.stderr()}`)
    const strangers = bodiesIn(path).filter((body) => !accepted.has(digestOf(body)))
    if (strangers.length > 0)
      broken.push(`${strangers.length} bodies are in the inbox that were not answered 200`)
    broken.push(...damageIn(path))

    const answers = [...counts.keys()].filter((key) => key.startsWith('answer ')).toSorted()
    return {
      figures: [
        ['inputs', inThousands(sent)],
        ['frozen vectors, genuine', `${counted('vector')}, ${counted('genuine')}`],
        ['mutated headers, bodies', `${counted('mutated header')}, ${counted('mutated body')}`],
        ['mutated and then signed', counted('signed mutation')],
        ['drawn headers, bodies (fast-check)', `${counted('drawn header')}, ${counted('drawn body')}`],
        ['answers', answers.map((key) => `${key.slice(7)} × ${counted(key)}`).join(', ')],
        ['5xx, unanswered', `${counted('5xx')}, ${counted('unanswered')}`],
        ['false acceptances, false refusals', `${counted('false acceptance')}, ${counted('false refusal')}`],
        ['other statuses than the contract', counted('other status')],
        [
          'growth of the process',
          `${grown.toFixed(1)} MiB over ${warm.toFixed(0)} MiB (bound ${BOUND_MIB} MiB)`,
        ],
        ['compared with stripe, differences', `${counted('stripe compared')}, ${counted('stripe differs')}`],
        [
          'left out of that',
          `${counted('stripe excluded')} for the contract, ${counted('stripe excluded, no event')} for JSON that is no event`,
        ],
      ],
      broken,
    }
  }),
)

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64')
}

/** An input in one line, cut where it is long. */
function shown({ kind, headers, body }: Made): string {
  const short = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1').slice(0, 300))
  return `${kind}, headers ${headers.map(short).join(' and ')}, body ${short(body)}`
}
