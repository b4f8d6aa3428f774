// Keyboard shortcuts: `?` shows them. They do nothing while a person types.

const dialog = document.getElementById('shortcuts')
let isAfterG = false

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || dialog?.open) return
  const go = isAfterG && document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`)
  isAfterG = event.key === 'g'
  if (go) go.click()
  else if (event.key === '?') dialog?.showModal()
  else if (event.key === '/') focus(event, '[data-search]')
  else if (event.key === 'n') focus(event, '#new ~ form input:not([type=hidden])')
  else if (event.key === '[' || event.key === ']')
    document.querySelector(`.pager a[rel=${event.key === '[' ? 'prev' : 'next'}]`)?.click()
})

function focus(event, selector) {
  const field = document.querySelector(selector)
  if (!field) return
  event.preventDefault()
  field.focus()
}

const button = document.getElementById('show-shortcuts')
if (button) {
  button.hidden = false
  button.addEventListener('click', () => dialog?.showModal())
}
