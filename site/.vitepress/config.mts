import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import GithubSlugger from 'github-slugger'
import { defineConfig } from 'vitepress'
import { charts } from './charts/index.mts'
import { repositoryLinks } from './links.mts'
import { NAV, SIDEBAR } from './navigation.mts'
import { pageOf, pathOf } from './pages.mts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { homepage, description, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  homepage: string
  description: string
  version: string
}
const REPOSITORY = 'https://github.com/hookproof/hookproof'

function withoutSamples(source: string, { relativePath }: { relativePath: string }): string {
  return relativePath.includes('pages/cases/') ? source.replace(/^````http\n[^]*?^````$/gm, '') : source
}

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
  ],
  rewrites: (file) => pathOf(file) ?? file,
  cleanUrls: true,
  // VitePress gives the landing page no main landmark; the theme adds it after a change of the page.
  transformHtml: (html, id) =>
    id.endsWith('/index.html') && html.includes('VPContent is-home')
      ? html.replace('id="VPContent"', 'id="VPContent" role="main"')
      : html,
  lastUpdated: false,
  metaChunk: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: (text) => new GithubSlugger().slug(text) },
    config: (markdown) => {
      repositoryLinks(markdown, { root, files: `${REPOSITORY}/blob/main`, pageOf })
      charts(markdown)
    },
  },
  themeConfig: {
    nav: NAV,
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: {
      provider: 'local',
      // Nobody searches for the bytes of a sample, and they would be most of the index.
      options: { _render: (source, env, markdown) => markdown.render(withoutSamples(source, env), env) },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    footer: { message: `hookproof ${version}, released under the MIT license` },
  },
  vite: { publicDir: fileURLToPath(new URL('../public', import.meta.url)) },
})
