import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ConformanceReport } from '../../conformance/index.ts'
import type { TerminalOptions } from '../../conformance/report/terminal.ts'
import { UsageError } from './exit.ts'
import { reasonOf } from './options.ts'

const RENDERERS = {
  terminal: async (report: ConformanceReport, options: TerminalOptions) =>
    (await import('../../conformance/report/terminal.ts')).renderTerminal(report, options),
  json: async (report: ConformanceReport) =>
    (await import('../../conformance/report/json.ts')).renderJson(report),
  junit: async (report: ConformanceReport) =>
    (await import('../../conformance/report/junit.ts')).renderJunit(report),
  markdown: async (report: ConformanceReport) =>
    (await import('../../conformance/report/markdown.ts')).renderMarkdown(report),
  html: async (report: ConformanceReport) =>
    (await import('../../conformance/report/html/html.ts')).renderHtml(report),
  badge: async (report: ConformanceReport) =>
    (await import('../../conformance/report/badge.ts')).renderBadge(report),
}

/** A report to be written: to a file, or to standard output. */
export interface ReportRequest {
  readonly format: keyof typeof RENDERERS
  readonly file: string | undefined
}

/**
 * Reads `--report` and makes sure, before the run, that every file can be written: a run whose result is lost is worse
 * than none.
 *
 * @throws UsageError that names the report and the mend.
 */
export async function prepareReports(requests: readonly string[] = ['terminal']): Promise<ReportRequest[]> {
  const parsed = requests.map(parse)
  if (parsed.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError(
      'two reports would go to standard output: give one of them a file, as in --report json=report.json',
    )
  }
  const files = parsed.flatMap(({ file }) => file ?? [])
  const twice = files.find((file, index) =>
    files.some((other, at) => at > index && resolve(other) === resolve(file)),
  )
  if (twice !== undefined) {
    throw new UsageError(`two reports would go to ${twice}: give each a file of its own`)
  }
  for (const file of files) await ensureWritable(file)
  return parsed
}

/**
 * Writes the reports. One that can not be written in the end is printed in full, so that nothing is lost.
 *
 * @returns false when a file could not be written.
 */
export async function writeReports(
  report: ConformanceReport,
  requests: readonly ReportRequest[],
): Promise<boolean> {
  let whole = true
  for (const { format, file } of requests) {
    const color = file === undefined && process.stdout.isTTY && process.env['NO_COLOR'] === undefined
    const text = await RENDERERS[format](report, { color })
    if (file === undefined) {
      process.stdout.write(text)
      continue
    }
    try {
      await writeFile(file, text)
    } catch (error) {
      whole = false
      process.stderr.write(
        `hookproof: can not write the report ${file}: ${reasonOf(error)}; here it is instead\n`,
      )
      process.stdout.write(text)
    }
  }
  return whole
}

function parse(request: string): ReportRequest {
  const [, format = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(request) ?? []
  if (!isFormat(format)) {
    throw new UsageError(`unknown report format "${format}": there are ${Object.keys(RENDERERS).join(', ')}`)
  }
  if (file === '') throw new UsageError(`--report ${format}= names no file: write --report ${format}=path`)
  return { format, file }
}

function isFormat(format: string): format is ReportRequest['format'] {
  return Object.hasOwn(RENDERERS, format)
}

async function ensureWritable(file: string): Promise<void> {
  try {
    await makeFolder(dirname(resolve(file)))
    await access(dirname(file), constants.W_OK)
    const present = await stat(file).catch(() => undefined)
    if (present?.isDirectory() === true) throw Object.assign(new Error(), { code: 'EISDIR' })
    if (present !== undefined) await access(file, constants.W_OK)
  } catch (error) {
    throw new UsageError(`can not write the report ${file}: ${reasonOf(error)}; give another path`)
  }
}

/** Makes a folder and those above it. Node's own `recursive` does not return in some places, /proc among them. */
async function makeFolder(path: string): Promise<void> {
  const present = await stat(path).catch(() => undefined)
  if (present?.isDirectory() === true) return
  if (present !== undefined) throw Object.assign(new Error(), { code: 'ENOTDIR' })
  await makeFolder(dirname(path))
  await mkdir(path)
}
