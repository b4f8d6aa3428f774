import { mkdir, writeFile } from 'node:fs/promises'
import { check, renderHtml, renderTerminal } from '../../conformance/index.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { settingOf } from '../../test/mutants/proof/grade.ts'
import { startReceiver } from '../../test/mutants/receiver.ts'

const SECRET = 'whsec_c2FtcGxlIHNlY3JldCBvZiB0aGUgc2l0ZQ'
/** The page must not depend on how busy the machine is that builds the site. */
const PATIENT = { timeoutMs: 120_000, ackWithinMs: 60_000 }
/** The commonest mistake of all. */
const MISTAKE = 're-serializes the body'

/**
 * Grades a receiver with one mistake, and writes its report as a page.
 *
 * @param folder of the files that the site serves as they are
 * @returns the beginning of the report on a terminal, each entry in one line: the conclusion and the first cause
 */
export async function writeSampleReport(folder: string): Promise<string> {
  const mutant = MUTANTS[MISTAKE]
  if (mutant === undefined) throw new Error(`no mutant ${MISTAKE}`)
  const receiver = await startReceiver(SECRET, settingOf(mutant))
  try {
    const report = await check({ url: receiver.url, secret: SECRET, seed: 'site', ...PATIENT })
    // The port is another one in every run.
    const shown = JSON.parse(
      JSON.stringify(report).replaceAll(new URL(receiver.url).host, 'localhost:3000'),
    ) as typeof report
    await mkdir(folder, { recursive: true })
    await writeFile(`${folder}/sample-report.html`, renderHtml(shown))
    return beginningOf(renderTerminal(shown, { short: true }))
  } finally {
    receiver.stop()
  }
}

/** @throws Error if the report has another shape */
function beginningOf(report: string): string {
  const [conclusion = '', cause = ''] = report.split('\n\n')
  const [card] = cause.split(/\n *Reproduce /)
  if (!conclusion.startsWith('Not conformant') || card === undefined || !/^ *Received /m.test(card))
    throw new Error(`the sample report begins otherwise:\n${report}`)
  return `${conclusion.split('\nhookproof ')[0]}\n\n${card}\n`
}
