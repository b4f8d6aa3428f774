// Keeps what is marked with data-live fresh: the server says which kinds of things changed, the page is fetched again,
// and the marked regions that read otherwise are replaced. Without this script, reloading shows the same.

const regions = () => document.querySelectorAll('[data-live]')
/** As the server wrote them, since other scripts add to the regions. */
const written = new Map([...regions()].map((region) => [region.id, region.innerHTML]))
const indicator = document.getElementById('live')
let source
let wanted = false
let fetching = false

function listen() {
  source = new EventSource('/dashboard/live')
  source.addEventListener('open', () => {
    say('updates by itself')
    // What happened while nobody listened.
    void refresh()
  })
  source.addEventListener('error', () => say('reload to see changes'))
  source.addEventListener('message', ({ data }) => {
    const kinds = new Set(data.split(' '))
    const concerns = [...regions()].some((region) =>
      region.dataset.live.split(' ').some((kind) => kinds.has(kind)),
    )
    if (concerns || kinds.has('reset') || kinds.has('clock')) void refresh()
  })
}

async function refresh() {
  wanted = true
  if (fetching) return
  fetching = true
  while (wanted) {
    wanted = false
    const answer = await fetch(location.href).catch(() => undefined)
    if (answer?.ok) replace(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  fetching = false
}

function replace(fresh) {
  for (const region of regions()) {
    const now = fresh.getElementById(region.id)?.innerHTML
    if (now === undefined || now === written.get(region.id)) continue
    // A selection would be lost under the hands of who makes it.
    const selection = document.getSelection()
    if (selection?.type === 'Range' && region.contains(selection.anchorNode)) continue
    written.set(region.id, now)
    const restore = remember(region)
    region.innerHTML = now
    restore()
  }
  document.dispatchEvent(new Event('refreshed'))
}

/** What a replacement must not undo: which folds are open, and where the focus and the scrolling are. */
function remember(region) {
  const opened = [...region.querySelectorAll('details[id]')].filter((one) => one.open).map(({ id }) => id)
  const scrolled = [...region.querySelectorAll('pre')].map(({ scrollTop, scrollLeft }) => [
    scrollTop,
    scrollLeft,
  ])
  const focused = region.contains(document.activeElement) ? document.activeElement : undefined
  const home = focused?.closest('[id]')
  const place = home ? reachable(home).indexOf(focused) : -1
  return () => {
    for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
    region.querySelectorAll('pre').forEach((one, index) => {
      const [top, left] = scrolled[index] ?? [0, 0]
      one.scrollTop = top
      one.scrollLeft = left
    })
    if (!focused) return
    const again = document.getElementById(home?.id ?? '')
    const target = focused.id ? document.getElementById(focused.id) : again && reachable(again)[place]
    const instead = target ?? again ?? document.getElementById('main')
    instead?.focus({ preventScroll: true })
  }
}

const reachable = (box) => [
  ...box.querySelectorAll('a, button:not(.copy), summary, input, select, textarea, [tabindex]'),
]

function say(text) {
  if (indicator) indicator.textContent = text
}

// A browser holds few connections to one host: a page that nobody looks at gives its own back.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) source?.close()
  else listen()
})
if (!document.hidden) listen()
