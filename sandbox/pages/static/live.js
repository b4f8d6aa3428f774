// Updates the regions marked with data-live: the server sends which kinds of data changed, the script refetches the page
// and replaces the regions that differ. Without this script, reloading the page shows the same.

const regions = () => document.querySelectorAll('[data-live]')
/** The markup from the server, since other scripts add to the regions. */
const serverMarkup = new Map([...regions()].map((region) => [region.id, region.innerHTML]))
const LOST = 'Disconnected, reconnecting'
const indicator = document.getElementById('live')
/** A connection that is silent for this long is lost: the server sends something every 15 s. */
const SILENT_MS = 40_000
/** The pause before a connection that the server refused is made again. */
const RECONNECT_MS = 2000
let source
let silence
let pause = RECONNECT_MS
let isStale = false
let isFetching = false
let isPaused = false

function listen() {
  source?.close()
  source = new EventSource(document.body.dataset.liveUrl ?? '/dashboard/live')
  heard()
  source.addEventListener('open', () => {
    showStatus('Live')
    pause = RECONNECT_MS
    // Catch up on changes made while disconnected. Resume does so too.
    if (!isPaused) void refresh()
  })
  source.addEventListener('error', () => {
    showStatus(LOST)
    // After a refusal the browser does not try again by itself.
    if (source.readyState === EventSource.CLOSED)
      setTimeout(reconnect, (pause = Math.min(2 * pause, SILENT_MS)))
  })
  source.addEventListener('heartbeat', heard)
  source.addEventListener('message', ({ data }) => {
    heard()
    const kinds = new Set(data.split(' '))
    const isAffected = [...regions()].some((region) =>
      region.dataset.live.split(' ').some((kind) => kinds.has(kind)),
    )
    if (isAffected || kinds.has('reset') || kinds.has('clock')) void refresh()
  })
}

/** Restarts the time after which the connection counts as lost, for example because the computer slept. */
function heard() {
  clearTimeout(silence)
  silence = setTimeout(() => {
    showStatus(LOST)
    reconnect()
  }, SILENT_MS)
}

function reconnect() {
  if (!document.hidden) listen()
}

/** Whether the person stopped updates; Resume catches up. */
const isHeld = () => isPaused

