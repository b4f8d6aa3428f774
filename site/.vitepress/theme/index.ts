import type { Theme } from 'vitepress'
import { withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h, nextTick } from 'vue'
import sample from '../../pages/sample-report.txt?raw'
import './style.css'

/** The beginning of a report, beside the title of the landing page. */
const heroReport = () =>
  h('figure', { class: 'hero-report' }, [
    h('pre', [
      h('b', '$ npx hookproof check http://localhost:3000/webhooks\n\n'),
      ...sample.trimEnd().split('\n').map(entry),
    ]),
    h('a', { href: withBase('/sample-report.html'), target: '_self' }, 'Open this report'),
  ])

/** A line of the report; one with a label wraps beside it, whatever the width. */
const entry = (line: string) => h('span', { class: line.startsWith(' ') ? 'entry' : undefined }, `${line}\n`)

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': heroReport }),
  enhanceApp({ router }) {
    if (typeof document === 'undefined') return
    router.onAfterRouteChange = async () => {
      await nextTick()
      const content = document.getElementById('VPContent')
      if (content?.classList.contains('is-home')) content.setAttribute('role', 'main')
      else content?.removeAttribute('role')
    }
  },
}

export default theme
