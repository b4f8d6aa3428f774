import { CRASH_CASES } from '../../../conformance/contracts/payment-service/cases/durable.ts'
import { CONTRACT } from '../../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { enteredIn } from '../../../conformance/contracts/payment-service/requirements/versions.ts'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import type { CatalogueCase } from '../../../conformance/contracts/webhook/model.ts'
import { CAUSE_CODES } from '../../../conformance/diagnosis/statement.ts'
import type { Step } from '../../../conformance/engine/plan.ts'
import { contractOf } from '../../../conformance/options.ts'
import { type CauseDescription, describeCause } from '../../../conformance/report/describe-cause.ts'
import { causeUrl } from '../../../conformance/report/package.ts'
import { handlerFor, onceFor } from '../../../conformance/report/scheme-snippets.ts'
import {
  FRAMEWORKS,
  type Framework,
  type Snippet,
  snippetOf,
  type Topic,
  topicsOfCause,
} from '../../../conformance/report/snippets.ts'
import { expectedText } from '../../../conformance/report/words/findings.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { notFound } from '../../shared/find.ts'
import type { Io } from '../../shared/io.ts'
import { namedService, type ServiceOptions } from '../../shared/service.ts'
import { profileOf } from '../cases/cases.ts'

type Requirement = (typeof CONTRACT)[number]

const PROFILES = {
  core: 'core',
  full: 'full: the effects must be observable',
  durable: 'durable: `hookproof crash` kills the receiver and starts it again',
} as const

/** How to explain. */
export interface ExplainOptions extends ServiceOptions {
  /** The receiver's framework, for an example. */
  readonly framework?: Framework
}

/**
 * `hookproof explain`: shows a case, or a cause by its code; without a name, all causes.
 *
 * @throws UsageError for a name that is neither
 */
export async function explain(name: string | undefined, options: ExplainOptions, io: Io): Promise<ExitCode> {
  const contract = await contractOf(await namedService(options, io))
  io.stdout.write(name === undefined ? causesOf(contract) : textOf(name, contract, options))
  return EXIT.ok
}

/** Every cause, each with what a report of this service would say first. */
function causesOf(contract: WebhookContract): string {
  const width = Math.max(...CAUSE_CODES.map(({ length }) => length))
  const causes = CAUSE_CODES.flatMap((code) => {
    const [sentence] = describeCause(code, contract)?.sentences ?? []
    return sentence === undefined ? [] : [`${code.padEnd(width)}  ${sentence}\n`]
  })
  return `${causes.join('')}\nAdd one to the command for its fix, or a case: ${listingOf(contract)}.\n`
}

function textOf(name: string, contract: WebhookContract, { framework }: ExplainOptions): string {
  const cases = [...contract.cases, ...(isPayment(contract) ? CRASH_CASES : [])]
  const testCase = cases.find(({ id }) => id === name)
  if (testCase !== undefined) return aboutCase(testCase, contract)
  const cause = aboutCause(name, framework, contract)
  if (cause !== undefined) return cause
  const names = [...cases.map(({ id }) => id), ...CAUSE_CODES]
  throw notFound(
    'case or cause',
    name,
    names,
    `${listingOf(contract)}, \`hookproof explain${serviceFlag(contract)}\` the causes`,
  )
}

function aboutCase(testCase: CatalogueCase, contract: WebhookContract): string {
  return rows(`${testCase.id}  ${testCase.level}`, [
    ['Requirement', `${testCase.number} ${testCase.spec}`],
    ...sourceOf(testCase),
    ['Profile', PROFILES[profileOf(testCase.needs)]],
    ['Contract', testCase.contract?.name ?? `since version ${enteredIn(testCase)}`],
    ...(testCase.mode === undefined ? [] : ([['Mode', testCase.mode]] satisfies Row[])),
    ...listed('Sends', sends(testCase, contract)),
    ...listed(
      'Expects',
      testCase.expect.map(({ expected }) => expectedText(expected)),
    ),
    ...(testCase.open === undefined ? [] : ([['Note', testCase.open]] satisfies Row[])),
    ['Impact', testCase.impact],
    ['Fix', testCase.fix],
  ])
}

/** What selects the contract in another command. */
const serviceFlag = (contract: WebhookContract) => (isPayment(contract) ? '' : ` --service ${contract.id}`)

/** What lists the cases of a contract. */
const listingOf = (contract: WebhookContract) => `\`hookproof cases${serviceFlag(contract)}\` lists the cases`

/** Why the contract requires it. */
function sourceOf({ contract, number }: CatalogueCase): Row[] {
  if (contract !== undefined) return [['Source', contract.source]]
  const requirement = CONTRACT.find((known) => known.number === number)
  return [['Source', requirement?.source ?? ''], ...prevents(requirement)]
}

