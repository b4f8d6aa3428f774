import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CheckOptions, check } from '../../conformance/check.ts'
import { renderHtml } from '../../conformance/report/html/html.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import type { Behavior } from '../mutants/behavior.ts'
import { MUTANTS } from '../mutants/mutants.ts'
import { settingOf } from '../mutants/proof/grade.ts'
import { startReceiver } from '../mutants/receiver.ts'
import { hostile } from './hostile.ts'

/** The reports under test, each of a real run. */
const NAMES = ['bundled', 'trusting', 'elsewhere', 'created', 'unobserved', 'hostile'] as const
export type ReportName = (typeof NAMES)[number]

/** The files of a report, as page and as data, and the texts that must not be in it. */
export interface MadeReport {
  readonly html: string
  readonly json: string
  /** The signing secret of the run, and the signatures that the receiver disclosed. */
  readonly secrets: readonly string[]
}

export type Reports = Partial<Record<ReportName, MadeReport>>

const SECRET = 'whsec_of_the_browser_c2VjcmV0'

/** Grades the bundled receiver with the built command, and faulty receivers in this process. */
export async function makeReports(folder: string): Promise<Reports> {
  const grade = async (name: ReportName, does: Partial<Behavior>, options: Grading = {}) => {
    const report = await gradeOf(does, options)
    return writeBoth(folder, name, report)
  }
  const { does, disclosed } = hostile()
  return {
    bundled: await bundled(folder),
    // Failures in every section, so that the page is as long as possible, and code that helps.
    trusting: await grade('trusting', mutant('verifies nothing'), { framework: 'express' }),
    // Money failures in one section.
    elsewhere: await grade('elsewhere', mutant('credits partial payments'), {
      only: ['effects', 'transport'],
    }),
    // Nothing is accepted, for one reason; also has warnings, and a profile without effects.
    created: await grade('created', mutant('answers 201'), {
      unobserved: true,
      only: ['transport', 'events'],
    }),
    unobserved: await grade(
      'unobserved',
      {},
      {
        unobserved: true,
        profile: 'full',
        only: ['transport', 'effects'],
      },
    ),
    hostile: {
      ...(await grade('hostile', does, { only: ['refusals', 'time-window'] })),
      secrets: [SECRET, ...disclosed],
    },
  }
}

type Grading = Pick<CheckOptions, 'only' | 'profile' | 'framework'> & { readonly unobserved?: true }

async function gradeOf(
  does: Partial<Behavior>,
  { unobserved, ...options }: Grading,
): Promise<ConformanceReport> {
  const receiver = await startReceiver(SECRET, { behavior: does })
  try {
    return await check({
      url: receiver.url,
      ...(unobserved === true ? {} : { observe: receiver.observe }),
      secret: SECRET,
      seed: 'browser',
      timeoutMs: 5_000,
      waitMs: 700,
      ...options,
    })
  } finally {
    receiver.stop()
  }
}

async function bundled(folder: string): Promise<MadeReport> {
  const made = { html: join(folder, 'bundled.html'), json: join(folder, 'bundled.json') }
  const wanted = ['--report', `html=${made.html}`, '--report', `json=${made.json}`]
  const env = { ...process.env, HOOKPROOF_SECRET: SECRET }
  await promisify(execFile)(process.execPath, ['dist/cli/main.js', 'check', '--bundled', ...wanted], { env })
  return { ...made, secrets: [SECRET] }
}

async function writeBoth(folder: string, name: ReportName, report: ConformanceReport): Promise<MadeReport> {
  const made = { html: join(folder, `${name}.html`), json: join(folder, `${name}.json`), secrets: [SECRET] }
  await writeFile(made.html, renderHtml(report))
  await writeFile(made.json, JSON.stringify(report))
  return made
}

function mutant(name: string): Partial<Behavior> {
  const found = MUTANTS[name]
  if (found === undefined) throw new Error(`no mutant "${name}"`)
  return settingOf(found).behavior ?? {}
}

/** The report behind a page. */
export async function readReport({ json }: MadeReport): Promise<ConformanceReport> {
  return JSON.parse(await readFile(json, 'utf8')) as ConformanceReport
}
