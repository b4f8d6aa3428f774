import type { Response } from 'express'
import type { Context } from '../../context.ts'
import { dashboardPath, HELPERS, relativeTimes, sendPage } from '../../pages/index.ts'
import { flashMessage } from './flash-message.ts'
import { scopeOf } from './organization-scope.ts'

/** One screen of the dashboard. */
export interface Screen {
  /** Path of the template in the folder `dashboard`, without the extension: `keys/keys`. */
  readonly template: string
  readonly title: string
  /** The navigation entry to highlight: its path below the base. */
  readonly entry: (typeof ENTRIES)[number]['path']
  readonly data: object
  readonly status?: number
}

const ENTRIES = [
  { path: '', text: 'Start', key: 's' },
  { path: '/payments', text: 'Payments', key: 'p' },
  { path: '/events', text: 'Events', key: 'e' },
  { path: '/endpoints', text: 'Endpoints', key: 'w' },
  { path: '/catalog', text: 'Catalog', key: 'c' },
  { path: '/keys', text: 'API keys', key: 'k' },
  { path: '/log', text: 'API log', key: 'l' },
] as const

/** Returns the function that renders screens with the bar, the navigation and the flash message. */
export function screens({ store, clock }: Pick<Context, 'store' | 'clock'>) {
  return (response: Response, { template, title, entry, data, status = 200 }: Screen): void => {
    const scope = scopeOf(response)
    const { organization, base } = scope
    const others = store.organizations.list().filter(({ id }) => id !== organization.id)
    const now = clock.now()
    const aheadMs = toMinute(clock.offset())
    const ahead = aheadMs === 0 ? undefined : `${HELPERS.durationInWords(aheadMs)} ahead`
    sendPage(response, {
      template: `/dashboard/${template}`,
      status,
      data: {
        title: `${title} · ${organization.name} · hookproof sandbox`,
        heading: title,
        bar: { kind: 'sandbox', text: 'No money moves.', more: ahead && `Clock is ${ahead}.` },
        home: {
          href: base,
          text: organization.name,
          others: others.map((other) => ({ href: dashboardPath(other), text: other.name })),
        },
        nav: ENTRIES.map(({ path, ...more }) => ({ href: base + path, current: path === entry, ...more })),
        styles: ['dashboard.css', 'lists.css', 'data.css', 'charts.css'],
        scripts: ['live.js', 'copy.js', 'times.js', 'keys.js', 'select.js', 'place.js'],
        wide: true,
        now,
        time: relativeTimes(now),
        ahead,
        flash: flashMessage(response.req.query),
        scope,
        ...data,
      },
    })
  }
}

/** Advancing the clock takes a few milliseconds, which would otherwise show. */
const toMinute = (ms: number): number => Math.round(ms / 60_000) * 60_000

export type Show = ReturnType<typeof screens>
