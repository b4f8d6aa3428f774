import { nextTick } from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts'
import type { Theme } from 'vitepress'
import './style.css'

const theme: Theme = {
  extends: DefaultTheme,
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
