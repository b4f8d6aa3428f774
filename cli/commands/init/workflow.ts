import { shellQuoted } from '../../../fixtures/shell.ts'
import { CONFIG_FILE } from '../../shared/config.ts'
import { SECRET_ENV } from '../../shared/secret.ts'
import { filled } from '../../shared/template.ts'
import { uses } from './actions.ts'
import type { Project } from './project.ts'

/** Where GitHub expects the workflow. */
export const WORKFLOW_FILE = '.github/workflows/hookproof.yml'

/** What a workflow does for one project. */
interface WorkflowOptions extends Partial<Project> {
  /** The port at which the receiver listens. */
  readonly port?: number
}

/**
 * The workflow that starts a receiver in CI and grades it with action.yml; docs/examples has the same text.
 *
 * @param version of hookproof: the release of the action, which installs the same
 * @param options what the project needs, and the port of the receiver
 */
export function githubWorkflow(
  version: string,
  { steps = ['- run: npm ci'], start = 'npm start', port = 3000 }: WorkflowOptions = {},
): string {
  const indented = (items: readonly string[]) =>
    items.flatMap((item) => item.split('\n')).map((line) => `      ${line}`)
  const setup = indented([
    uses('actions/checkout', 'persist-credentials: false'),
    uses('actions/setup-node', 'node-version: 22'),
  ])
  const prepared = indented(steps)
  const own = { version, start, port, setup, prepared, configFile: CONFIG_FILE, secretEnv: SECRET_ENV }
  return filled(new URL('workflow.yml.eta', import.meta.url), own)
}

/** What the workflow assumes about the project, what is missing, and what to change. */
export function guessText({ sign, start, missing }: Project, port: number): string {
  const guess =
    sign === undefined
      ? ''
      : `Guessed from the files here (${sign}): \`${start}\` starts the receiver, which listens at $PORT (PORT=${port}).\n`
  const change = `If that is wrong, edit ${WORKFLOW_FILE}, or run npx hookproof init --force --start "<command>".\n`
  return `\n${guess}${missing === undefined ? '' : `${missing}\n`}${sign === undefined ? '' : change}`
}

/** What to do with the files that were written. */
export function nextSteps({
  start,
  ...options
}: {
  /** The command that starts the receiver, if it is known. */
  readonly start: string | undefined
  /** The URL of the effects, if it is in the config. */
  readonly observe: string | undefined
  readonly observeExample: string
  /** The file of known failures, if it is in the config. */
  readonly baseline: string | undefined
  readonly hasWorkflow: boolean
  /** Whether effects are graded too. */
  readonly isObservable: boolean
  /** Only receivers of the payment service are killed and started again. */
  readonly isPayment: boolean
}): string {
  const command = start === undefined ? '"<command that starts it>"' : shellQuoted([start])
  return filled(new URL('next-steps.txt.eta', import.meta.url), {
    ...options,
    command,
    secretEnv: SECRET_ENV,
  })
}
