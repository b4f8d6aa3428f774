// Measures the sandbox's dashboard with many payments: how fast its pages are, and for how long operations that concern
// many rows block everything else: npm run bench -- console [--payments <number>] [--only <part of a name>]
// It fails if a page takes 100 ms or more, a search 200 ms or more (95th percentile), or a block more than 50 ms. Limits
// are in CPU time, so that other programs do not change the result; the time that an answer took is shown beside.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSandbox } from '../../../sandbox/index.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { blocksOf } from './blocks.ts'
import { ENDPOINT, type Filled, fill } from './fill.ts'
import { OPERATIONS } from './operations.ts'

/** How often each page is requested. */
const TIMES = 20

/** The pages of the dashboard that concern many rows, below that of the organization. */
const pagesOf = ({ payment, event }: Filled): string[] => [
  '',
  ...['', '?sort=highest', '?status=failed', `/${payment}`].map((more) => `/payments${more}`),
  ...['', '?state=failed', '?state=failing', '?state=paused', '?state=delivered', `/${event}`].map(
    (more) => `/events${more}`,
  ),
  ...['', `/${ENDPOINT}`, `/${ENDPOINT}?page=4000`, `/${ENDPOINT}?state=failed`].map(
    (more) => `/endpoints${more}`,
  ),
  '/catalog/payment.completed',
  '/log',
  '/payments?q=SO-49',
  '/payments?q=nothing',
  '/events?q=SO-49',
  '/events?q=nothing',
  '/payments?q=order=nothing',
  '/events?q=order=nothing',
  '/events?q=dlv_nothing',
  `/events?endpoint=${ENDPOINT}`,
]

/** The 95th percentile of the CPU time of a request, so that other programs do not change it. */
async function measurePage(url: string): Promise<{ p95: number; bytes: number }> {
  const times: number[] = []
  let bytes = 0
  for (let time = 0; time < TIMES; time += 1) {
    const before = process.cpuUsage()
    const response = await fetch(url)
    bytes = (await response.text()).length
    const { user, system } = process.cpuUsage(before)
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    times.push((user + system) / 1000)
  }
  return { p95: times.toSorted((a, b) => a - b)[Math.ceil(TIMES * 0.95) - 1] ?? 0, bytes }
}

const { payments, only } = parseArgs({
  options: { payments: { type: 'string', default: '50000' }, only: { type: 'string', default: '' } },
}).values

const LIMIT_MS = { page: 100, search: 200, block: 50 }

await withTemporaryFolder(async (folder) => {
  const file = join(folder, 'sandbox.sqlite')
  // Creates the organizations and their keys.
  await (await createSandbox({ file })).close()
  const filled = await fill(file, Number(payments))
  await pages(file, filled)
  await operations(file, filled)
})

async function pages(file: string, filled: Filled): Promise<void> {
  const chosen = pagesOf(filled).filter((path) => `page ${path}`.includes(only))
  if (chosen.length === 0) return
  const sandbox = await createSandbox({ file })
  try {
    for (const path of chosen) {
      const { p95, bytes } = await measurePage(`${sandbox.url}/dashboard/tea-house${path}`)
      print(
        `page ${path || '/'}`,
        p95,
        `${bytes} bytes`,
        /\?(?:q|endpoint)=/.test(path) ? LIMIT_MS.search : LIMIT_MS.page,
      )
    }
  } finally {
    await sandbox.close()
  }
}

async function operations(file: string, filled: Filled): Promise<void> {
  for (const operation of OPERATIONS.filter(({ name }) => name.includes(only))) {
    const { turnMs, answerMs, tookMs, startMs } = await blocksOf(operation, { file, filled })
    const times = {
      'longest answer meanwhile': answerMs,
      'own answer after': tookMs,
      'start before': startMs,
    }
    const more = Object.entries(times).map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
    print(operation.name, turnMs, more.join(', '), LIMIT_MS.block)
  }
}

function print(name: string, ms: number, more: string, limit: number): void {
  const isSlow = ms >= limit
  if (isSlow) process.exitCode = 1
  process.stdout.write(
    `${name.padEnd(42)}${ms.toFixed(1).padStart(8)} ms  ${more}${isSlow ? '  TOO SLOW' : ''}\n`,
  )
}
