// After a form was submitted and its page is shown again, scrolls to the place and focuses the row where the person was.
// Without this script the page starts at the top.

const KEY = 'hookproof-place'
/** How long the message stays in view while the page scrolls. */
const SHOWN_MS = 6000

addEventListener('submit', ({ target, submitter }) => {
  if (target.method !== 'post') return
  const ids = []
  for (let box = submitter ?? target; box; box = box.parentElement?.closest('[id]'))
    if (box.id) ids.push(box.id)
  store((storage) =>
    storage.setItem(
      KEY,
      JSON.stringify({ path: location.pathname, top: scrollY, ids, text: submitter?.textContent }),
    ),
  )
})

const place = JSON.parse(store((storage) => storage.getItem(KEY)) ?? 'null')
store((storage) => storage.removeItem(KEY))

const flash = document.querySelector('.flash')
if (flash && place?.path === location.pathname) {
  scrollTo({ top: place.top, behavior: 'instant' })
  const box = place.ids.map((id) => document.getElementById(id)).find(Boolean)
  const buttons = [...(box?.querySelectorAll('button:not(.copy)') ?? [])]
  const button = buttons.find(({ textContent }) => textContent === place.text) ?? buttons[0]
  const target = button ?? box?.querySelector('a, summary')
  target?.focus({ preventScroll: true })
}

if (flash) {
  setTimeout(() => flash.classList.add('seen'), SHOWN_MS)
  // A screen reader reads a status only if it changes.
  setTimeout(() => flash.replaceChildren(...flash.childNodes), 100)
  // The message belongs to the action, so reloading the page or sharing its address does not repeat it.
  const url = new URL(location.href)
  if (url.searchParams.has('flash')) {
    for (const name of ['flash', 'count', 'failing']) url.searchParams.delete(name)
    history.replaceState(history.state, '', url)
  }
}

/** Storage can be blocked by the browser's settings. */
function store(work) {
  try {
    return work(sessionStorage)
  } catch {
    return null
  }
}
