import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'
import { makeReports, type Reports } from './reports.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the browser, or null without one. */
    chromium: string | null
    reports: Reports
  }
}

const MISSING =
  "Chromium is not on PATH: install Debian's package `chromium`; the HTML report was not tested in a browser"

/** Finds the browser, and creates the reports once for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = await findChromium()
  if (chromium === undefined && process.env['CI']) throw new Error(MISSING)
  if (chromium === undefined) process.stderr.write(`${MISSING}\n`)
  const folder = await mkdtemp(join(tmpdir(), 'hookproof-browser-'))
  project.provide('chromium', chromium ?? null)
  project.provide('reports', chromium === undefined ? {} : await makeReports(folder))
  return () => rm(folder, { recursive: true, force: true })
}
