import { shellQuoted } from '../../../fixtures/shell.ts'
import { SECRET_ENV } from '../../shared/secret.ts'
import type { Project } from './model.ts'
import { WORKFLOW_FILE } from './workflow.ts'

/** What the workflow assumes about the project, what is missing, and what to change. */
export function guessText({ sign, start, missing }: Project, port: number): string {
  const guess =
    sign === undefined
      ? ''
      : `Guessed from the files here (${sign}): \`${start}\` starts the receiver, which listens at $PORT (PORT=${port}).\n`
  const change = `If that is wrong, edit ${WORKFLOW_FILE}, or run hookproof init --force --start "<command>".\n`
  return `\n${guess}${missing === undefined ? '' : `${missing}\n`}${sign === undefined ? '' : change}`
}

/** What to do with the files that were written. */
export function nextSteps({
  start,
  observe,
  observeExample,
  hasWorkflow,
}: {
  /** The command that starts the receiver, if it is known. */
  readonly start: string | undefined
  /** The URL of the effects, if it is in the config. */
  readonly observe: string | undefined
  readonly observeExample: string
  readonly hasWorkflow: boolean
}): string {
  const effects =
    observe === undefined
      ? `
This grades the responses only (profile core). Add --observe to grade what the receiver does with a payment too: fulfilled
once, reversed after a refund. For that the receiver shows its effects (docs/check.md, "Check side effects"):
  npx hookproof check --observe ${observeExample}
`
      : ''
  const command = start === undefined ? '"<command that starts it>"' : shellQuoted([start])
  const crash = `
To see what a crash loses, stop the receiver and let hookproof start it:
  npx hookproof crash --start ${command}${observe === undefined ? ` --observe ${observeExample}` : ''}
`
  const workflow = `
In CI: add the repository secret ${SECRET_ENV}.
`
  return `
Next steps, with your receiver running:
  export ${SECRET_ENV}=whsec_...     # its signing secret
  npx hookproof check
${effects}${crash}${hasWorkflow ? workflow : ''}`
}