/** @param isAsked whether the person asked for it, who may have paused the rest */
async function refresh(isAsked = false) {
  isStale = true
  showStatus()
  if (isFetching) return
  isFetching = true
  for (let must = isAsked; isStale && (must || !isHeld()); must = false) {
    isStale = false
    const response = await fetch(location.href).catch(() => undefined)
    if (response?.ok) replace(new DOMParser().parseFromString(await response.text(), 'text/html'))
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  isFetching = false
}

function replace(page) {
  const keepers = []
  for (const region of regions()) {
    const markup = page.getElementById(region.id)?.innerHTML
    if (markup === undefined || markup === serverMarkup.get(region.id)) continue
    // Replacing the region would clear the person's text selection.
    const selection = document.getSelection()
    if (selection?.type === 'Range' && region.contains(selection.anchorNode)) continue
    serverMarkup.set(region.id, markup)
    const restore = saveState(region)
    keepers.push(anchorIn(region))
    const before = rowsOf(region)
    region.innerHTML = markup
    restore()
    markNew(region, before)
  }
  document.dispatchEvent(new Event('refreshed'))
  for (const keepInPlace of keepers) keepInPlace()
}

/**
 * Remembers what the person reads: the first element with an id below the top of the window, if the region starts above.
 * @returns a function that scrolls it back to its place
 */
function anchorIn(region) {
  const isAbove = region.getBoundingClientRect().top < 0
  const anchor =
    isAbove && [...region.querySelectorAll('[id]')].find((box) => box.getBoundingClientRect().top >= 0)
  const top = anchor ? anchor.getBoundingClientRect().top : 0
  // The browser would do the same for what follows the region, and both together scroll too far.
  const { style } = document.documentElement
  if (anchor) style.overflowAnchor = 'none'
  return () => {
    const same = anchor && document.getElementById(anchor.id)
    if (same) window.scrollBy({ top: same.getBoundingClientRect().top - top, behavior: 'instant' })
    requestAnimationFrame(() => requestAnimationFrame(() => (style.overflowAnchor = '')))
  }
}

const rowsOf = (region) => [...region.querySelectorAll('[data-row][id]')].map(({ id }) => id)

/** Highlights rows that were not there before. */
function markNew(region, before) {
  if (before.length === 0) return
  for (const row of region.querySelectorAll('[data-row][id]'))
    if (!before.includes(row.id)) row.classList.add('fresh')
}

/** Saves open details, scroll positions and the focus. @returns a function that restores them */
function saveState(region) {
  const opened = [...region.querySelectorAll('details[id]')]
    .filter((details) => details.open)
    .map(({ id }) => id)
  const checked = [...region.querySelectorAll('input[type=checkbox]:checked')].map(({ value }) => value)
  const typed = [...region.querySelectorAll('input[id], textarea[id], select[id]')]
    .filter((field) => field.value !== initialOf(field))
    .map(({ id, value }) => [id, value])
  const scrolled = [...region.querySelectorAll('pre')].map(({ scrollTop, scrollLeft }) => [
    scrollTop,
    scrollLeft,
  ])
  const focused = region.contains(document.activeElement) ? document.activeElement : undefined
  const container = focused?.closest('[id]')
  const position = container ? focusable(container).indexOf(focused) : -1
  return () => {
    for (const id of opened) document.getElementById(id)?.setAttribute('open', '')
    for (const box of region.querySelectorAll('input[type=checkbox]'))
      box.checked = checked.includes(box.value)
    for (const [id, value] of typed) {
      const field = document.getElementById(id)
      if (field) field.value = value
    }
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

const initialOf = (field) =>
  field.tagName === 'SELECT'
    ? ([...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0])?.value
    : field.defaultValue

const focusable = (box) => [
  ...box.querySelectorAll('a, button:not(.copy), summary, input, select, textarea, [tabindex]'),
]

let status = ''

function showStatus(text = status) {
  status = text
  const shown = isPaused ? (isStale ? 'Paused, there are changes' : 'Paused') : text
  if (indicator && indicator.textContent !== shown) indicator.textContent = shown
}

const pauseButton = document.getElementById('pause')
if (pauseButton) {
  pauseButton.hidden = false
  pauseButton.addEventListener('click', () => {
    isPaused = !isPaused
    pauseButton.textContent = isPaused ? 'Resume' : 'Pause'
    showStatus()
    if (!isPaused) void refresh()
  })
}

// Browsers limit connections per host, so a hidden page closes its own.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    clearTimeout(silence)
    source?.close()
  } else listen()
})
/** The pause after a key before the list follows what was typed. */
const TYPING_MS = 250
let typing

/** Applies a filter at once, and puts it into the address. */
function apply(form) {
  const url = new URL(form.action)
  for (const [name, value] of new FormData(form)) if (value.trim() !== '') url.searchParams.set(name, value)
  history.replaceState(history.state, '', url)
  // What Back resets the fields to.
  for (const field of form.elements) {
    if (field.tagName === 'SELECT')
      for (const option of field.options) option.defaultSelected = option.selected
    else if (field.tagName === 'INPUT') field.defaultValue = field.value
  }
  void refresh(true)
}

for (const form of document.querySelectorAll('form.filters[method=get]')) {
  if (!document.getElementById('list')) continue
  // Enter still submits the form.
  form.querySelector('button').hidden = true
  form.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(() => apply(form), TYPING_MS)
  })
}

// Back shows the page as it was left, where a filter may have been changed and not applied.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form.filters')) form.reset()
})
if (!document.hidden) listen()
