// Adds a Copy button after each element with data-copy. Without this script the text can be selected.

function addButtons() {
  for (const box of document.querySelectorAll('[data-copy]:not([data-copied])')) {
    box.dataset.copied = 'ready'
    box.insertAdjacentElement('afterend', buttonFor(box))
  }
}

function buttonFor(box) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = box.tagName === 'CODE' ? 'copy inline' : 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy ${box.dataset.copy}`)
  button.addEventListener('click', () => void copy(box, button))
  return button
}

async function copy(box, button) {
  button.textContent = await navigator.clipboard.writeText(box.textContent ?? '').then(
    () => 'Copied',
    () => 'Copy failed: select the text',
  )
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

document.addEventListener('refreshed', addButtons)
addButtons()
