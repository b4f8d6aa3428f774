import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ConformanceReport } from '../../conformance/index.ts'
import type { TerminalOptions } from '../../conformance/report/terminal/terminal.ts'
import { UsageError } from './exit.ts'
import { type Io, pathOf, usesColor, widthOf } from './io.ts'
import { inProject } from './runner.ts'
import { reasonOf } from './text.ts'

type Render = (report: ConformanceReport, options: TerminalOptions) => string | Promise<string>

const RENDERERS = {
  terminal: async (): Promise<Render> =>
    (await import('../../conformance/report/terminal/terminal.ts')).renderTerminal,
  json: async (): Promise<Render> => (await import('../../conformance/report/json.ts')).renderJson,
  junit: async (): Promise<Render> => (await import('../../conformance/report/junit.ts')).renderJunit,
  markdown: async (): Promise<Render> =>
    (await import('../../conformance/report/markdown.ts')).renderMarkdown,
  html: async (): Promise<Render> => (await import('../../conformance/report/html/html.ts')).renderHtml,
  badge: async (): Promise<Render> => (await import('../../conformance/report/badge.ts')).renderBadge,
}

/** A report to write: to a file, or to standard output. */
export interface ReportRequest {
  readonly format: keyof typeof RENDERERS
  readonly file: string | undefined
}

/**
 * Parses `--report` and makes sure before the run that every file can be written, so that no result is lost.
 *
 * @throws UsageError that names the report and how to fix it
 */
export async function prepareReports(
  io: Io,
  requests: readonly string[] = ['terminal'],
): Promise<ReportRequest[]> {
  const parsed = requests.map(parse)
  if (parsed.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError(
      'only one report can go to standard output: write the others to files, for example --report json=report.json',
    )
  }
  const files = parsed.flatMap(({ file }) => file ?? [])
  const paths = files.map((file) => pathOf(io, file))
  const duplicate = files.find((_, index) => paths.indexOf(paths[index] ?? '') !== index)
  if (duplicate !== undefined) {
    throw new UsageError(`two reports would be written to ${duplicate}: use a separate file for each`)
  }
  for (const file of files) await requireWritable(file, pathOf(io, file))
  return parsed
}

/** Loads what renders the reports: a good use of a time in which the run waits for the receiver. */
export async function loadRenderers(requests: readonly ReportRequest[]): Promise<void> {
  await Promise.all(requests.map(({ format }) => RENDERERS[format]()))
}

/**
 * Writes the reports; on the screen, the terminal report is short unless `verbose`. A report whose file cannot be written goes to standard output, so that nothing is lost.
 *
 * @returns false when a file could not be written
 */
export async function writeReports(
  report: ConformanceReport,
  requests: readonly ReportRequest[],
  io: Io,
  { verbose = false } = {},
): Promise<boolean> {
  let complete = true
  const written: string[] = []
  for (const { format, file } of requests) {
    const onScreen = file === undefined
    const render = await RENDERERS[format]()
    const rendered = await render(report, {
      color: onScreen && usesColor(io),
      short: onScreen && !verbose,
      columns: onScreen ? widthOf(io) : undefined,
    })
    // A saved report may be rendered in another project.
    const text = format === 'json' ? rendered : inProject(rendered, io)
    if (file === undefined) {
      io.stdout.write(text)
      continue
    }
    try {
      await writeFile(pathOf(io, file), text)
      written.push(file)
    } catch (error) {
      complete = false
      io.stderr.write(
        `hookproof: cannot write the report ${file}: ${reasonOf(error)}; printing it to standard output instead\n`,
      )
      io.stdout.write(text)
    }
  }
  // The progress of a run vanishes from a terminal, which would then show nothing.
  if (io.stderr.isTTY === true && written.length === requests.length) {
    const { titleOf } = await import('../../conformance/report/conclusion.ts')
    io.stderr.write(`hookproof: ${titleOf(report)}; written to ${written.join(', ')}\n`)
  }
  return complete
}

function parse(request: string): ReportRequest {
  const [, format = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(request) ?? []
  if (!isFormat(format)) {
    throw new UsageError(
      `unknown report format "${format}": the formats are ${Object.keys(RENDERERS).join(', ')}`,
    )
  }
  if (file === '') throw new UsageError(`--report ${format}= needs a file: write --report ${format}=path`)
  return { format, file }
}

function isFormat(format: string): format is ReportRequest['format'] {
  return Object.hasOwn(RENDERERS, format)
}

async function requireWritable(file: string, path: string): Promise<void> {
  try {
    await makeDirectory(dirname(path))
    await access(dirname(path), constants.W_OK)
    const existing = await stat(path).catch(() => undefined)
    if (existing?.isDirectory() === true) throw Object.assign(new Error(), { code: 'EISDIR' })
    if (existing !== undefined) await access(path, constants.W_OK)
  } catch (error) {
    throw new UsageError(`cannot write the report ${file}: ${reasonOf(error)}; pass another path`)
  }
}

/** Makes a directory and its parents. Node.js's own `recursive` never returns in some places, for example /proc. */
async function makeDirectory(path: string): Promise<void> {
  const existing = await stat(path).catch(() => undefined)
  if (existing?.isDirectory() === true) return
  if (existing !== undefined) throw Object.assign(new Error(), { code: 'ENOTDIR' })
  await makeDirectory(dirname(path))
  await mkdir(path)
}
