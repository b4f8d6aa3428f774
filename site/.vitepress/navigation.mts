import type { DefaultTheme } from 'vitepress'

/** The bar at the top of every page. */
export const NAV: DefaultTheme.NavItem[] = [
  {
    text: 'Guide',
    link: '/guide',
    activeMatch: '^/(?:guide|causes|docs/(?!cases|examples|libraries|sandbox|listen|crash))',
  },
  { text: 'Handlers', link: '/handlers/', activeMatch: '^/(?:handlers|services)/' },
  { text: 'Sandbox', link: '/docs/sandbox', activeMatch: '^/docs/(?:sandbox|listen)' },
  { text: 'Crash test', link: '/docs/crash' },
  { text: 'Debugger', link: '/debugger' },
  { text: 'Contract', link: '/spec', activeMatch: '^/(?:spec|cases|requirements|docs/cases)' },
  { text: 'Results', link: '/matrix', activeMatch: '^/(?:matrix|docs/(?:examples|libraries))' },
]

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link })

/** The list at the side of every page. */
export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start',
    items: [
      page('First steps', '/guide'),
      page('Grade a receiver', '/docs/check'),
      page('Copy a handler', '/handlers/'),
      page('Stripe, GitHub and others', '/docs/services'),
      page('Signature debugger', '/debugger'),
      page('Troubleshooting and causes', '/docs/troubleshooting'),
    ],
  },
  {
    text: 'Contract',
    items: [
      page('Requirements', '/spec'),
      page('Cases', '/docs/cases'),
      page('Interface of the service', '/docs/interface'),
      page('Why a MUST is a MUST', '/docs/decisions/0001-levels'),
      page('Absence of effects', '/docs/decisions/0002-absence-of-effects'),
      page('Deduplication key', '/docs/decisions/0003-deduplication-key'),
      page('400 and 401', '/docs/decisions/0004-400-and-401'),
      page('Group commit', '/docs/decisions/0005-group-commit'),
      page('Two packages', '/docs/decisions/0006-two-packages'),
      page('SHOULD and MUST', '/docs/decisions/0007-should-and-must'),
    ],
  },
  {
    text: 'Test',
    items: [
      page('Your own test runner', '/docs/testing'),
      page('Crash test', '/docs/crash'),
      page('Load test', '/docs/load'),
      page('Sandbox', '/docs/sandbox'),
      page('Forward, save and replay', '/docs/listen'),
    ],
  },
  {
    text: 'Receive',
    items: [
      page('The package', '/receiver'),
      page('Frameworks and runtimes', '/docs/frameworks'),
      page('Inbox', '/docs/inbox'),
      page('Error codes', '/docs/codes'),
      page('Operations', '/docs/operations'),
    ],
  },
  {
    text: 'Results',
    items: [
      page('Matrix', '/matrix'),
      page('Examples', '/docs/examples'),
      page('Libraries', '/docs/libraries'),
      page('Why trust a verdict?', '/docs/check#what-it-proves'),
      page('Kill matrix', '/docs/kill-matrix'),
      page('Proofs', '/docs/proofs'),
      page('Performance', '/docs/performance'),
    ],
  },
  {
    text: 'Project',
    items: [
      page('API reference', '/api/'),
      page('Security', '/security'),
      page('Contributing', 'https://github.com/hookproof/hookproof/blob/main/CONTRIBUTING.md'),
      page('Changelog', '/changelog'),
    ],
  },
]

/** The addresses in the sidebar. */
export const LISTED: ReadonlySet<string> = new Set(
  SIDEBAR.flatMap(({ items = [] }) => items.flatMap(({ link }) => link ?? [])),
)
