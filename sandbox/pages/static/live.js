// Updates the regions marked with data-live: the server sends which kinds of data changed, the script refetches the page
// and replaces the regions that differ. Without this script, reloading the page shows the same.

const regions = () => document.querySelectorAll('[data-live]')
/** The markup from the server, since other scripts add to the regions. */
const serverMarkup = new Map([...regions()].map((region) => [region.id, region.innerHTML]))
const indicator = document.getElementById('live')
let source
let isStale = false
let isFetching = false

function listen() {
  source = new EventSource('/dashboard/live')
  source.addEventListener('open', () => {
    showStatus('Live')
    // Catch up on changes made while disconnected.
    void refresh()
  })
  source.addEventListener('error', () => showStatus('Disconnected, reconnecting'))
  source.addEventListener('message', ({ data }) => {
    const kinds = new Set(data.split(' '))
    const isAffected = [...regions()].some((region) =>
      region.dataset.live.split(' ').some((kind) => kinds.has(kind)),
    )
    if (isAffected || kinds.has('reset') || kinds.has('clock')) void refresh()
  })
}

async function refresh() {
  isStale = true
  if (isFetching) return
  isFetching = true
  while (isStale) {
    isStale = false
    const response = await fetch(location.href).catch(() => undefined)
    if (response?.ok) replace(new DOMParser().parseFromString(await response.text(), 'text/html'))
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  isFetching = false
}

function replace(page) {
  for (const region of regions()) {
    const markup = page.getElementById(region.id)?.innerHTML
    if (markup === undefined || markup === serverMarkup.get(region.id)) continue
    // Replacing the region would clear the person's text selection.
    const selection = document.getSelection()
    if (selection?.type === 'Range' && region.contains(selection.anchorNode)) continue
    serverMarkup.set(region.id, markup)
    const restore = saveState(region)
    region.innerHTML = markup
    restore()
  }
  document.dispatchEvent(new Event('refreshed'))
}

/** Saves open details, scroll positions and the focus. @returns a function that restores them */
function saveState(region) {
  const opened = [...region.querySelectorAll('details[id]')]
    .filter((details) => details.open)
    .map(({ id }) => id)
  const scrolled = [...region.querySelectorAll('pre')].map(({ scrollTop, scrollLeft }) => [
    scrollTop,
    scrollLeft,
  ])
  const focused = region.contains(document.activeElement) ? document.activeElement : undefined
  const container = focused?.closest('[id]')
  const position = container ? focusable(container).indexOf(focused) : -1
  return () => {
    for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
    region.querySelectorAll('pre').forEach((box, index) => {
      const [top, left] = scrolled[index] ?? [0, 0]
      box.scrollTop = top
      box.scrollLeft = left
    })
    if (!focused) return
    const newContainer = document.getElementById(container?.id ?? '')
    const match = focused.id
      ? document.getElementById(focused.id)
      : newContainer && focusable(newContainer)[position]
    const target = match ?? newContainer ?? document.getElementById('main')
    target?.focus({ preventScroll: true })
  }
}

const focusable = (box) => [
  ...box.querySelectorAll('a, button:not(.copy), summary, input, select, textarea, [tabindex]'),
]

function showStatus(text) {
  if (indicator) indicator.textContent = text
}

// Browsers limit connections per host, so a hidden page closes its own.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) source?.close()
  else listen()
})
if (!document.hidden) listen()
