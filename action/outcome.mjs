// The end of the action: from the reports of `hookproof check` to outputs, annotations and the summary of the job.
//   node outcome.mjs <folder of the reports>
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** GitHub shows no more annotations of one kind for each step. */
const MOST_ANNOTATIONS = 10

const [, , folder = 'hookproof-reports'] = process.argv
const json = join(folder, 'hookproof.json')
const html = join(folder, 'hookproof.html')
const summary = join(folder, 'hookproof.md')

if (existsSync(json)) {
  const report = JSON.parse(readFileSync(json, 'utf8'))
  for (const line of annotationsOf(report)) console.log(line)
  setOutputs({ conclusion: report.conclusion, grade: gradeOf(join(folder, 'hookproof.svg')), report: html })
  if (existsSync(summary)) append('GITHUB_STEP_SUMMARY', readFileSync(summary, 'utf8'))
} else {
  // The step before has printed why.
  console.log(`::error title=hookproof::${escapeData('No report: the receiver could not be graded.')}`)
  setOutputs({ conclusion: '', grade: '', report: '' })
}

/** The causes, then one for each failed MUST. Failures that the baseline accepts have none. */
function annotationsOf({ causes = [], verdicts, baseline }) {
  const counts = (id) => baseline === undefined || [...baseline.new, ...baseline.expired].includes(id)
  const failed = verdicts.filter((verdict) => verdict.outcome === 'failed' && counts(verdict.case))
  const all = [
    ...causes
      .filter(({ cases }) => cases.some(counts))
      .map(({ sentence, fix }) => annotation('hookproof: the cause', `${sentence} ${fix}`)),
    ...failed.map((verdict) =>
      annotation(
        `hookproof: ${verdict.case}`,
        [verdict.spec.sentence, verdict.impact, verdict.fix].join(' '),
      ),
    ),
  ]
  return all.slice(0, MOST_ANNOTATIONS)
}

/** A workflow command. What it says may come from the receiver, so it is escaped and cannot end its line. */
function annotation(title, message) {
  return `::error title=${escapeProperty(title)}::${escapeData(message)}`
}

function escapeData(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text) {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** The letter of the badge; every version of hookproof writes it in the badge's title. */
function gradeOf(badge) {
  if (!existsSync(badge)) return ''
  return /hookproof: grade ([A-F][+-]?)/.exec(readFileSync(badge, 'utf8'))?.[1] ?? ''
}

function setOutputs(outputs) {
  for (const [name, value] of Object.entries(outputs)) append('GITHUB_OUTPUT', `${name}=${value}\n`)
}

function append(variable, text) {
  const { [variable]: file } = process.env
  if (file !== undefined && file !== '') appendFileSync(file, text)
}
