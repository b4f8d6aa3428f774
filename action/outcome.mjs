// The end of the action: from the reports of `hookproof check` to outputs, annotations and the summary of the job.
//   node outcome.mjs <folder of the reports>
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join, normalize } from 'node:path'

/** GitHub shows no more annotations of one kind for each step. */
const MOST_ANNOTATIONS = 10

/** Where a handler may be, and how much is searched. */
const SOURCE = /\.(?:[cm]?[jt]sx?|py|rb|php|go|java|kt|cs|rs|exs?|scala)$/
const TEST = /(?:^|\/)(?:tests?|specs?|__tests__|fixtures|node_modules|vendor)\/|[._-](?:test|spec)\./i
const MOST_FILES = 5_000
const MOST_BYTES = 512 * 1024

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

/** The causes, then one for each failed MUST, at the handler if it is found. Failures that the baseline accepts have none. */
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
  if (all.length === 0) return []
  const place = placeOf(handlerOf(verdicts))
  // What it says may come from the receiver, so it is escaped and cannot end its line.
  return all.slice(0, MOST_ANNOTATIONS).map(({ title, message }) => {
    return `::error ${place}title=${escapeProperty(title)}::${escapeData(message)}`
  })
}

function annotation(title, message) {
  return { title, message }
}

function placeOf(handler) {
  return handler === undefined ? '' : `file=${escapeProperty(handler.file)},line=${handler.line},`
}

/** Where the handler is: in the only source file that names the signature header, or that of the command that starts the receiver. */
function handlerOf(verdicts) {
  const headers = verdicts.flatMap(({ exchanges = [] }) =>
    exchanges.flatMap(({ delivery }) => delivery.headers.map(([name]) => name)),
  )
  const signature = headers.find((name) => /signature|hmac/i.test(name))
  const files = sourceFiles()
  const started = (startCommand().match(/[^\s"'`;&|=]+/g) ?? []).map((word) => normalize(word))
  const named = signature && new RegExp(signature.replaceAll(/\W/g, '[-_]'), 'i')
  const found = files.flatMap((file) => {
    const line = named === undefined ? -1 : linesOf(file).findIndex((text) => named.test(text))
    return line === -1 ? [] : [{ file, line: line + 1 }]
  })
  const own = found.find(({ file }) => started.includes(normalize(file)))
  if (own !== undefined || found.length > 0) return own ?? (found.length === 1 ? found[0] : undefined)
  const file = files.find((one) => started.includes(normalize(one)))
  return file && { file, line: 1 }
}

/** The source files of the repository; none outside of one. */
function sourceFiles() {
  try {
    const options = { encoding: 'utf8', timeout: 10_000, maxBuffer: 16 * 1024 * 1024, stdio: 'pipe' }
    const all = execFileSync('git', ['ls-files', '-z'], options).split('\0')
    return all.filter((file) => SOURCE.test(file) && !TEST.test(file)).slice(0, MOST_FILES)
  } catch {
    return []
  }
}

function linesOf(file) {
  try {
    const about = statSync(file)
    return about.isFile() && about.size <= MOST_BYTES ? readFileSync(file, 'utf8').split('\n') : []
  } catch {
    return []
  }
}

/** The command of the input, or that of the config file. */
function startCommand() {
  const { START, CONFIG } = process.env
  if (START) return START
  try {
    const { start } = JSON.parse(readFileSync(CONFIG || 'hookproof.config.json', 'utf8'))
    return String(start ?? '')
  } catch {
    return ''
  }
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
