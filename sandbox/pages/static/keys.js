// Keyboard shortcuts: `?` shows them. They do nothing while a person types.

const dialog = document.getElementById('shortcuts')
let isAfterG = false

const ACTIONS = {
  '?': () => dialog?.showModal(),
  '/': (event) => focus(event, document.querySelector('[data-search]')),
  n: (event) => {
    // The form shows while it is the target.
    if (document.getElementById('new')) location.hash = 'new'
    focus(event, document.querySelector('#new ~ form :is(input:not([type=hidden]), select)'))
  },
  j: (event) => move(event, 1),
  k: (event) => move(event, -1),
  x: () => currentRow()?.querySelector('input[type=checkbox]')?.click(),
  '[': () => document.querySelector('.pager a[rel=prev]')?.click(),
  ']': () => document.querySelector('.pager a[rel=next]')?.click(),
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input:not([type=checkbox]), textarea, select, [contenteditable]')
  // After Escape the shortcuts work again.
  if (isTyping && event.key === 'Escape' && !dialog?.open) event.target.blur()
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || dialog?.open) return
  const go = isAfterG && document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`)
  isAfterG = event.key === 'g'
  if (go) go.click()
  else if (Object.hasOwn(ACTIONS, event.key)) ACTIONS[event.key](event)
})

const currentRow = () => document.activeElement?.closest('[data-row]')

/** Focuses the link or summary of the next or previous row. Without a row, the first. */
function move(event, by) {
  const rows = [...document.querySelectorAll('[data-row]')]
  const row = rows[Math.max(0, rows.indexOf(currentRow()) + by)]
  focus(event, row?.querySelector('a, summary'))
}

function focus(event, field) {
  if (!field) return
  event.preventDefault()
  field.focus()
}

const button = document.getElementById('show-shortcuts')
if (button) {
  button.hidden = false
  button.addEventListener('click', () => dialog?.showModal())
}
