// Keeps relative times current. Times a day or more away are written in local time; the title always has UTC.

/** How far the sandbox's clock is ahead of this one, in milliseconds. */
let ahead = 0
let serverTime = ''

function update() {
  const { now = String(Date.now()) } = document.querySelector('[data-now]')?.dataset ?? {}
  if (now !== serverTime) {
    serverTime = now
    ahead = Number(now) - Date.now()
  }
  for (const box of document.querySelectorAll('time[data-relative]')) {
    const ms = Date.parse(box.dateTime)
    const text = relative(ms - Date.now() - ahead) ?? new Date(ms).toLocaleString()
    if (box.textContent !== text) box.textContent = text
  }
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

setInterval(update, 5000)
document.addEventListener('refreshed', update)
update()