/** The harm that a MUST prevents; other levels have none. */
function prevents(requirement: Requirement | undefined): Row[] {
  return requirement !== undefined && 'prevents' in requirement ? [['Prevents', requirement.prevents]] : []
}

const ORDERS: Readonly<Partial<Record<Step['how'], string>>> = {
  together: ' (all at once)',
  'few-at-once': ' (a few at once)',
  'one-connection': ' (on one connection)',
  'separate-connections': ' (each on a new connection)',
}

function sends(testCase: CatalogueCase, { createKit }: WebhookContract): string[] {
  const now = () => Math.floor(Date.now() / 1000)
  const kit = createKit(testCase.id, {
    // Base64 after a prefix, of which every service can make a key.
    secret: `whsec_${Buffer.from('the key of an example').toString('base64')}`,
    seed: 'explain',
    mode: testCase.mode ?? 'test',
    now,
  })
  const lines = testCase.send(kit).flatMap((step) => {
    if (step.how === 'until-acknowledged') return `other payments, ${step.count} in total`
    return step.deliveries.map(({ method, event, change, role }) => {
      const delivery = `${method} ${event ?? 'a body'}${change === undefined ? '' : `, ${change}`}`
      return `${delivery}${role === 'control' ? ' (valid control)' : ''}${ORDERS[step.how] ?? ''}`
    })
  })
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, times]) => (times === 1 ? line : `${line}, ${times} times`))
}

/** A cause by its code: what a report says, the fix, code that helps, and the cases that show it; undefined for another name. */
export function aboutCause(
  code: string,
  framework: Framework | undefined,
  contract: WebhookContract,
): string | undefined {
  const cause = describeCause(code, contract)
  if (cause === undefined) return undefined
  return `${rows(`${cause.code}  cause of failures`, [
    ...listed('Cause', cause.sentences),
    ...listed('Fix', cause.fixes),
    ...listed('Shown by', casesOf(cause, contract)),
    ...hint(cause, framework, contract),
    ['Docs', causeUrl(code, framework)],
  ])}${example(cause, framework, contract)}`
}

/** The cases that show a cause, of those that the contract has. */
function casesOf({ cases }: CauseDescription, contract: WebhookContract): readonly string[] {
  if (isPayment(contract)) return cases
  return cases.filter((id) => contract.cases.some((known) => known.id === id))
}

const isPayment = ({ id }: WebhookContract) => id === 'payment-service'

/** How to get code in the framework of the receiver. */
function hint(cause: CauseDescription, framework: Framework | undefined, contract: WebhookContract): Row[] {
  const topics = topicsOfCause(cause)
  const isInFramework = isPayment(contract)
    ? topics.some((topic) => topic !== 'once')
    : topics.includes('handler')
  const known = isPayment(contract) ? FRAMEWORKS : FRAMEWORKS.filter((name) => handlerFor(contract, name))
  return isInFramework && framework === undefined
    ? [['Example', `add --framework with one of ${known.join(', ')}`]]
    : []
}

function example(
  cause: CauseDescription,
  framework: Framework | undefined,
  contract: WebhookContract,
): string {
  const topics = topicsOfCause(cause)
  const codeFor = (topic: Topic): Snippet | undefined => {
    if (isPayment(contract)) return snippetOf(topic, framework)
    if (topic === 'once') return onceFor(contract)
    // What a body has to contain depends on the event.
    return topic === 'handler' && framework !== undefined
      ? handlerFor(contract, framework, [cause.code])
      : undefined
  }
  const snippets = topics.flatMap((topic) => codeFor(topic) ?? [])
  if (snippets.length > 0 || framework === undefined) return snippets.map(blockOf).join('')
  const { title = framework } = snippetOf('handler', framework) ?? {}
  return topics.includes('handler')
    ? `\nThere is no example for ${contract.title} in ${title} yet.\n`
    : `\nThere is no example in ${title}: the fix is not in the lines that verify a delivery.\n`
}

function blockOf({ title, code }: Snippet): string {
  const lines = code.split('\n').map((line) => (line === '' ? '' : `    ${line.replaceAll('\t', '    ')}`))
  return `\nExample in ${title}\n${lines.join('\n')}\n`
}

/** A labeled text. */
export type Row = readonly [name: string, text: string]

/** Labeled texts below a title, the texts in one column. */
export function rows(title: string, all: readonly Row[]): string {
  return [title, ...all.map(([name, text]) => `  ${name.padEnd(13)}${text}`), ''].join('\n')
}

/** Several texts, with the name on the first line only. */
export function listed(name: string, texts: readonly string[]): Row[] {
  return texts.map((text, index) => [index === 0 ? name : '', text])
}
