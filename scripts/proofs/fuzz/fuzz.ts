// Sends mutated headers and bodies to a running receiver, and compares each response with a second implementation of
// the contract.
// npm run proof -- fuzz [inputs] [--quick] [--seed <text>] [--write]
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { prove } from '../shared/prove.ts'
import { choose, randomFrom } from '../shared/random.ts'
import { openConnection, postOf } from '../shared/raw-connection.ts'
import { start } from '../shared/receiver.ts'
import { integrityProblems, storedBodies } from '../shared/sqlite.ts'
import { createInputs, type GeneratedInput } from './inputs.ts'
import { expectedResponse, type Settings } from './oracle.ts'

/** The secret and the clock of most of the frozen vectors, so that they can be sent unchanged. */
const SETTINGS: Settings = { secret: 'whsec_4b1e9d7a20c35f86', now: 1_767_225_600 }
const CONNECTIONS = 32
/** How much the memory of the process may grow after a tenth of the inputs. */
const LIMIT_MIB = 64

/** Headers that must not matter: the signature covers the bytes. */
const CONTENT_HEADERS: readonly (readonly (readonly [string, string])[])[] = [
  [['Content-Type', 'application/json']],
  [['Content-Type', 'application/json; charset=utf-16']],
  [['Content-Type', 'multipart/form-data; boundary=x']],
  [['Content-Encoding', 'gzip']],
  [],
]

await prove('fuzz', ({ dist, seed, quick, amount }) =>
  withTemporaryFolder(async (folder) => {
    const inputs = amount ?? (quick ? 10_000 : 100_000)
    const random = randomFrom(seed)
    const nextInput = createInputs({ seed, random, ...SETTINGS })
    const path = join(folder, 'inbox.sqlite')
    const receiver = await start({
      dist,
      hook: true,
      env: { INBOX: path, WEBHOOK_SECRET: SETTINGS.secret, PROOF_CLOCK_AT: String(SETTINGS.now * 1000) },
    })

    const violations: string[] = []
    const counts = new Map<string, number>()
    const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
    const counted = (what: string): string => formatCount(counts.get(what) ?? 0)
    const accepted = new Set<string>()
    let sent = 0
    let warmMiB = 0
    let highestMiB = 0

    function judge(input: GeneratedInput, status: number | undefined): void {
      const { statuses, because } = expectedResponse(input, SETTINGS)
      const report = (problem: string): void => {
        count(problem)
        const expected = `${statuses.join(' or ')} (SPEC.md ${because})`
        violations.push(
          `${problem}: expected ${expected}, received ${status ?? 'no response'}: ${describe(input)}`,
        )
      }
      count(`response ${status}`)
      if (status === undefined) report('no response')
      else if (status >= 500) report('5xx')
      else if (status === 200 && !statuses.includes(200)) report('false acceptance')
      else if (status !== 200 && statuses.every((expected) => expected === 200)) report('false refusal')
      else if (!statuses.includes(status)) report('wrong status')
      if (status === 200) accepted.add(digestOf(input.body))
    }

    async function sender(): Promise<void> {
      const connection = openConnection(() => receiver.port)
      while (sent < inputs) {
        sent += 1
        if (sent % 1000 === 0 && sent >= inputs / 10) {
          const resident = receiver.residentMiB()
          warmMiB ||= resident
          highestMiB = Math.max(highestMiB, resident)
        }
        const input = nextInput()
        count(input.kind)
        const signatures = input.headers.map((value) => ['X-Service-Signature', value] as const)
        const { status } = await connection.send(
          postOf(input.body, [...choose(random, CONTENT_HEADERS), ...signatures]),
        )
        judge(input, status)
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, sender))

    const growthMiB = highestMiB - warmMiB
    if (growthMiB > LIMIT_MIB)
      violations.push(`memory grew by ${growthMiB.toFixed(0)} MiB; the limit is ${LIMIT_MIB} MiB`)
    const code = await receiver.stop()
    if (code !== 0) violations.push(`the receiver exited with code ${code}: ${receiver.stderr()}`)
    const unacknowledged = storedBodies(path).filter((body) => !accepted.has(digestOf(body)))
    if (unacknowledged.length > 0)
      violations.push(`the inbox contains ${unacknowledged.length} bodies that were not answered with 200`)
    violations.push(...integrityProblems(path))

    const prefix = 'response '
    const responses = [...counts.keys()].filter((key) => key.startsWith(prefix)).toSorted()
    return {
      figures: [
        ['inputs', formatCount(sent)],
        ['frozen vectors, valid deliveries', `${counted('vector')}, ${counted('valid')}`],
        ['mutated headers, bodies', `${counted('mutated header')}, ${counted('mutated body')}`],
        ['mutated, then signed', counted('signed mutation')],
        ['random headers, bodies (fast-check)', `${counted('random header')}, ${counted('random body')}`],
        ['responses', responses.map((key) => `${key.slice(prefix.length)} × ${counted(key)}`).join(', ')],
        ['5xx, no response', `${counted('5xx')}, ${counted('no response')}`],
        ['false acceptances, false refusals', `${counted('false acceptance')}, ${counted('false refusal')}`],
        ['other violations of the contract', counted('wrong status')],
        [
          'memory growth',
          `${growthMiB.toFixed(1)} MiB above ${warmMiB.toFixed(0)} MiB (limit ${LIMIT_MIB} MiB)`,
        ],
      ],
      violations,
    }
  }),
)

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64')
}

/** An input in one line, shortened. */
function describe({ kind, headers, body }: GeneratedInput): string {
  const short = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1').slice(0, 300))
  return `${kind}, headers ${headers.map(short).join(' and ')}, body ${short(body)}`
}
