// Shows times as the person chose: relative (the default; times a day or more away are then local), local or UTC. The
// choice is remembered. The title always has UTC and local time.

/** How far the sandbox's clock is ahead of this one, in milliseconds. */
let ahead = 0
let serverTime = ''
const choice = document.getElementById('times')
const KEY = 'hookproof-times'

// Sweden writes dates as ISO 8601 does: 2026-03-01 14:05:09.
const format = (ms, timeZone) => new Date(ms).toLocaleString('sv-SE', { timeZone })
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone

function update() {
  const { now = String(Date.now()) } = document.querySelector('[data-now]')?.dataset ?? {}
  if (now !== serverTime) {
    serverTime = now
    ahead = Number(now) - Date.now()
  }
  for (const box of document.querySelectorAll('time[data-relative]')) {
    const ms = Date.parse(box.dateTime)
    write(box, textOf(ms))
    box.title = `${format(ms, 'UTC')} UTC, ${format(ms)} ${zone}`
  }
  updateExact()
}

/** Times that are never relative: the ends of an axis. */
function updateExact() {
  for (const box of document.querySelectorAll('time[data-exact]')) {
    const ms = Date.parse(box.dateTime)
    write(box, choice?.value === 'utc' ? `${format(ms, 'UTC')} UTC` : format(ms))
    box.title = `${format(ms, 'UTC')} UTC`
  }
}

function textOf(ms) {
  const shown = choice?.value ?? 'relative'
  if (shown === 'utc') return format(ms, 'UTC')
  return (shown === 'local' ? undefined : relative(ms - Date.now() - ahead)) ?? format(ms)
}

/** The sandbox's clock at the top of the page. */
function tick() {
  const isLocal = choice?.value === 'local'
  const box = document.querySelector('#now time')
  if (!box) return
  write(box, format(Date.now() + ahead, isLocal ? undefined : 'UTC'))
  const name = document.querySelector('#now .zone')
  if (name) write(name, isLocal ? zone : 'UTC')
}

function write(box, text) {
  if (box.textContent !== text) box.textContent = text
}

function relative(ms) {
  const seconds = Math.round(Math.abs(ms) / 1000)
  if (seconds >= 86_400) return undefined
  if (seconds === 0) return 'now'
  const amount =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min`
        : `${Math.floor(seconds / 3600)} h`
  return ms < 0 ? `${amount} ago` : `in ${amount}`
}

/** Storage can be blocked by the browser's settings. */
function stored(work) {
  try {
    return work(localStorage)
  } catch {
    return null
  }
}

if (choice) {
  choice.hidden = false
  choice.value = stored((storage) => storage.getItem(KEY)) ?? 'relative'
  if (choice.selectedIndex < 0) choice.value = 'relative'
  choice.addEventListener('change', () => {
    stored((storage) => storage.setItem(KEY, choice.value))
    update()
    tick()
  })
}
setInterval(update, 5000)
setInterval(tick, 1000)
document.addEventListener('refreshed', () => {
  update()
  tick()
})
update()
tick()
