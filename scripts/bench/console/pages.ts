import { ENDPOINT, type Filled } from './fill.ts'

/** How often each page is requested. */
const TIMES = 20

/** A page whose time is limited. */
export interface Page {
  readonly kind: 'page' | 'search'
  /** Below the dashboard of the organization. */
  readonly path: string
}

/** The pages of the dashboard that concern many rows. */
export const pagesOf = ({ payment, event }: Filled): Page[] => [
  { kind: 'page', path: '' },
  { kind: 'page', path: '/payments' },
  { kind: 'page', path: '/payments?sort=highest' },
  { kind: 'page', path: '/payments?status=failed' },
  { kind: 'page', path: `/payments/${payment}` },
  { kind: 'page', path: '/events' },
  { kind: 'page', path: '/events?state=failed' },
  { kind: 'page', path: '/events?state=failing' },
  { kind: 'page', path: '/events?state=paused' },
  { kind: 'page', path: '/events?state=delivered' },
  { kind: 'page', path: `/events/${event}` },
  { kind: 'page', path: '/endpoints' },
  { kind: 'page', path: `/endpoints/${ENDPOINT}` },
  { kind: 'page', path: `/endpoints/${ENDPOINT}?page=4000` },
  { kind: 'page', path: `/endpoints/${ENDPOINT}?state=failed` },
  { kind: 'page', path: '/catalog/payment.completed' },
  { kind: 'page', path: '/log' },
  { kind: 'search', path: '/payments?q=SO-49' },
  { kind: 'search', path: '/payments?q=nothing' },
  { kind: 'search', path: '/events?q=SO-49' },
  { kind: 'search', path: '/events?q=nothing' },
  { kind: 'search', path: '/payments?q=order=nothing' },
  { kind: 'search', path: '/events?q=order=nothing' },
  { kind: 'search', path: '/events?q=dlv_nothing' },
  { kind: 'search', path: `/events?endpoint=${ENDPOINT}` },
]

/** The 95th percentile of the CPU time of a request, so that other programs do not change it. */
export async function measurePage(url: string): Promise<{ p95: number; bytes: number }> {
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
