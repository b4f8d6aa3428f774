import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import GithubSlugger from 'github-slugger'
import { defineConfig } from 'vitepress'
import { caseLinks, charts, completed, githubMarkdown, highlightOnce, repositoryLinks } from './markdown.mts'
import { LISTED, NAV, SIDEBAR } from './navigation.mts'
import { pageOf, pathOf } from './pages.mts'
import { searchable } from './search.mts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { homepage, description, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  homepage: string
  description: string
  version: string
}
/** Pages of long tables, which get the width of the outline. */
const WIDE: ReadonlySet<string> = new Set(['docs/cases.md', 'docs/kill-matrix.md'])
const FAVICON = `data:image/svg+xml,${encodeURIComponent(readFileSync(`${root}sandbox/pages/static/favicon.svg`, 'utf8'))}`
/** Without scripts there is nothing to choose: all code is shown. */
const NO_SCRIPT = `<style>.frameworks > .list { display: none } .frameworks > section, .frameworks > section > h3 { display: block !important }</style>`
const REPOSITORY = 'https://github.com/hookproof/hookproof'

export default defineConfig({
  title: 'hookproof',
  description,
  lang: 'en-US',
  base: new URL(homepage).pathname,
  srcDir: root,
  srcExclude: [
    '{cli,conformance,examples,fixtures,load,reports,runners,sandbox,schemas,scripts,server,test}/**',
    '{dist,receiver/dist,coverage}/**',
    '**/.venv/**',
    'site/node_modules/**',
    '.github/**',
    // Parts that pages include.
    'site/pages/_*.md',
    // About the repository, not about its packages.
    'CONTRIBUTING.md',
  ],
  rewrites: (file) => pathOf(file) ?? file,
  cleanUrls: true,
  transformHtml: (html) => completed(html),
  transformPageData: ({ relativePath, frontmatter }) => ({
    frontmatter: {
      ...frontmatter,
      ...(WIDE.has(relativePath) && { aside: false, pageClass: 'wide' }),
      // The neighbors of a page that the sidebar does not list would be the first one of the sidebar.
      ...(!LISTED.has(`/${relativePath.replace(/(?:index)?\.md$/, '')}`) && { prev: false, next: false }),
    },
  }),
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: FAVICON }],
    ['noscript', {}, NO_SCRIPT],
  ],
  lastUpdated: false,
  metaChunk: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: (text) => new GithubSlugger().slug(text) },
    config: (markdown) => {
      githubMarkdown(markdown, root)
      repositoryLinks(markdown, { root, files: `${REPOSITORY}/blob/main`, homepage, pageOf })
      caseLinks(markdown, `${root}site/pages`)
      charts(markdown)
      highlightOnce(markdown)
    },
  },
  themeConfig: {
    nav: NAV,
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (source, env, markdown) => markdown.render(searchable(source, env.relativePath), env),
        // With less, 401 also finds 400, 403 and 201.
        miniSearch: { searchOptions: { fuzzy: 0.15 } },
      },
    },
    notFound: {
      title: 'Page not found',
      quote: 'Nothing is at this address. The search at the top covers every page.',
      linkText: 'Open the guide',
      linkLabel: 'Open the guide',
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    footer: { message: `hookproof ${version}, MIT license` },
  },
  vite: {
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    // Pages are used as a whole: looking for what is unused in them takes a third of the build.
    plugins: [
      {
        name: 'entire-pages',
        enforce: 'post',
        transform: (code, id) =>
          id.endsWith('.md') ? { code, map: null, moduleSideEffects: 'no-treeshake' } : undefined,
      },
    ],
  },
})
