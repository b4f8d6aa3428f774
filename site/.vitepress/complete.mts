/** What VitePress adds to a page only in the browser: until then, screen readers and the eye would miss it. */
export function completed(html: string): string {
  const isHome = html.includes('VPContent is-home')
  // The theme adds the landmark after a change of the page.
  const whole = isHome ? html.replace('id="VPContent"', 'id="VPContent" role="main"') : html
  // Without these classes the bar at the top is laid out anew when the scripts have arrived.
  const classes = [
    ...(html.includes('VPContent has-sidebar') ? ['has-sidebar'] : []),
    ...(isHome ? ['home'] : []),
    'top',
  ]
  return whole.replace('class="VPNavBar"', `class="VPNavBar ${classes.join(' ')}"`)
}
